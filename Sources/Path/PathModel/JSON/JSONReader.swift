/// Reads values from a text by recursive descent: one function for each rule of the grammar in RFC 8259.
///
/// Every function starts at `position` and leaves it after the text that it read. The text is a parameter and not a
/// property because a `Span` may not outlive the call it was given to.
struct JSONReader {
  /// The position of the next byte to read.
  var position = 0

  private let maximumDepth: Int
  private var depth = 0

  init(maximumDepth: Int) {
    self.maximumDepth = maximumDepth
  }

  /// Reads the one value of a whole text.
  mutating func text(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    skipWhiteSpace(bytes)
    let result = try value(bytes)
    skipWhiteSpace(bytes)
    guard position == bytes.count else {
      throw mistake(.trailingBytes, "expected nothing after the value", bytes)
    }
    return result
  }

  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    guard let byte = peek(bytes) else { throw mistake(.unexpectedEnd, "expected a value", bytes) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "{"): return .object(try object(bytes))
    case UInt8(ascii: "["): return .array(try array(bytes))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    case UInt8(ascii: "t"):
      try literal("true", bytes)
      return .boolean(true)
    case UInt8(ascii: "f"):
      try literal("false", bytes)
      return .boolean(false)
    case UInt8(ascii: "n"):
      try literal("null", bytes)
      return .null
    default:
      throw mistake(.unexpectedByte, "expected a value", bytes)
    }
  }

  private mutating func object(_ bytes: Span<UInt8>) throws(JSONError) -> JSONObject {
    var result = JSONObject()
    var hasNext = try enter(until: UInt8(ascii: "}"), bytes)
    while hasNext {
      guard peek(bytes) == UInt8(ascii: "\"") else {
        throw mistake(.unexpectedByte, "expected '\"' to begin an object key", bytes)
      }
      let key = try string(bytes)
      skipWhiteSpace(bytes)
      guard consume(UInt8(ascii: ":"), bytes) else {
        throw mistake(.unexpectedByte, "expected ':' after the object key", bytes)
      }
      skipWhiteSpace(bytes)
      result.append(try value(bytes), forKey: key)
      hasNext = try advance(after: "member", until: UInt8(ascii: "}"), bytes)
    }
    return result
  }

  private mutating func array(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONValue] {
    var result: [JSONValue] = []
    var hasNext = try enter(until: UInt8(ascii: "]"), bytes)
    while hasNext {
      result.append(try value(bytes))
      hasNext = try advance(after: "element", until: UInt8(ascii: "]"), bytes)
    }
    return result
  }

  /// Passes the opening bracket and the white space behind it, and returns whether anything comes before the closing
  /// bracket, which is passed otherwise.
  private mutating func enter(until closing: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    guard depth < maximumDepth else {
      throw JSONError(
        .tooDeep, offset: position, message: "arrays and objects are nested more than \(max(maximumDepth, 0)) deep")
    }
    position += 1
    skipWhiteSpace(bytes)
    if consume(closing, bytes) { return false }
    depth += 1
    return true
  }

  /// Passes the comma behind a part with the white space around it, and returns `true`; at the closing bracket passes
  /// that, and returns `false`.
  private mutating func advance(
    after part: StaticString, until closing: UInt8, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Bool {
    skipWhiteSpace(bytes)
    if consume(UInt8(ascii: ","), bytes) {
      skipWhiteSpace(bytes)
      return true
    }
    guard consume(closing, bytes) else {
      throw mistake(.unexpectedByte, "expected ',' or '\(Unicode.Scalar(closing))' after the \(part)", bytes)
    }
    depth -= 1
    return false
  }

  private mutating func literal(_ name: String, _ bytes: Span<UInt8>) throws(JSONError) {
    for expected in name.utf8 where !consume(expected, bytes) {
      throw mistake(.unexpectedByte, "expected '\(name)'", bytes)
    }
  }
}

extension JSONReader {
  /// The next byte, or `nil` at the end of the text.
  func peek(_ bytes: Span<UInt8>) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// Consumes the next byte if it is this one.
  mutating func consume(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: return
      }
    }
  }

  /// An error at `position`, with the byte that stands there; at the end of the text its code is `unexpectedEnd`.
  func mistake(_ code: JSONError.Code, _ expectation: String, _ bytes: Span<UInt8>) -> JSONError {
    guard let byte = peek(bytes) else {
      return JSONError(.unexpectedEnd, offset: position, message: "\(expectation), found the end of the text")
    }
    return JSONError(code, offset: position, message: "\(expectation), found \(Self.name(of: byte))")
  }

  /// The name of a byte in an error message.
  static func name(of byte: UInt8) -> String {
    if (0x20...0x7E).contains(byte) { return "'\(Unicode.Scalar(byte))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x\(byte < 0x10 ? "0" : "")\(digits)"
  }
}
