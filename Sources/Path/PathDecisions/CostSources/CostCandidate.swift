package import PathModel

/// An interface whose cost the sources judge, with all facts that they judge by.
package struct CostCandidate: Hashable, Sendable {
  /// The name of the interface, for the texts.
  package var name: String
  /// The type of the interface.
  package var type: InterfaceType
  /// The facts of sysfs about its device; `nil` for virtual devices and where sysfs cannot be read.
  package var device: DeviceFacts?
  /// Its addresses.
  package var addresses: [AddressFacts]
  /// The routers reached over it that may be evidence. Without the others a new router leaves the candidate equal, and
  /// its cost in the cache (row `fresh`).
  package var gateways: [IPAddress]
  /// The facts about its network that do not come from the kernel's routing.
  package var network: NetworkFacts
  /// The administrator's ruling on it.
  package var ruling: InterfaceRuling

  /// A candidate.
  package init(
    name: String, type: InterfaceType, device: DeviceFacts? = nil, addresses: [AddressFacts] = [],
    gateways: [IPAddress] = [], network: NetworkFacts = NetworkFacts(), ruling: InterfaceRuling = .silent
  ) {
    self.name = name
    self.type = type
    self.device = device
    self.addresses = addresses
    self.gateways = GatewayCost.relevant(gateways, addresses)
    self.network = network
    self.ruling = ruling
  }

  /// All evidence about it, source by source; ``CostRules/combine(_:)`` draws the conclusion.
  package var evidence: [Evidence] {
    var evidence: [Evidence] = []
    ConfigurationCost.judge(self, &evidence)
    NetworkManagerCost.judge(self, &evidence)
    DeviceCost.judge(self, &evidence)
    LeaseCost.judge(self, &evidence)
    GatewayCost.judge(self, &evidence)
    return evidence
  }
}
