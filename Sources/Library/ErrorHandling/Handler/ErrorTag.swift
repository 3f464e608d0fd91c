/// A name for a group of errors, which one rule handles alike.
///
/// A constant keeps the two places that name a tag together:
///
/// ```swift
/// extension ErrorTag {
///   static let storage: Self = "storage"
/// }
/// ```
public struct ErrorTag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public var name: String

  /// A tag of that name.
  public init(_ name: String) {
    self.name = name
  }

  /// A tag of that name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
