package import PathModel

/// The datagram sockets of a network namespace that take packets of anybody, as `/proc/net/udp` and `/proc/net/udp6`
/// list them.
package struct DatagramSockets: Sendable {
  /// The port of name servers.
  private static let namePort: UInt16 = 53

  private var sockets: [(address: IPAddress, port: UInt16)] = []

  /// No sockets.
  package init() {}

  /// Adds the sockets in the text of a file. Connected ones are left out: they are clients.
  package mutating func add(_ text: some StringProtocol) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).prefix(3).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3, let local = Self.end(words[1]), let remote = Self.end(words[2]) else { continue }
      if remote.address.isUnspecified, remote.port == 0 { sockets.append(local) }
    }
  }

  /// Whether a program may answer questions for names at an address of this machine. It has the usual port at all
  /// addresses, or any port at this one: Docker leads the usual port to another.
  package func mayServeNames(at address: IPAddress) -> Bool {
    sockets.contains { socket in
      if socket.address == address { return true }
      // A socket of IPv6 for all addresses takes packets of IPv4, too.
      return socket.address.isUnspecified && socket.port == Self.namePort
        && (socket.address.family == address.family || address.family == .ipv4)
    }
  }

  /// Whether any of them has the port, whatever its address.
  package func has(port: UInt16) -> Bool { sockets.contains { $0.port == port } }

  /// An address with a port: 32-bit words of 8 hexadecimal digits in the order of the machine, a colon and the port.
  private static func end(_ word: String) -> (address: IPAddress, port: UInt16)? {
    let parts = word.utf8.split(separator: UInt8(ascii: ":"))
    guard parts.count == 2, let port = UInt16(String(decoding: parts[1], as: UTF8.self), radix: 16),
      parts[0].count == 8 || parts[0].count == 32
    else { return nil }
    var words: [UInt64] = []
    var rest = parts[0]
    while !rest.isEmpty {
      guard let word = UInt32(String(decoding: rest.prefix(8), as: UTF8.self), radix: 16) else { return nil }
      words.append(UInt64(UInt32(bigEndian: word)))
      rest = rest.dropFirst(8)
    }
    if words.count == 1 { return (IPAddress(ipv4: UInt32(words[0])), port) }
    return (IPAddress(ipv6: words[0] << 32 | words[1], words[2] << 32 | words[3]), port)
  }
}
