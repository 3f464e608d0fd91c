/// Appends JSON text to a byte buffer, in compact form.
///
/// The writer places commas, colons and quotation marks; the caller gives values in order. It never fails, and its one
/// buffer serves message after message with ``removeAll()``.
///
/// The calls for `{"mtu":1500}` are `beginObject()`, `key("mtu")`, `integer(1500)` and `endObject()`.
///
/// Well-formed nesting is the caller's duty: a key before every value in an object and none in an array, and as many
/// ends as begins. Unbalanced ends are caught in debug builds only.
package struct JSONWriter: Sendable {
  /// The text so far: UTF-8, complete JSON once every container has ended.
  package private(set) var bytes: [UInt8] = []

  /// Containers begun and not yet ended.
  private var depth = 0

  /// Whether the next key or element of the container needs a comma before it.
  private var needsComma = false

  /// A writer with an empty buffer.
  ///
  /// - Parameter capacity: Bytes to reserve, so that a text up to this size causes one allocation.
  package init(reservingCapacity capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Starts an object; ``key(_:)`` and a value follow for each member.
  package mutating func beginObject() {
    begin(UInt8(ascii: "{"))
  }

  /// Ends the object that was begun last.
  package mutating func endObject() {
    end(UInt8(ascii: "}"))
  }

  /// Starts an array; its elements follow.
  package mutating func beginArray() {
    begin(UInt8(ascii: "["))
  }

  /// Ends the array that was begun last.
  package mutating func endArray() {
    end(UInt8(ascii: "]"))
  }

  /// Writes the key of an object's next member; its value must follow.
  ///
  /// Keys are written as given: the writer does not notice when an object has the same key twice.
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key of ``quotedKey(_:)``.
  package mutating func key(quoted: [UInt8]) {
    separate()
    bytes += quoted
    needsComma = false
  }

  /// The bytes of a key and its colon, for a key that is written again and again.
  package static func quotedKey(_ name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.key(name)
    return writer.bytes
  }

  /// Writes members of an object that ``members(_:)`` has returned.
  package mutating func members(encoded: [UInt8]) {
    separate()
    bytes += encoded
    needsComma = true
  }

  /// The bytes of members, at least one, that are written again and again.
  package static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    return Array(writer.bytes.dropFirst())
  }

  /// Writes a string.
  ///
  /// Quotation marks, backslashes, control characters, line separators and marks of format, such as those of direction,
  /// are escaped. All other characters are written as UTF-8. A text is therefore one line, cannot garble a terminal,
  /// and reads back as the same value.
  package mutating func string(_ value: String) {
    separate()
    appendQuoted(value)
    valueWritten()
  }

  /// Writes an integer in decimal, exactly, whatever its size.
  ///
  /// Readers that keep numbers as `Double` lose digits above 2⁵³; ``JSONValue`` keeps all that fit `Int64`.
  package mutating func integer(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) {
      integer(negative: value < 0, magnitude: value.magnitude)
    } else if let value = UInt64(exactly: value) {
      integer(negative: false, magnitude: value)
    } else {
      literal(String(value))
    }
  }

  /// Writes an integer of the usual kind.
  package mutating func integer(_ value: Int) {
    integer(negative: value < 0, magnitude: UInt64(value.magnitude))
  }

  /// Writes `true` or `false`.
  package mutating func boolean(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  /// Writes `null`.
  package mutating func null() {
    literal("null")
  }

  /// Writes a floating-point number in the shortest form that reads back as the same value.
  ///
  /// JSON has no infinity and no NaN: they are written as `null`. Whole numbers keep a fraction (`2.0`) or an exponent
  /// (`1e+16`), so that they read back as numbers and not as integers.
  package mutating func number(_ value: Double) {
    literal(value.isFinite ? value.description : "null")
  }

  /// Appends one byte as it is, such as the newline or NUL that ends a message.
  ///
  /// Meant for the space between texts. Inside a container, the caller must keep the text valid JSON.
  package mutating func appendRaw(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Forgets everything written, including containers that were not ended, and keeps the memory for the next text.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    depth = 0
    needsComma = false
  }
}

extension JSONWriter {
  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    assert(depth > 0, "the writer has no open container to end")
    bytes.append(bracket)
    depth -= 1
    valueWritten()
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func valueWritten() {
    // At the top level, only the caller's raw bytes may follow a value.
    needsComma = depth > 0
  }

  mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    valueWritten()
  }

  mutating func integer(negative: Bool, magnitude: UInt64) {
    separate()
    let digits = Self.digitCount(magnitude)
    let length = digits + (negative ? 1 : 0)
    bytes.append(addingCapacity: length) { output in
      output.append(repeating: UInt8(ascii: "-"), count: length)
      var span = output.mutableSpan
      var rest = magnitude
      var position = length
      repeat {
        position -= 1
        span[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest != 0
    }
    valueWritten()
  }

  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var limit: UInt64 = 10
    while value >= limit {
      count += 1
      // 10^20 does not fit, and no value has more than 20 digits.
      if count == 20 { break }
      limit *= 10
    }
    return count
  }

  private mutating func appendQuoted(_ text: String) {
    if appendedWithoutEscapes(text.utf8) { return }
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        appendEscaped(UInt8(truncatingIfNeeded: scalar.value))
      } else if Self.isEscaped(scalar) {
        for unit in String(scalar).utf16 { appendHexadecimal(unit) }
      } else {
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a character beyond ASCII could garble a terminal or turn the order of letters around.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Appends a string of printable ASCII that needs no escapes and returns `true`, or appends nothing.
  private mutating func appendedWithoutEscapes(_ utf8: String.UTF8View) -> Bool {
    let (span, start) = (utf8.span, bytes.count)
    var isPlain = true
    bytes.append(addingCapacity: span.count + 2) { output in
      output.append(UInt8(ascii: "\""))
      for index in span.indices {
        let byte = span[index]
        if byte >= 0x7F || Self.isEscaped(byte) {
          isPlain = false
          return
        }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
    if !isPlain { bytes.removeSubrange(start...) }
    return isPlain
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard Self.isEscaped(byte) else {
      bytes.append(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): appendAfterBackslash(byte)
    case UInt8(ascii: "\n"): appendAfterBackslash(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): appendAfterBackslash(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): appendAfterBackslash(UInt8(ascii: "t"))
    case 0x08: appendAfterBackslash(UInt8(ascii: "b"))
    case 0x0C: appendAfterBackslash(UInt8(ascii: "f"))
    default: appendHexadecimal(UInt16(byte))
    }
  }

  private mutating func appendAfterBackslash(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  }

  private mutating func appendHexadecimal(_ unit: UInt16) {
    appendAfterBackslash(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(Self.hexadecimalDigit(UInt8(unit >> shift & 0x0F))) }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
