/// A part of a command line that its user fills in: the value of an option, or an operand.
package struct Placeholder: Sendable {
  /// The name in usage lines, such as `TIME`.
  package var name: String
  /// The texts that can stand there.
  package var completion: Completion { texts() }
  /// Most runs complete nothing, and do not make long lists of words.
  private let texts: @Sendable () -> Completion
  /// Whether it may be left out.
  package var isOptional: Bool

  /// A part with its name.
  package init(
    _ name: String, _ completion: @escaping @autoclosure @Sendable () -> Completion = .nothing,
    isOptional: Bool = false
  ) {
    (self.name, texts, self.isOptional) = (name, completion, isOptional)
  }

  /// The part as in a usage line: in brackets if it may be left out.
  package var usage: String { isOptional ? "[\(name)]" : name }

  /// The same part as an optional one.
  package var optional: Placeholder { Placeholder(name, texts(), isOptional: true) }
}

/// Parts that occur in the command lines of every program.
extension Placeholder {
  /// A time span.
  package static let time = Placeholder("TIME")
  /// An IP address.
  package static let address = Placeholder("ADDRESS")
  /// The path of a file or a socket.
  package static let path = Placeholder("PATH", .file)
  /// A requirement.
  package static let requirement = Placeholder("REQUIREMENT", .requirement)
  /// A file.
  package static let file = Placeholder("FILE", .file)
}
