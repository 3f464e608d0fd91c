/// What others than the kernel's routing say of the network behind an interface.
package struct NetworkFacts: Hashable, Sendable {
  /// The DHCP leases that were made for the interface, as far as their files can be read.
  package var leases: [LeaseFacts] = []
  /// What NetworkManager says; `nil` when it does not manage the interface or does not run.
  package var metered: MeteredState?
  /// The name of the wireless network it is connected to; `nil` when it is not, or that is not known.
  package var networkName: NetworkName?

  /// Facts as found; everything that is left out is absent.
  package init(leases: [LeaseFacts] = [], metered: MeteredState? = nil, networkName: NetworkName? = nil) {
    self.leases = leases
    self.metered = metered
    self.networkName = networkName
  }
}

/// The name of a wireless network, its SSID: up to 32 bytes of anything.
package struct NetworkName: Hashable, Sendable {
  /// The bytes as they are on the air.
  package let bytes: [UInt8]

  /// A name; `nil` for one that no network can have.
  package init?(_ bytes: [UInt8]) {
    guard (1...32).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }
}

/// What the sources say of all interfaces. Each source replaces its own part when something has happened; evaluations
/// only look it up.
package struct NetworkFactsTable: Hashable, Sendable {
  /// By interface index, as systemd-networkd names its files.
  package var leasesByIndex: [Int32: [LeaseFacts]] = [:]
  /// By interface name, as dhclient and dhcpcd do.
  package var leasesByName: [String: [LeaseFacts]] = [:]
  /// By interface name, as NetworkManager's devices do.
  package var meteredByName: [String: MeteredState] = [:]
  /// By interface index, as nl80211 does.
  package var networkNames: [Int32: NetworkName] = [:]

  /// Nothing is said.
  package init() {}

  /// What is said of an interface.
  package subscript(link: LinkFacts) -> NetworkFacts {
    NetworkFacts(
      leases: (leasesByIndex.isEmpty ? [] : leasesByIndex[link.index] ?? [])
        + (leasesByName.isEmpty ? [] : leasesByName[link.name] ?? []),
      metered: meteredByName.isEmpty ? nil : meteredByName[link.name],
      networkName: networkNames.isEmpty ? nil : networkNames[link.index])
  }
}
