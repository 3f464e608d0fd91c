/// An error as a user sees it: a text, and at least one way on.
///
/// There is an option beside giving up, or the message has a suggestion. A bare "OK" is not possible.
public struct ErrorPresentation: Sendable {
  /// The error itself, without attached options.
  public let error: any Error
  /// The category of the error.
  public let category: ErrorCategory
  /// The text for the user.
  public let message: ErrorMessage
  /// The options, no two with the same identifier; the last one gives up.
  public let options: [RecoveryOption]

  /// The presentation of an error.
  ///
  /// - Parameters:
  ///   - error: The error, with or without options attached.
  ///   - recovery: Options besides those of the error; they come after them.
  public init(_ error: any Error, recovery: [RecoveryOption] = []) {
    self.error = error.withoutOptions
    category = ErrorCategory(of: error)
    let offered = (error.ownRecovery + recovery).withoutRepetitions
    var ways = offered.filter { $0.role != .cancel }
    ways.append(offered.first { $0.role == .cancel } ?? (ways.isEmpty ? .close : .cancel))
    options = ways
    var message = ErrorMessage(of: error)
    if ways.count == 1, message.suggestion == nil {
      message.suggestion = ErrorMessage(for: category).suggestion ?? ErrorMessage.lastResort
    }
    self.message = message
  }

  /// The errors from the outermost in, for a log and not for users; each is one line.
  public var causes: [String] {
    ErrorCauses(of: error).map { String(describing: $0).inOneLine }
  }
}

extension ErrorPresentation: CustomStringConvertible {
  /// The text and the titles of the options in one line, without control characters: safe for a terminal or a log.
  public var description: String {
    "\(message) [\(options.map(\.title).joined(separator: "] ["))]".inOneLine
  }
}

extension ErrorPresentation: Encodable {
  private enum Key: String, CodingKey {
    case category
    case causes
    case message
    case options
    case id
    case title
    case role
  }

  /// Encodes `category`, `message`, `options` with `id`, `title` and `role`, and `causes`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(category.name, forKey: .category)
    try object.encode(message, forKey: .message)
    try object.encode(causes, forKey: .causes)
    var list = object.nestedUnkeyedContainer(forKey: .options)
    for option in options {
      var entry = list.nestedContainer(keyedBy: Key.self)
      try entry.encode(option.id.name, forKey: .id)
      try entry.encode(option.title, forKey: .title)
      try entry.encode(option.role.rawValue, forKey: .role)
    }
  }
}
