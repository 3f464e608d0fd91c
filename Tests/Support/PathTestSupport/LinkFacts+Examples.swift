package import PathModel

extension LinkFacts {
  /// A link that is up and has a carrier.
  package static func up(
    _ index: Int32, _ name: String, kind: String? = nil, hardwareType: UInt16 = HardwareType.ethernet,
    operationalState: OperationalState = .up, parent: Int32? = nil, master: Int32? = nil, activePort: Int32? = nil
  ) -> LinkFacts {
    LinkFacts(
      index: index, name: name, flags: [.up, .lowerUp, .running], operationalState: operationalState,
      hasCarrier: true, hardwareType: hardwareType, kind: kind, mtu: 1500, parentIndex: parent,
      masterIndex: master, activePortIndex: activePort)
  }
}

extension FakeKernel {
  /// Installs a link that is up, with the addresses and their connected routes.
  package mutating func install(_ link: LinkFacts, _ addresses: Prefix...) {
    install(link)
    for address in addresses { addAddress(address, to: link.name) }
  }
}
