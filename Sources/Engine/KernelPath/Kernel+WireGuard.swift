internal import CNetlink
internal import Glibc
package import PathDecisions
package import PathModel

/// The servers of WireGuard tunnels. The kernel reports them only to programs with CAP_NET_ADMIN, and announces no
/// change of them.
extension Kernel {
  /// The lookups that the kernel makes for a WireGuard tunnel's own packets, one for each server to which packets for
  /// the destinations go; `nil` when they may not be read, and for other tunnels. AmneziaWG answers as WireGuard does.
  package func serverQueries(of tunnel: LinkFacts, for destinations: [IPAddress]) -> [RouteQuery]? {
    guard let kind = tunnel.kind, ["wireguard", "amneziawg"].contains(kind), mayReadServers else { return nil }
    // The answers have the private key of the tunnel. Their buffer ends with the socket.
    guard let socket = GenericSocket(kind) else { return nil }
    var facts = WireGuardMessage(for: destinations)
    let result = socket.ask(
      WG_CMD_GET_DEVICE, flags: NLM_F_DUMP, about: tunnel.index, in: WGDEVICE_A_IFINDEX
    ) { (message) throws(NetlinkDecodingError) in try facts.add(message) }
    if result == EPERM { mayReadServers = false }
    // A tunnel that was moved here sends its own packets in the network namespace where it was made.
    guard result == 0, datagramSockets()?.has(port: facts.port) == true else { return nil }
    return facts.endpoints.map { endpoint in
      RouteQuery(
        destination: endpoint.address, kind: .resolve, interfaceIndex: endpoint.interfaceIndex, user: 0,
        mark: facts.mark)
    }
  }
}
