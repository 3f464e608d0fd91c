internal import Glibc
package import PathModel

/// When the command of `pathctl watch --exec` is run, and with which path: one at a time, and always with the newest.
package struct UpdateHook: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Run the command for the path.
    case run(NetworkPath)
    /// Send the signal to the command.
    case send(Int32)
    /// End with the exit status.
    case end(status: Int32)
  }

  private var isRunning = false
  private var next: NetworkPath?
  private var endStatus: Int32?

  /// A hook that has not run yet.
  package init() {}

  /// There is a new path.
  package mutating func take(_ path: NetworkPath) -> [Action] {
    guard endStatus == nil else { return [] }
    guard isRunning else {
      isRunning = true
      return [.run(path)]
    }
    var newest = path
    // All that has changed since the command was run last, also what has changed back: it may have seen it.
    let earlier = next?.changed ?? []
    newest.changed = earlier + path.changed.filter { !earlier.contains($0) }
    next = newest
    return []
  }

  /// The command has ended.
  package mutating func commandEnded() -> [Action] {
    isRunning = false
    if let endStatus { return [.end(status: endStatus)] }
    guard let path = next.take() else { return [] }
    isRunning = true
    return [.run(path)]
  }

  /// We were sent a signal that ends us.
  package mutating func take(signal: Int32) -> [Action] {
    let forwarded: [Action] = isRunning ? [.send(signal), .send(SIGCONT)] : []
    return forwarded + end(ExitStatus.signal(signal))
  }

  /// There is nothing more to do than to wait for the command, if it runs.
  package mutating func end(_ status: Int32) -> [Action] {
    endStatus = endStatus ?? status
    next = nil
    return isRunning ? [] : [.end(status: status)]
  }
}
