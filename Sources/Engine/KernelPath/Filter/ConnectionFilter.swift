package import PathDecisions
package import PathModel

/// A filter for a list of connections, by their local addresses: a program for the kernel (`INET_DIAG_REQ_BYTECODE`,
/// sock_diag(7)). On a machine with many connections nearly all of them then cost no message.
package struct ConnectionFilter: Hashable, Sendable {
  private let addresses: [IPAddress]
  /// Whether connections from the addresses pass, or all others.
  private let passesFound: Bool

  /// Only connections from these addresses.
  package static func from(_ addresses: some Sequence<IPAddress>) -> Self {
    Self(addresses: Array(addresses), passesFound: true)
  }

  /// All but connections from these addresses.
  package static func notFrom(_ addresses: some Sequence<IPAddress>) -> Self {
    Self(addresses: Array(addresses), passesFound: false)
  }

  /// The most addresses of a program, which the kernel checks in a time of their square. With more, it passes all.
  private static let limit = 256

  /// The connections of a list that pass.
  package func passing(_ connections: [ConnectionFacts]) -> [ConnectionFacts] {
    let known = Set(addresses)
    return connections.filter { known.contains($0.local.address) == passesFound }
  }

  /// The program; `nil` if the filter is too long for one.
  ///
  /// Each address is a condition and a jump that is skipped unless the condition holds. The jump leads to the end,
  /// which passes the connection, or beyond it, which drops it.
  var program: [UInt8]? {
    guard addresses.count <= Self.limit else { return nil }
    let conditions = addresses.map { Self.condition($0) }
    let length = conditions.reduce(0) { $0 + $1.count + Self.jumpLength } + (passesFound ? Self.jumpLength : 0)
    var program: [UInt8] = []
    for condition in conditions {
      program += condition
      program += Self.jump(length - program.count + (passesFound ? 0 : Self.beyond))
    }
    // No address has matched.
    if passesFound { program += Self.jump(Self.jumpLength + Self.beyond) }
    return program
  }

  /// The length of an operation without an argument (`struct inet_diag_bc_op`).
  private static let jumpLength = 4
  /// A jump so far behind the end drops the connection.
  private static let beyond = 4

  /// Whether the local address is this one. If so, the next operation follows, or else the one after it.
  private static func condition(_ address: IPAddress) -> [UInt8] {
    let bytes = Array(address.socketBytes(of: address.family).prefix(address.family.bitWidth / 8))
    let length = jumpLength + 8 + bytes.count
    // INET_DIAG_BC_S_COND, yes, no; struct inet_diag_hostcond with any port.
    var condition: [UInt8] = [7, UInt8(length)]
    condition.append(inHostOrder: UInt16(length + jumpLength))
    condition += [address.family.rawValue, UInt8(address.family.bitWidth), 0, 0]
    condition.append(inHostOrder: UInt32.max)
    return condition + bytes
  }

  /// INET_DIAG_BC_JMP.
  private static func jump(_ distance: Int) -> [UInt8] {
    var jump: [UInt8] = [1, UInt8(jumpLength)]
    jump.append(inHostOrder: UInt16(distance))
    return jump
  }
}
