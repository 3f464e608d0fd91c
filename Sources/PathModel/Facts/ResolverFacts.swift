/// What the resolver configuration says.
///
/// The kernel is not asked for the way to each server. With a default route there nearly always is one; and where there
/// is not, a route to a server alone covers no probe, so that the kernel would not tell of its coming and going: the
/// answer would grow old. Nor do resolvers take the way of everybody: systemd-resolved binds to the server's interface.
package enum ResolverFacts: Hashable, Sendable {
  /// These name servers are configured, in the order of the file, as they are spelled there.
  case servers([String])
  /// A local resolver (127.0.0.53) is configured, and it has these servers upstream.
  case localResolver(upstream: [String])
  /// No name server is configured; where we looked.
  case none(String)
  /// It could not be read; why. Our own failure is not taken for a missing name server.
  case unknown(String)

  /// Whether names can be looked up, as far as the configuration tells.
  package var isConfigured: Bool {
    switch self {
    case .servers(let servers): servers.contains(where: Self.isAddress)
    case .localResolver(let upstream): upstream.contains(where: Self.isAddress)
    case .none: false
    case .unknown: true
    }
  }

  /// Why names can be looked up or not, in words without a full stop.
  package var reason: String {
    switch self {
    case .servers(let servers):
      servers.map(Self.words).joined(separator: ", ")
    case .localResolver(let upstream) where upstream.isEmpty:
      "systemd-resolved runs, but knows no server to ask"
    case .localResolver(let upstream): "systemd-resolved asks \(upstream.map(Self.words).joined(separator: ", "))"
    case .none(let place): "none in \(place)"
    case .unknown(let why): "unknown: \(why)"
    }
  }

  /// A server as explanations show it.
  private static func words(_ server: String) -> String {
    guard isAddress(server) else { return "\(server.quotedInLine), which is no address" }
    if areStubs([server]) { return "\(server), which is systemd-resolved without a list of its own: taken to work" }
    // Who asks a resolver on this machine cannot know what that asks: dnsmasq, unbound, NetworkManager's.
    return IPAddress(server)?.isLoopback == true ? "\(server), a resolver on this machine: taken to work" : server
  }

  /// Whether the C library takes it for a server: an address, of a link-local one also with its interface.
  private static func isAddress(_ server: String) -> Bool {
    guard let separator = server.utf8.firstIndex(of: UInt8(ascii: "%")) else {
      return IPAddress(unscoped: server) != nil
    }
    return IPAddress(unscoped: String(server[..<separator]))?.family == .ipv6
      && !server[separator...].dropFirst().isEmpty
  }

  /// The addresses after `nameserver` in the text of resolv.conf(5), in order.
  ///
  /// A keyword starts at the beginning of its line and ends at a space or tab, as in the C library.
  package static func nameServers(in text: some StringProtocol) -> [String] {
    text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }).compactMap { line in
      let words = line.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
      guard let keyword = words.first, keyword.startIndex == line.startIndex, words.count > 1,
        keyword.elementsEqual("nameserver".utf8)
      else { return nil }
      return String(decoding: words[1], as: UTF8.self)
    }
  }

  /// Whether every server is the stub of systemd-resolved, so that its own list has to be asked.
  package static func areStubs(_ servers: [String]) -> Bool {
    !servers.isEmpty && servers.allSatisfy { $0 == "127.0.0.53" || $0 == "127.0.0.54" }
  }
}
