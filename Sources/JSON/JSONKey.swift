/// A key that is written again and again. It is quoted and escaped only once, and includes its colon.
package struct JSONKey: Sendable {
  /// The name as it was given, for reading.
  package let spelling: String

  /// A comma, the quoted name and the colon.
  let bytesAfterComma: [UInt8]

  /// Prepares a key.
  package init(_ name: String) {
    spelling = name
    var writer = JSONWriter()
    writer.beginObject()
    writer.null()
    writer.key(name)
    bytesAfterComma = Array(writer.bytes.dropFirst(5))
  }
}
