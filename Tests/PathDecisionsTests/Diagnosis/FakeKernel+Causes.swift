import PathDecisions
import PathModel
import PathTestSupport

extension FakeKernel {
  /// The causes of the state of the path to the Internet, or to the host.
  func causes(
    _ routing: RoutingFacts = RoutingFacts(), overrides: OverrideTable = OverrideTable(), to host: String? = nil
  ) throws -> [Diagnosis] {
    var kernel = self
    let probes = host.map { ProbeAddresses([.literal($0)]) } ?? .standard
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: probes, countsLocal: host != nil)
    return PathDiagnosis(
      evaluation, path: overrides.applied(to: evaluation.path), state: kernel.state,
      interfaces: PathEvaluator.describeInterfaces(&kernel, evaluation), resolver: kernel.resolver, routing: routing,
      overrides: overrides, isToHost: host != nil
    ).causes
  }
}
