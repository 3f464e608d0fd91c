import PathDecisions
import PathModel
import PathTestSupport

extension FakeKernel {
  /// The causes of the path's state in this kernel.
  ///
  /// - Parameters:
  ///   - host: The host whose path is explained; `nil` for the path to the Internet.
  ///   - probes: The probes; `nil` for the standard ones.
  func causes(
    _ routing: RoutingFacts = RoutingFacts(), overrides: OverrideTable = OverrideTable(), to host: String? = nil,
    probes: [String]? = nil
  ) throws -> [Diagnosis] {
    var kernel = self
    let addresses = (host.map { [$0] } ?? probes)?.map(IPAddress.literal)
    let evaluation = try PathEvaluator.evaluate(
      &kernel, probes: addresses.map { ProbeAddresses($0) } ?? .standard, countsLocal: host != nil)
    return PathDiagnosis(
      evaluation, path: overrides.applied(to: evaluation.path), state: kernel.state,
      interfaces: PathEvaluator.describeInterfaces(&kernel, evaluation), resolver: kernel.resolver, routing: routing,
      overrides: overrides, isToHost: host != nil
    ).causes
  }
}
