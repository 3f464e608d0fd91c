internal import KernelPath
package import PathDecisions
internal import PathModel
internal import SystemIO

/// The addresses that this machine has no more, and the connections that hold them.
package struct HeldAddresses: Sendable {
  /// The most addresses that are named.
  private static let limit = 3

  private let addresses: [(address: IPAddress, connections: [ConnectionFacts])]
  private let programs: [UInt32: String]
  private let isEnding: Bool

  /// The addresses of connections.
  ///
  /// - Parameters:
  ///   - connections: The connections whose address is gone.
  ///   - programs: The programs that are known, by the number of the socket among the files.
  ///   - isEnding: Whether pathmonitor-connections runs.
  package init(_ connections: [ConnectionFacts], programs: [UInt32: String], isEnding: Bool) {
    addresses = Dictionary(grouping: connections, by: \.local.address)
      .map { (address: $0.key, connections: $0.value) }
      .sorted { ($1.connections.count, "\($0.address)") < ($0.connections.count, "\($1.address)") }
    (self.programs, self.isEnding) = (programs, isEnding)
  }

  /// A sentence for each address, without full stops.
  package var sentences: [String] {
    addresses.prefix(Self.limit).map { address, connections in
      let isOne = connections.count == 1
      var names: [String] = []
      for name in connections.compactMap({ programs[$0.inode]?.inOneLine }) where !names.contains(name) {
        names.append(name)
      }
      let list = names.isEmpty ? "" : " (\(names.prefix(4).joined(separator: ", "))\(names.count > 4 ? ", …" : ""))"
      let count = isOne ? "1 connection\(list) holds" : "\(connections.count) connections\(list) hold"
      // The unit knows only the addresses that go while it runs.
      let remedy = isEnding ? "" : "; pathmonitor-connections would have ended \(isOne ? "it" : "them") if it had run"
      return "\(count) \(address), which is gone\(remedy)"
    }
  }

  /// The sentences of this moment, in the network namespace of this program; none if the kernel does not tell.
  package static func now() -> [String] {
    do throws(KernelPathError) {
      let table = try AddressTable()
      guard let configured = try table.addresses() else { return [] }
      let loopback = [IPAddress(ipv4: 0x7f00_0001), IPAddress(ipv6: 0, 1)]
      var held = try ConnectionTable().connections(.notFrom(configured.map(\.address) + loopback)).filter {
        !$0.local.address.isLoopback && !$0.isTransparent
      }
      if held.isEmpty { return [] }
      let delivered = try table.delivered(among: Set(held.map(\.local.address)))
      held.removeAll { delivered.contains($0.local.address) }
      let programs = SocketOwners.owners(of: Set(held.map(\.inode)).subtracting([0])).mapValues(\.program)
      return HeldAddresses(held, programs: programs, isEnding: EndedTotal.isRunning).sentences
    } catch {
      // It is no part of the path. 'pathctl connections' names the fault.
      return []
    }
  }
}
