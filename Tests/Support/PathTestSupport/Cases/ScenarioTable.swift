package import PathDecisions
package import PathModel

/// The cases of scenarios.txt, for both kernels.
package enum ScenarioTable {
  package static let all = (try? parsed()) ?? []
  /// Those with routes that have several legs. A hash chooses a leg for each destination by its place in the route, so
  /// each route is there with its legs in both orders.
  package static let multipath = all.filter { $0.name.contains("multipath") }

  package static func parsed() throws -> [PathCase] { try PathCase.all(in: [PackageResources.scenarios_txt]) }
}

extension PathCase {
  /// The network after all steps, in memory.
  package func network() throws -> MemoryNetwork {
    var network = MemoryNetwork(isBare: isBare)
    for item in steps.flatMap(\.items) { try network.perform(item) }
    return network
  }
}

extension FakeKernel {
  /// A kernel with the network that commands make.
  package init(_ commands: String) {
    var network = MemoryNetwork()
    do { try network.perform(CaseBlock.Item(number: 0, text: commands.replacing("\n", with: " "))) } catch {
      preconditionFailure("\(error)")
    }
    // Nothing is known of the programs that serve names.
    network.kernel.servedAddresses = nil
    self = network.kernel
  }

  /// `eth0`, 192.0.2.2/24 with the router 192.0.2.1.
  package static var one: FakeKernel { FakeKernel("uplink eth0 192.0.2.2/24 via 192.0.2.1") }
  /// `eth0` with metric 100 and `eth1` with metric 200.
  package static var two: FakeKernel {
    FakeKernel(
      "uplink eth0 192.0.2.2/24 via 192.0.2.1 metric 100; uplink eth1 198.51.100.2/24 via 198.51.100.1 metric 200")
  }

  package mutating func evaluate(
    _ probes: ProbeAddresses = .standard, user: UInt32? = nil
  ) throws(Failure) -> PathEvaluation {
    try PathEvaluator.evaluate(&self, probes: probes, user: user)
  }
}
