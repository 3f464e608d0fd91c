internal import CNetlink
package import PathDecisions
package import PathModel

/// The addresses of this network namespace.
package final class AddressTable {
  private let queries: QuerySocket

  /// Opens the socket.
  package init() throws(KernelPathError) { queries = try QuerySocket() }

  /// Reads all addresses, without loopback's and without scopes.
  ///
  /// - Returns: `nil` when they have changed during each of a few readings.
  package func addresses() throws(KernelPathError) -> [AddressFacts]? {
    for _ in 1...5 {
      var found: [AddressFacts] = []
      let isConsistent = try queries.dump(NetlinkRequest.allAddresses(), of: "addresses") {
        (message) throws(NetlinkDecodingError) in
        guard message.type == RTM_NEWADDR, let facts = try AddressFacts(message),
          !facts.address.isLoopback
        else { return }
        found.append(facts)
      }
      if isConsistent { return found }
    }
    return nil
  }

  /// The indices of all links, and whether each is a tunnel.
  package func tunnels() throws(KernelPathError) -> [Int32: Bool] {
    var found: [Int32: Bool] = [:]
    _ = try queries.dump(NetlinkRequest.allLinks(), of: "links") { (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWLINK else { return }
      let link = try LinkMessage(message).facts
      found[link.index] = link.role == .tunnel
    }
    return found
  }

  /// The addresses for which the kernel has a route of the type `local`. It delivers their packets to this machine,
  /// also where no interface has the address (AnyIP).
  package func delivered(among addresses: Set<IPAddress>) throws(KernelPathError) -> Set<IPAddress> {
    let asked = Array(addresses)
    let answers = try queries.answers(to: asked.map { RouteQuery(destination: $0, kind: .resolve) })
    return Set(
      zip(asked, answers).filter { _, answer in
        guard case .route(let route) = answer else { return false }
        return route.type == RouteType.local
      }.map(\.0))
  }
}
