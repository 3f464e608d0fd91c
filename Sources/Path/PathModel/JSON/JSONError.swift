/// The reason why a text is not the expected JSON, and the place.
///
/// Printed, it reads `invalid JSON at byte 17: expected ':' after the object key, found '}'`.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake, for code that must distinguish mistakes.
  ///
  /// Codes may be added: compare with the constants, and treat every other one as "not JSON".
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name in Swift, such as `unexpectedByte`.
    package let description: String

    private init(_ name: String) {
      description = name
    }

    /// A byte stands where the grammar does not allow it.
    package static let unexpectedByte = Code("unexpectedByte")

    /// The text ends too early; more bytes might complete it.
    package static let unexpectedEnd = Code("unexpectedEnd")

    /// Something other than white space follows the value.
    package static let trailingBytes = Code("trailingBytes")

    /// A number is not written as JSON demands, such as `01`, `1.` or `+1`.
    package static let invalidNumber = Code("invalidNumber")

    /// A number is too large for a `Double`, such as `1e999`.
    package static let numberOutOfRange = Code("numberOutOfRange")

    /// A string holds bytes that are not UTF-8.
    package static let invalidUTF8 = Code("invalidUTF8")

    /// A backslash is followed by something that is not a JSON escape.
    package static let invalidEscape = Code("invalidEscape")

    /// A `\u` escape is one half of a surrogate pair without the other.
    package static let loneSurrogate = Code("loneSurrogate")

    /// A string holds a control character below U+0020 that is not escaped.
    package static let controlCharacter = Code("controlCharacter")

    /// Arrays and objects are nested deeper than the reader's limit.
    package static let tooDeep = Code("tooDeep")
  }

  /// The kind of mistake.
  package var code: Code

  /// The place where the mistake was noticed: bytes from the start of the text, the text's length when it ends too
  /// early.
  package var offset: Int

  /// The expected text and the text that was found, without a full stop.
  package var message: String

  /// An error found at a byte of the text.
  ///
  /// - Parameters:
  ///   - code: The kind of mistake.
  ///   - offset: Bytes from the start of the text.
  ///   - message: The expected text and the text that was found, without a full stop.
  package init(_ code: Code, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The place and the message in one line.
  package var description: String { "invalid JSON at byte \(offset): \(message)" }
}
