extension JSONValue {
  /// The deepest nesting that a caller can ask for, so that no text can exhaust the stack.
  package static let greatestDepth = 512

  /// Reads one JSON text (RFC 8259, strictly: UTF-8 without a byte order mark, no comments, no trailing commas).
  ///
  /// Numbers without fraction and exponent that fit `Int64` become ``integer(_:)``, `-0` becomes 0; others become
  /// ``number(_:)``, rounded to the nearest `Double`, and to zero when they are too small. The time is proportional to
  /// the size of the text.
  ///
  /// - Parameters:
  ///   - bytes: The whole text; white space may surround the value.
  ///   - maximumDepth: How many arrays and objects may be nested in each other: 0 allows none, 1 allows `[]` but not
  ///     `[[]]`. At most ``greatestDepth`` counts.
  /// - Throws: ``JSONError`` with the place of the first mistake.
  package init(parsing bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    var reader = JSONReader(maximumDepth: min(maximumDepth, Self.greatestDepth))
    self = try reader.text(bytes)
  }

  /// Reads one JSON text from an array of bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole text; white space may surround the value.
  ///   - maximumDepth: How many arrays and objects may be nested in each other; at most ``greatestDepth`` counts.
  /// - Throws: ``JSONError`` with the place of the first mistake.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}
