internal import PathModel

/// One attribute of a message (`struct nlattr`).
package struct NetlinkAttribute: ~Escapable {
  /// The type without the flags `NLA_F_NESTED` and `NLA_F_NET_BYTEORDER`.
  package let type: UInt16
  /// The bytes of the value.
  let value: NetlinkBytes

  static let headerLength = 4

  /// The first attribute of these bytes.
  @_lifetime(copy bytes)
  fileprivate init(_ bytes: NetlinkBytes, length: Int) {
    type = bytes.uint16(at: 2) & 0x3fff
    value = bytes.extracting(Self.headerLength..<length)
  }

  /// The value as an integer of 4 bytes.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the value is shorter.
  func uint32(_ name: String) throws(NetlinkDecodingError) -> UInt32 {
    try value.require(4, name)
    return value.uint32(at: 0)
  }

  /// The value as a signed integer of 4 bytes, such as the index of an interface.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the value is shorter.
  func int32(_ name: String) throws(NetlinkDecodingError) -> Int32 { Int32(bitPattern: try uint32(name)) }

  /// The first byte of the value.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the value is empty.
  func uint8(_ name: String) throws(NetlinkDecodingError) -> UInt8 {
    try value.require(1, name)
    return value[0]
  }

  /// The value as an address.
  ///
  /// - Throws: ``NetlinkDecodingError`` when it has neither 4 nor 16 bytes.
  func address(_ name: String) throws(NetlinkDecodingError) -> IPAddress {
    guard let address = value.address else {
      throw NetlinkDecodingError(structure: name, needed: 4, available: value.count, offset: value.place)
    }
    return address
  }

  /// The attributes in the value.
  @_lifetime(copy self)
  func attributes(of structure: String) -> NetlinkAttributes { NetlinkAttributes(value, of: structure) }
}

/// Attributes, one after the other. The caller skips unknown types.
package struct NetlinkAttributes: ~Escapable {
  private var rest: NetlinkBytes
  private let structure: String

  /// The attributes in these bytes.
  ///
  /// - Parameter structure: The structure that they belong to, for an error.
  @_lifetime(copy bytes)
  init(_ bytes: NetlinkBytes, of structure: String) {
    rest = bytes
    self.structure = structure
  }

  /// The next attribute; `nil` at the end.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the attribute overruns the bytes.
  @_lifetime(copy self)
  mutating func next() throws(NetlinkDecodingError) -> NetlinkAttribute? {
    if rest.count < NetlinkAttribute.headerLength { return nil }
    let length = Int(rest.uint16(at: 0))
    guard length >= NetlinkAttribute.headerLength, length <= rest.count else {
      throw NetlinkDecodingError(
        structure: "attribute of \(structure)", needed: max(length, NetlinkAttribute.headerLength),
        available: rest.count, offset: rest.place)
    }
    let attribute = NetlinkAttribute(rest, length: length)
    rest = rest.dropping(aligned: length)
    return attribute
  }
}
