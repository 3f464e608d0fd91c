internal import Glibc
package import PathDecisions

/// The servers of WireGuard tunnels. The kernel reports them only to programs with CAP_NET_ADMIN, and announces no
/// change of them.
extension Kernel {
  /// The most servers of a tunnel that are looked up. A tunnel with more peers is that of a server.
  private static let serverLimit = 16

  /// The lookups that the kernel makes for a WireGuard tunnel's own packets, one for each of its servers; empty when
  /// they may not be read, and for other tunnels.
  package func serverQueries(of tunnel: LinkFacts) -> [RouteQuery] {
    guard tunnel.kind == "wireguard", mayReadServers else { return [] }
    // The answers have the private key of the tunnel. Their buffer ends with the socket.
    guard let socket = GenericSocket("wireguard") else { return [] }
    var facts = WireGuardMessage()
    let result = socket.ask(
      WireGuardRequest.getDevice, flags: MessageFlag.dump, about: tunnel.index, in: WireGuardAttribute.interfaceIndex
    ) { (message) throws(NetlinkDecodingError) in try facts.add(message) }
    if result == EPERM { mayReadServers = false }
    guard result == 0, (1...Self.serverLimit).contains(facts.endpoints.count) else { return [] }
    // A tunnel that was moved here sends its own packets in the network namespace where it was made.
    guard datagramSockets()?.has(port: facts.port) == true else { return [] }
    return facts.endpoints.map { endpoint in
      RouteQuery(
        destination: endpoint.address, kind: .resolve, interfaceIndex: endpoint.interfaceIndex, user: 0,
        mark: facts.mark)
    }
  }
}
