extension NetworkInterface {
  /// An address of an interface with the length of its prefix, such as `192.0.2.2/24`.
  public struct Address: Hashable, Sendable {
    /// The address itself.
    public var address: IPAddress
    /// The number of leading bits that the interface's network has in common.
    public var prefixLength: Int

    /// An address as given. The length is not checked.
    public init(_ address: IPAddress, prefixLength: Int) {
      self.address = address
      self.prefixLength = prefixLength
    }

    /// Whether another address lies in the prefix, and so on the link of the interface.
    public func contains(_ other: IPAddress) -> Bool {
      address.matches(other, prefixLength: prefixLength)
    }
  }
}

extension NetworkInterface.Address: LosslessStringConvertible {
  /// Parses an address, a slash and the length of the prefix in bits; `nil` for anything else, also without a length.
  public init?(_ text: String) {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), let address = IPAddress(String(text[..<slash]))
    else { return nil }
    let digits = text[text.utf8.index(after: slash)...]
    // UInt8 would read a sign, too.
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let length = UInt8(digits), length <= address.family.bitWidth
    else { return nil }
    self.init(address, prefixLength: Int(length))
  }

  /// The address, a slash and the length of the prefix.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(IPAddress.longestText + "/128".utf8.count)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text.
  package func append(to bytes: inout [UInt8]) {
    address.append(to: &bytes)
    bytes.append(UInt8(ascii: "/"))
    if prefixLength < 0 { bytes.append(UInt8(ascii: "-")) }
    IPAddress.append(UInt64(prefixLength.magnitude), radix: 10, to: &bytes)
  }
}
