/// The living scopes from one to the outermost, and the way of an error through them.
struct ScopePath: Sendable {
  /// A scope that had not ended when the error came.
  struct Level: Sendable {
    let node: ScopeNode
    let contents: ScopeNode.Contents
    /// Whether its own rules are left out.
    let isHandling: Bool

    /// The current scope while code of this scope runs.
    var inner: ErrorScope { ErrorScope(node: node, isHandling: true) }

    /// Runs the rules of one of the two handlers, and returns whether an action stopped.
    func applyRules(of handler: ErrorHandler, to error: any Error) async -> Bool {
      if isHandling || handler.isEmpty { return false }
      return await inner.asCurrent { await handler.applyRules(to: error) }
    }

    /// Runs the actions for every error of one of the two handlers.
    func applyAlways(of handler: ErrorHandler, to error: any Error) async {
      if isHandling || handler.isEmpty { return }
      await inner.asCurrent { await handler.applyAlways(to: error) }
    }
  }

  /// The end of a presentation.
  private enum Shown {
    case recovered(RecoveryOption.ID)
    case dismissed
    case failed(any Error)
    case notShown
  }

  /// From the innermost to the outermost.
  private var levels: [Level] = []

  init(from scope: ErrorScope) {
    var next: ErrorScope? = scope
    while let scope = next {
      if let contents = scope.node.living {
        levels.append(Level(node: scope.node, contents: contents, isHandling: scope.isHandling))
      }
      next = scope.node.parent
    }
  }

  func handle(_ error: any Error, offering options: [RecoveryOption]) async -> HandlingResult {
    var error = error
    while true {
      if await isStopped(error.withoutOptions) { return .handled }
      let category = ErrorCategory(of: error)
      if category == .cancelled { return .handled }
      reportIfUnclassified(error)
      switch await present(error, offering: options) {
      case .recovered(let id): return .recovered(by: id)
      case .dismissed: return .handled
      case .failed(let new): error = new
      case .notShown:
        log(ErrorReport(kind: .unhandled, error: error.withoutOptions, category: category, scopes: names))
        return .notHandled
      }
    }
  }

  /// Both phases, and the actions for every error after them.
  private func isStopped(_ error: any Error) async -> Bool {
    let isStopped = await isStoppedByRule(error)
    for level in levels { await level.applyAlways(of: level.contents.handler, to: error) }
    for level in levels { await level.applyAlways(of: level.contents.capture, to: error) }
    return isStopped
  }

  private func isStoppedByRule(_ error: any Error) async -> Bool {
    for level in levels.reversed() where await level.applyRules(of: level.contents.capture, to: error) { return true }
    for level in levels where await level.applyRules(of: level.contents.handler, to: error) { return true }
    return false
  }

  private func present(_ error: any Error, offering options: [RecoveryOption]) async -> Shown {
    let found = levels.first { $0.contents.presenter != nil }
    guard let level = found, let presenter = level.contents.presenter, let desk = level.contents.desk,
      !Task.isCancelled
    else { return .notShown }
    let recovery = options + levels.flatMap { $0.contents.recovery?(error.withoutOptions) ?? [] }
    let presentation = ErrorPresentation(error, recovery: recovery)
    // An error of the presenter itself must not wait for its own presentation: it goes to the scope around.
    let outer = level.node.parent ?? .program
    let outcome = await outer.asCurrent { await desk.present(presentation, with: presenter) }
    guard case .choice(let id) = outcome else { return .notShown }
    guard let option = presentation.options.first(where: { $0.id == id }) else { return .dismissed }
    do {
      try await option.action()
      return option.role == .cancel ? .dismissed : .recovered(option.id)
    } catch {
      return .failed(error)
    }
  }

  private var names: [String] { levels.map(\.node.name) }

  private var log: ErrorLog { levels.last { $0.contents.log != nil }?.contents.log ?? .program }
}

extension ScopePath {
  /// In debug builds: reports the type of an error without a category, once for each log.
  private func reportIfUnclassified(_ error: any Error) {
    #if DEBUG
      let error = error.withoutOptions
      guard ErrorCategory.known(of: error) == nil else { return }
      let level = levels.last { $0.contents.log != nil }
      let reported = level?.contents.reportedTypes ?? Self.typesReportedToProgram
      guard reported.withLock({ $0.insert(ObjectIdentifier(type(of: error))).inserted }) else { return }
      log(ErrorReport(kind: .unclassified, error: error, category: .nonRetryable, scopes: names))
    #endif
  }

  private static let typesReportedToProgram = Locked<Set<ObjectIdentifier>>([])
}
