package import PathModel

/// The facts about the network behind an interface that do not come from the kernel's routing.
package struct NetworkFacts: Hashable, Sendable {
  /// The DHCP leases of the interface, as far as their files can be read.
  package var leases: [LeaseFacts] = []
  /// The file that may record a lease of the interface and cannot be read; `nil` when there is none.
  package var unreadLease: UnreadLease?
  /// The metered state in NetworkManager; `nil` when it does not manage the interface or does not run.
  package var metered: MeteredState?
  /// The name of the wireless network that the interface is connected to; `nil` when there is none, or it is not known.
  package var networkName: NetworkName?
}

/// The name of a wireless network, its SSID: up to 32 bytes of anything.
package struct NetworkName: Hashable, Sendable {
  /// The bytes as they are transmitted.
  package let bytes: [UInt8]

  /// A name; `nil` for a length that no network's name can have.
  package init?(_ bytes: [UInt8]) {
    guard (1...32).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// The name as text. Bytes that are not UTF-8 are escaped; see ``Swift/String/init(nameBytes:)``.
  package var text: String { String(nameBytes: bytes) }
}

/// The facts about all interfaces, from all sources. Each source replaces its own part after an event; evaluations only
/// read the table.
package struct NetworkFactsTable: Equatable, Sendable {
  /// The leases of clients that name an interface by its index.
  package var leasesByIndex: [Int32: [LeaseFacts]] = [:]
  /// The leases of clients that name an interface by its name.
  package var leasesByName: [ExactText: [LeaseFacts]] = [:]
  /// The lease files that cannot be read.
  package var unreadLeases = UnreadLeases()
  /// The states of NetworkManager's devices, by interface name.
  package var meteredByName: [ExactText: MeteredState] = [:]
  /// NetworkManager's verdicts on the connectivity of devices, by interface name.
  package internal(set) var connectivityByName: [ExactText: DeviceConnectivity] = [:]
  /// The routers of the paths since they are watched.
  package var routers = RouterRecords()
  /// The validator's latest report; `nil` if there is none, or its network is not that of the path any more.
  package var report: ValidationReport?
  /// When each link last lost the network that it was in, or may have, in microseconds since boot. A verdict that was
  /// begun before is not one on the present network.
  package var networkLosses: [Int32: Int] = [:]
  /// When a fact from the leases last changed, in microseconds since boot.
  package var leasesChanged = 0
  /// The names from nl80211, by interface index.
  package var networkNames: [Int32: NetworkName] = [:]
  /// The wireless interfaces that are access points, from nl80211. Others get their way out from this machine by them.
  package var accessPoints: [Int32] = []

  /// A table without facts.
  package init() {}

  /// Continues with the facts of a table that come by messages, and cannot be read again.
  package mutating func takeOver(from other: Self) {
    (meteredByName, connectivityByName, routers) = (other.meteredByName, other.connectivityByName, other.routers)
    (report, networkLosses) = (other.report, other.networkLosses)
  }

  /// Whether any lease names an address for the sign-in.
  var hasPortals: Bool {
    (!leasesByIndex.isEmpty && leasesByIndex.values.contains { $0.contains { $0.portal != nil } })
      || (!leasesByName.isEmpty && leasesByName.values.contains { $0.contains { $0.portal != nil } })
  }

  /// The facts about an interface.
  package subscript(link: LinkFacts) -> NetworkFacts {
    NetworkFacts(
      leases: (leasesByIndex.isEmpty ? [] : leasesByIndex[link.index] ?? [])
        + (leasesByName.isEmpty ? [] : leasesByName[link.exactName] ?? []),
      unreadLease: unreadLeases[link],
      metered: meteredByName.isEmpty ? nil : meteredByName[link.exactName],
      networkName: networkNames.isEmpty ? nil : networkNames[link.index])
  }
}
