package import PathDecisions
package import PathModel

/// Connections that are never ended: a value of `Except=`.
package enum ConnectionException: Hashable, Sendable {
  /// Connections with an end in this network.
  case network(IPAddress, prefixLength: Int)
  /// Connections of this user.
  case user(UInt32)
  /// Connections with this port at either end.
  case port(UInt16)

  /// Whether the connection is one of them.
  package func covers(_ connection: ConnectionFacts) -> Bool {
    let ends = [connection.local, connection.remote]
    return switch self {
    case .network(let network, let length): ends.contains { $0.address.matches(network, prefixLength: length) }
    case .user(let user): connection.user == user
    case .port(let port): ends.contains { $0.port == port }
    }
  }

  /// Reads a word: an address, a network such as `10.0.0.0/8`, `user:NAME`, `user:NUMBER` or `port:NUMBER`.
  ///
  /// - Parameter user: The number of a user by name.
  package init?(_ word: String, user: (String) -> UInt32?) {
    let parts = word.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(Substring(parts[1])) : ""
    switch String(Substring(parts[0])) {
    case "user":
      guard let number = UInt32(value) ?? (value.isEmpty ? nil : user(value)) else { return nil }
      self = .user(number)
    case "port":
      guard let port = UInt16(value), port > 0 else { return nil }
      self = .port(port)
    default: self.init(network: word)
    }
  }

  private init?(network word: String) {
    let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(unscoped: String(Substring(parts[0]))) else { return nil }
    guard parts.count == 2 else {
      self = .network(address, prefixLength: address.family.bitWidth)
      return
    }
    guard let length = Int(String(Substring(parts[1]))), (0...address.family.bitWidth).contains(length) else {
      return nil
    }
    self = .network(address, prefixLength: length)
  }
}
