internal import Glibc
package import PathModel

/// Decides when the command of `pathctl watch --exec` runs: one run at a time, always for the newest path.
package struct UpdateHook: Sendable {
  /// An action for the caller.
  package enum Action: Hashable, Sendable {
    /// Run the command for the path; `former` is the path for which it was run before, and `nil` for the first run.
    case run(NetworkPath, former: NetworkPath?)
    /// Send the signal to the command.
    case send(Int32)
    /// End with the exit status.
    case end(status: Int32)
  }

  private var isRunning = false
  private var next: NetworkPath?
  /// The path for which the command was run last.
  private var former: NetworkPath?
  private var endStatus: Int32?

  /// A hook that has not run yet.
  package init() {}

  /// Reacts to a new path. While the command runs, only the newest path waits.
  package mutating func handle(_ path: NetworkPath) -> [Action] {
    guard endStatus == nil else { return [] }
    guard isRunning else { return run(path) }
    var newest = path
    // The names of all fields that have changed since the command was run last. A field that has changed back is among
    // them: the command may have seen its other value.
    let earlier = next?.changed ?? []
    newest.changed = earlier + path.changed.filter { !earlier.contains($0) }
    next = newest
    return []
  }

  /// Reacts to the end of the command.
  package mutating func commandEnded() -> [Action] {
    isRunning = false
    if let endStatus { return [.end(status: endStatus)] }
    guard let path = next.take() else { return [] }
    return run(path)
  }

  private mutating func run(_ path: NetworkPath) -> [Action] {
    defer { former = path }
    isRunning = true
    return [.run(path, former: former)]
  }

  /// Reacts to a signal that ends this program.
  package mutating func handle(signal: Int32) -> [Action] {
    let forwarded: [Action] = isRunning ? [.send(signal), .send(SIGCONT)] : []
    return forwarded + end(ExitStatus.signal(signal))
  }

  /// Ends with the exit status; if the command runs, as soon as it has ended.
  package mutating func end(_ status: Int32) -> [Action] {
    endStatus = endStatus ?? status
    next = nil
    return isRunning ? [] : [.end(status: status)]
  }
}
