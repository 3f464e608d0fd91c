/// What the resolver configuration says.
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
    case .servers(let servers): !servers.isEmpty
    case .localResolver(let upstream): !upstream.isEmpty
    case .none: false
    case .unknown: true
    }
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
