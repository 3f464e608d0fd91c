/// A scope in the tree. It points to its parent; nothing points down.
///
/// The run of the scope's operation alone holds the contents. They end with it, outside of any lock, although a task
/// that outlives the scope still holds the node. A handling that has begun keeps them until it is over.
final class ScopeNode: Sendable {
  /// The code of the program that a scope holds while it is entered.
  final class Contents: Sendable {
    let capture: ErrorHandler
    let handler: ErrorHandler
    let presenter: (any ErrorPresenter)?
    let desk: PresentationDesk?
    let log: ErrorLog?
    let recovery: (@Sendable (any Error) -> [RecoveryOption])?
    /// The types without a category that were reported to the log; `nil` without a log.
    let reportedTypes: Locked<Set<ObjectIdentifier>>?

    init(
      capture: ErrorHandler, handler: ErrorHandler, presenter: (any ErrorPresenter)?, log: ErrorLog?,
      recovery: (@Sendable (any Error) -> [RecoveryOption])?
    ) {
      self.capture = capture
      self.handler = handler
      self.presenter = presenter
      desk = presenter.map { _ in PresentationDesk() }
      self.log = log
      self.recovery = recovery
      reportedTypes = log.map { _ in Locked([]) }
    }
  }

  let name: String
  /// The scope around this one, without its rules if an action of it has entered this one; `nil` for the outermost.
  let parent: ErrorScope?
  /// The handlers, the presenter and the log; `nil` once the scope has ended.
  weak let living: Contents?

  init(_ name: String, parent: ErrorScope?, contents: Contents?) {
    self.name = name
    self.parent = parent
    living = contents
  }

  /// The outermost scope of every tree. It has nothing of its own.
  static let program = ScopeNode("program", parent: nil, contents: nil)
}
