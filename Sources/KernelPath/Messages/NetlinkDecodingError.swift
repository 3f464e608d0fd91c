/// A message of the kernel that is not what its type says.
package struct NetlinkDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being decoded, such as `ifinfomsg`.
  package var structure: String
  /// How many bytes it takes.
  package var needed: Int
  /// How many there are.
  package var available: Int
  /// Where it starts in the datagram, in bytes.
  package var offset: Int

  /// `cannot decode ifinfomsg: needs 16 bytes, has 3 (at byte 16)`.
  package var description: String {
    "cannot decode \(structure): needs \(needed) bytes, has \(available) (at byte \(offset))"
  }
}
