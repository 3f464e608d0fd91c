public import ConnectivityCore
public import Foundation
internal import PathModel

/// The bytes of addresses, which Apple's Network framework has as `Data`.
extension IPv4Address {
  /// The four bytes of the address, in network order.
  public var rawValue: Data { address.bytes }

  /// An address from its four bytes in network order; `nil` for another number of bytes.
  ///
  /// - Parameters:
  ///   - rawValue: The bytes.
  ///   - interface: The interface that the address is bound to; `nil` for none.
  public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
    guard rawValue.count == 4 else { return nil }
    self.init(IPAddress(ipv4: UInt32(truncatingIfNeeded: rawValue.number)), interface: interface)
  }
}

extension IPv6Address {
  /// The 16 bytes of the address, in network order, without its scope.
  public var rawValue: Data { address.bytes }

  /// An address from its 16 bytes in network order; `nil` for another number of bytes.
  ///
  /// - Parameters:
  ///   - rawValue: The bytes.
  ///   - interface: The interface on whose link the address is to be found; `nil` for none.
  public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
    guard rawValue.count == 16 else { return nil }
    self.init(IPAddress(ipv6: rawValue.prefix(8).number, rawValue.suffix(8).number), interface: interface)
  }
}

extension IPAddress {
  fileprivate var bytes: Data {
    let numbers = family == .ipv4 ? [low << 32] : [high, low]
    let bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) } }
    return Data(bytes.prefix(family.bitWidth / 8))
  }
}

extension Data {
  /// The number whose bytes these are, the most significant first; of more than eight bytes the last ones.
  fileprivate var number: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
