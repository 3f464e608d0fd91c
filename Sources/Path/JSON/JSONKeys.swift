/// The keys of one kind of object, prepared for writing: quoted and escaped only once, and side by side in memory.
package struct JSONKeys: Sendable {
  /// Each key as it follows another member: a comma, the quoted name and the colon.
  let bytes: [UInt8]
  /// The position of each key in `bytes` and, last, the end of all.
  private let starts: [Int]

  /// Prepares the keys.
  package init(_ names: [String]) {
    var (bytes, starts): ([UInt8], [Int]) = ([], [0])
    for name in names {
      var writer = JSONWriter()
      writer.beginObject()
      writer.null()
      writer.key(name)
      bytes += writer.bytes.dropFirst("{null".utf8.count)
      starts.append(bytes.count)
    }
    (self.bytes, self.starts) = (bytes, starts)
  }

  /// The place of a key in ``bytes``.
  func place(of position: Int) -> Range<Int> { starts[position]..<starts[position + 1] }
}
