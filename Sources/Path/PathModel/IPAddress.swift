/// An IPv4 or IPv6 address; a link-local IPv6 address can name its interface, as in `fe80::1%eth0`.
///
/// Parsing and printing follow inet_pton(3), RFC 5952 and, for the scope, RFC 4007. Addresses with different scopes are
/// different addresses.
public struct IPAddress: Hashable, Sendable {
  /// The address family; the raw values are the kernel's `AF_INET` and `AF_INET6`.
  public enum Family: UInt8, Hashable, Sendable, CaseIterable {
    case ipv4 = 2
    case ipv6 = 10

    /// The length of an address of this family, in bits.
    public var bitWidth: Int { self == .ipv4 ? 32 : 128 }
  }

  /// The family of the address.
  public let family: Family
  /// The upper 64 bits of an IPv6 address, in host order; 0 for IPv4.
  package let high: UInt64
  /// The lower 64 bits of an IPv6 address or the 32 bits of an IPv4 address, in host order.
  package let low: UInt64
  /// The bytes of the scope, the first one lowest, with zeros behind them. Addresses are copied far more often than
  /// their scopes are read, and a copy of a string counts references.
  private let scopeBytes: (UInt64, UInt64)

  /// The interface on whose link the address is: the name or index after the `%` of an IPv6 address. `nil` for an
  /// address without one. Without its scope, a link-local IPv6 address cannot be connected to.
  public var scope: String? { scopeBytes == (0, 0) ? nil : Self.text(ofScope: scopeBytes) }

  /// An IPv4 address from its 32 bits in host order: `0x7f00_0001` is 127.0.0.1.
  public init(ipv4 bits: UInt32) {
    (family, high, low, scopeBytes) = (.ipv4, 0, UInt64(bits), (0, 0))
  }

  /// An IPv6 address from its two halves in host order, without a scope.
  public init(ipv6 high: UInt64, _ low: UInt64) {
    (family, self.high, self.low, scopeBytes) = (.ipv6, high, low, (0, 0))
  }

  private init(_ address: IPAddress, scopeBytes: (UInt64, UInt64)) {
    (family, high, low, self.scopeBytes) = (address.family, address.high, address.low, scopeBytes)
  }

  /// The same address on the link of an interface; an IPv4 address has no scope and stays as it is.
  ///
  /// - Parameter scope: The name or the index of the interface; `nil` for no scope, which is also the meaning of a text
  ///   of more than 15 bytes: no interface has such a name.
  public func scoped(to scope: String?) -> IPAddress {
    family == .ipv6 ? IPAddress(self, scopeBytes: scope.map(Self.bytes(ofScope:)) ?? (0, 0)) : self
  }

  private static func bytes(ofScope scope: String) -> (UInt64, UInt64) {
    guard scope.utf8.count <= InterfaceName.longest else { return (0, 0) }
    var words: (UInt64, UInt64) = (0, 0)
    for byte in scope.utf8.reversed() {
      words.1 = words.1 << 8 | words.0 >> 56
      words.0 = words.0 << 8 | UInt64(byte)
    }
    return words
  }

  private static func text(ofScope words: (UInt64, UInt64)) -> String {
    let bytes = [words.0, words.1].flatMap { word in
      stride(from: UInt64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether the address is 0.0.0.0 or ::.
  public var isUnspecified: Bool { high == 0 && low == 0 }

  /// Whether the address lies in 127.0.0.0/8 or is ::1.
  public var isLoopback: Bool {
    family == .ipv4 ? low >> 24 == 127 : high == 0 && low == 1
  }

  /// Whether the address is link-local: 169.254.0.0/16 or fe80::/10.
  public var isLinkLocal: Bool {
    family == .ipv4 ? low >> 16 == 0xa9fe : high >> 54 == 0xfe80 >> 6
  }

  /// Whether an unbound socket can reach the Internet with this address as its source: it is
  /// neither unspecified nor loopback nor link-local.
  public var isRoutableSource: Bool { !isUnspecified && !isLoopback && !isLinkLocal }

  /// Whether the first `length` bits of both addresses are equal, whatever their scopes. Different families never
  /// match.
  public func matches(_ other: IPAddress, prefixLength length: Int) -> Bool {
    guard family == other.family else { return false }
    if family == .ipv4 { return length <= 0 || (low ^ other.low) >> UInt64(32 - min(length, 32)) == 0 }
    if length <= 0 { return true }
    if length <= 64 { return (high ^ other.high) >> UInt64(64 - length) == 0 }
    return high == other.high && (low ^ other.low) >> UInt64(128 - min(length, 128)) == 0
  }
}

extension IPAddress {
  /// Equality of family, bits and scope.
  public static func == (left: IPAddress, right: IPAddress) -> Bool {
    left.low == right.low && left.high == right.high && left.family == right.family
      && left.scopeBytes == right.scopeBytes
  }

  /// Hashes the bits; addresses that differ in their scopes alone are rare.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

extension IPAddress: CustomStringConvertible {
  /// The dotted quad of an IPv4 address; the RFC 5952 form of an IPv6 address, with `%` and the scope if it has one.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.longestText)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The length of the longest text without a scope, in bytes.
  static let longestText = 39

  /// Appends the text. Addresses are most of the numbers in a path, and interpolation takes several times as long.
  package func append(to bytes: inout [UInt8]) {
    switch family {
    case .ipv4: Self.appendDottedQuad(low, to: &bytes)
    case .ipv6: appendGroups(to: &bytes)
    }
    guard let scope else { return }
    bytes.append(UInt8(ascii: "%"))
    bytes.append(contentsOf: scope.utf8)
  }

  private func appendGroups(to bytes: inout [UInt8]) {
    let isMapped = high == 0 && low >> 32 == 0xffff
    if isMapped {
      bytes.append(contentsOf: "::ffff:".utf8)
      return Self.appendDottedQuad(low, to: &bytes)
    }
    let gap = longestZeroRun
    var index = 0
    while index < 8 {
      if index == gap.lowerBound, gap.count > 1 {
        bytes.append(contentsOf: "::".utf8)
        index = gap.upperBound
        continue
      }
      if index > 0, index != gap.upperBound || gap.count < 2 { bytes.append(UInt8(ascii: ":")) }
      Self.append(group(index), radix: 16, to: &bytes)
      index += 1
    }
  }

  private func group(_ index: Int) -> UInt64 {
    (index < 4 ? high : low) >> UInt64(48 - 16 * (index % 4)) & 0xffff
  }

  private static func appendDottedQuad(_ bits: UInt64, to bytes: inout [UInt8]) {
    for shift: UInt64 in [24, 16, 8, 0] {
      append(bits >> shift & 0xff, radix: 10, to: &bytes)
      if shift > 0 { bytes.append(UInt8(ascii: ".")) }
    }
  }

  /// Appends a number in the digits of a radix, without leading zeros.
  static func append(_ number: UInt64, radix: UInt64, to bytes: inout [UInt8]) {
    if number >= radix { append(number / radix, radix: radix, to: &bytes) }
    let digit = UInt8(truncatingIfNeeded: number % radix)
    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }

  /// The first of the longest runs of zero groups, which `::` replaces (RFC 5952, section 4.2).
  private var longestZeroRun: Range<Int> {
    var best = 0..<0
    var start = 0
    for index in 0...8 where index == 8 || group(index) != 0 {
      if index - start > best.count { best = start..<index }
      start = index + 1
    }
    return best
  }
}

extension IPAddress: LosslessStringConvertible {
  /// Parses the forms that inet_pton(3) accepts: a dotted quad without leading zeros, or an IPv6 address (also with a
  /// dotted quad at its end). An IPv6 address can have a scope: `%` and the name or the index of an interface, which
  /// need not exist. `nil` for anything else.
  public init?(_ text: String) {
    guard let separator = text.utf8.firstIndex(of: UInt8(ascii: "%")) else {
      self.init(unscoped: text)
      return
    }
    let scope = String(text[text.utf8.index(after: separator)...])
    guard InterfaceName.problem(with: scope) == nil, let address = IPAddress(unscoped: String(text[..<separator])),
      address.family == .ipv6
    else { return nil }
    self = address.scoped(to: scope)
  }

  /// Parses an address that must not have a scope, such as a destination far away.
  package init?(unscoped text: String) {
    if let bits = Self.parseDottedQuad(text.utf8) {
      self.init(ipv4: bits)
      return
    }
    guard let groups = Self.parseGroups(text) else { return nil }
    let high = groups[..<4].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
    let low = groups[4...].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
    self.init(ipv6: high, low)
  }

  private static func parseDottedQuad(_ text: some Sequence<UInt8>) -> UInt32? {
    var bits: UInt32 = 0
    var (part, digits, dots): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text {
      if byte == UInt8(ascii: ".") {
        guard digits > 0, dots < 3 else { return nil }
        bits = bits << 8 | part
        (part, digits, dots) = (0, 0, dots + 1)
        continue
      }
      // Some programs read a number with a leading zero as octal.
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits == 0 || part > 0 else { return nil }
      part = part * 10 + UInt32(byte - UInt8(ascii: "0"))
      digits += 1
      guard part <= 255 else { return nil }
    }
    return dots == 3 && digits > 0 ? bits << 8 | part : nil
  }

  private static func parseGroups(_ text: String) -> [UInt16]? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 45 else { return nil }
    let colon = UInt8(ascii: ":")
    let gap = bytes.indices.dropLast().first { bytes[$0] == colon && bytes[$0 + 1] == colon }
    guard let gap else {
      let groups = parseRun(bytes[...])
      return groups?.count == 8 ? groups : nil
    }
    guard let head = parseRun(bytes[..<gap], isLast: false), let tail = parseRun(bytes[(gap + 2)...]) else {
      return nil
    }
    let missing = 8 - head.count - tail.count
    return missing >= 1 ? head + [UInt16](repeating: 0, count: missing) + tail : nil
  }

  /// Parses groups between colons; the last one of the text may be a dotted quad.
  private static func parseRun(_ run: ArraySlice<UInt8>, isLast: Bool = true) -> [UInt16]? {
    if run.isEmpty { return [] }
    let parts = run.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var groups: [UInt16] = []
    for (number, part) in parts.enumerated() {
      if isLast, number == parts.count - 1, let bits = parseDottedQuad(part) {
        groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
        continue
      }
      guard (1...4).contains(part.count) else { return nil }
      var value: UInt16 = 0
      for byte in part {
        guard let digit = hexadecimalDigit(byte) else { return nil }
        value = value << 4 | digit
      }
      groups.append(value)
    }
    return groups
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
