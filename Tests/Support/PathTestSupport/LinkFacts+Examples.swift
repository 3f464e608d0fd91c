package import PathDecisions

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

  /// A kernel with so many of the cards `eth0` (2), `eth1` (3) and `eth2` (4), each with an address and no route to the
  /// Internet.
  package static func withCards(_ count: Int) -> FakeKernel {
    var kernel = FakeKernel()
    let addresses: [Prefix] = ["192.0.2.2/24", "198.51.100.2/24", "203.0.113.2/24"]
    for (number, address) in addresses.prefix(count).enumerated() {
      kernel.install(.up(Int32(number) + 2, "eth\(number)"), address)
    }
    return kernel
  }
}
