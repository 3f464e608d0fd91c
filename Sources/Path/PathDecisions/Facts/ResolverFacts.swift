package import PathModel

/// The facts of the resolver configuration.
///
/// An evaluation looks up the servers that the C library asks (``askedServers``). The servers of systemd-resolved are
/// not looked up: it binds to the interface of each.
package struct ResolverFacts: Hashable, Sendable {
  /// The kinds of configuration.
  package enum Configuration: Hashable, Sendable {
    /// These name servers are configured, in the order and the spelling of the file.
    case servers([String])
    /// A local resolver (127.0.0.53) is configured, and it has these servers upstream.
    case localResolver(upstream: [String])
    /// No name server is configured in this place.
    case none(String)
    /// The configuration could not be read, for this reason. Our own failure is not taken for a missing name server.
    case unknown(String)
  }

  /// The configuration.
  package let configuration: Configuration
  /// Whether names can be looked up, by the configuration alone. Every evaluation asks this and
  /// ``askedServers``, so the servers are parsed once.
  package let isConfigured: Bool
  /// The servers that the C library asks: the first three addresses, as connect(2) understands them. Empty for a file
  /// without any.
  ///
  /// Source: `MAXNS` in glibc's `resolv.h`.
  package let askedServers: [IPAddress]

  private init(_ configuration: Configuration) {
    self.configuration = configuration
    isConfigured =
      switch configuration {
      case .servers(let servers): servers.contains(where: Self.isAddress)
      case .localResolver(let upstream): upstream.contains(where: Self.isAddress)
      case .none: false
      case .unknown: true
      }
    askedServers =
      switch configuration {
      case .servers(let servers): Array(servers.compactMap { IPAddress($0)?.connected }.prefix(3))
      case .localResolver: [IPAddress(ipv4: 0x7f00_0035)]
      case .none, .unknown: []
      }
  }

  /// Name servers are configured, in the order and the spelling of the file.
  package static func servers(_ servers: [String]) -> ResolverFacts { ResolverFacts(.servers(servers)) }

  /// A local resolver (127.0.0.53) is configured, and it has these servers upstream.
  package static func localResolver(upstream: [String]) -> ResolverFacts {
    ResolverFacts(.localResolver(upstream: upstream))
  }

  /// No name server is configured in the place.
  package static func none(_ place: String) -> ResolverFacts { ResolverFacts(.none(place)) }

  /// The configuration could not be read, for the reason.
  package static func unknown(_ reason: String) -> ResolverFacts { ResolverFacts(.unknown(reason)) }

  /// The reason why names can or cannot be looked up, in words without a full stop.
  package var reason: String {
    switch configuration {
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
    // The servers behind a resolver on this machine, such as dnsmasq, unbound or NetworkManager's, are unknown here.
    return IPAddress(server)?.isLoopback == true ? "\(server), a resolver on this machine: taken to work" : server
  }

  /// Whether the C library accepts it as a server: an address, of a link-local one also with its interface.
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

  /// Whether every server is the stub of systemd-resolved, whose own list of servers is then needed.
  package static func areStubs(_ servers: [String]) -> Bool {
    !servers.isEmpty && servers.allSatisfy { $0 == "127.0.0.53" || $0 == "127.0.0.54" }
  }
}

extension IPAddress {
  /// The address that a socket is connected to: this machine for 0.0.0.0 and `::`, and an IPv4 address for one that is
  /// mapped (RFC 4291, section 2.5.5.2).
  fileprivate var connected: IPAddress {
    if isUnspecified { return family == .ipv4 ? IPAddress(ipv4: 0x7f00_0001) : IPAddress(ipv6: 0, 1) }
    guard family == .ipv6, high == 0, low >> 32 == 0xffff else { return self }
    return IPAddress(ipv4: UInt32(truncatingIfNeeded: low))
  }
}
