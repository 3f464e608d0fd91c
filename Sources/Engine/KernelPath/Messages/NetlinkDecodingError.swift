/// A kernel message that does not match its type.
package struct NetlinkDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The structure that was decoded, such as `ifinfomsg`.
  package var structure: String
  /// The number of bytes that the structure needs.
  package var needed: Int
  /// The number of bytes that are available.
  package var available: Int
  /// The place of the structure in the datagram, in bytes.
  package var offset: Int

  /// `cannot decode ifinfomsg: needs 16 bytes, has 3 (at byte 16)`.
  package var description: String {
    "cannot decode \(structure): needs \(needed) bytes, has \(available) (at byte \(offset))"
  }
}
