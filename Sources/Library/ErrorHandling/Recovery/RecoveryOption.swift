/// A way on from an error: a title for the user, and an action.
public struct RecoveryOption: Identifiable, Sendable {
  /// The name by which a presenter returns the choice. It stays valid when options are added, unlike an index.
  public struct ID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public var name: String

    /// An identifier of that name.
    public init(_ name: String) {
      self.name = name
    }

    /// An identifier of that name.
    public init(stringLiteral name: String) {
      self.init(name)
    }

    /// The name.
    public var description: String { name }

    /// Runs the failed operation again.
    public static let tryAgain: Self = "try-again"
    /// Gives the operation up.
    public static let cancel: Self = "cancel"
    /// Ends the presentation of an error that offers nothing else.
    public static let close: Self = "close"
  }

  /// The meaning of an option for its appearance.
  public enum Role: String, Hashable, Sendable {
    /// An ordinary option.
    case standard
    /// Gives up: nothing is recovered.
    case cancel
    /// Destroys data of the user.
    case destructive
  }

  /// The identifier, unique within a presentation.
  public var id: ID
  /// The title for the user, as "Try Again".
  public var title: String
  /// The meaning of the option.
  public var role: Role
  /// The action. It returns when the cause of the error is out of the way, and throws when it failed; the scope then
  /// handles the new error.
  public var action: @Sendable () async throws -> Void

  /// An option as given.
  public init(
    id: ID, title: String, role: Role = .standard, action: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.id = id
    self.title = title
    self.role = role
    self.action = action
  }

  /// Runs the failed operation again.
  public static func tryAgain(
    title: String = "Try Again", action: @escaping @Sendable () async throws -> Void = {}
  ) -> Self {
    Self(id: .tryAgain, title: title, action: action)
  }

  /// An option of the program.
  public static func custom(
    id: ID, title: String, role: Role = .standard, action: @escaping @Sendable () async throws -> Void
  ) -> Self {
    Self(id: id, title: title, role: role, action: action)
  }

  /// Gives the operation up.
  public static var cancel: Self { cancel() }

  /// Gives the operation up, with a title of its own.
  public static func cancel(title: String = "Cancel") -> Self {
    Self(id: .cancel, title: title, role: .cancel)
  }

  /// Ends a presentation that offers nothing else.
  static let close = Self(id: .close, title: "Close", role: .cancel)
}

extension [RecoveryOption] {
  /// The options without those whose identifier an earlier one has.
  var withoutRepetitions: Self {
    var seen: Set<RecoveryOption.ID> = []
    return filter { seen.insert($0.id).inserted }
  }
}
