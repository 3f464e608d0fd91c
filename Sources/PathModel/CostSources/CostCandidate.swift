/// An interface of which the sources are asked what its use costs: all that has been found out about it.
package struct CostCandidate: Hashable, Sendable {
  /// The name of the interface, for the texts.
  package var name: String
  /// The type of the interface.
  package var type: InterfaceType
  /// What sysfs says of its device; `nil` for virtual devices and where it cannot be read.
  package var device: DeviceFacts?
  /// Its addresses.
  package var addresses: [AddressFacts]
  /// The routers reached over it.
  package var gateways: [IPAddress]
  /// What others than the kernel say of its network.
  package var network: NetworkFacts
  /// What the administrator's rules say of it.
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
    self.gateways = gateways
    self.network = network
    self.ruling = ruling
  }

  /// All evidence about it, source by source; ``CostRules/combine(_:)`` says what follows from it.
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
