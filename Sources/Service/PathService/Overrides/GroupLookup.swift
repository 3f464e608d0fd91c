internal import SystemIO

/// The number of a group, looked up on a thread of its own: a lookup on a server (nsswitch.conf(5)) may take minutes,
/// and the loop must not wait.
///
/// An answer is cached for some seconds. One lookup runs at a time, and all callers that wait share its answer.
final class GroupLookup {
  /// The lifetime of an answer, short because an administrator may just have made the group.
  private static let lifetime = Duration.seconds(5)

  private let loop: EventLoop
  private let name: String
  private let lookUp: @Sendable (String) -> UInt32?
  /// The answer of the thread, for the loop.
  private let answer = Guarded<UInt32??>(nil)
  private let wakeup: Wakeup?
  private var known: (number: UInt32?, at: MonotonicInstant)?
  /// Whether the thread runs.
  private var isRunning = false
  private var waiting: [(number: Int, body: (UInt32?) -> Void)] = []
  private var callers = 0

  /// A lookup that has not begun.
  ///
  /// - Parameter lookUp: Returns the number of the group; `nil` when there is none. Called on another thread.
  init(loop: EventLoop, name: String, lookUp: @escaping @Sendable (String) -> UInt32? = UserDatabase.group(named:)) {
    self.loop = loop
    self.name = name
    self.lookUp = lookUp
    wakeup = try? Wakeup()
    if let wakeup { try? loop.watch(wakeup.number) { [unowned self] _ in self.lookupEnded() } }
  }

  /// Stops watching the loop. Call it before releasing the lookup.
  func stop() {
    if let wakeup { loop.unwatch(wakeup.number) }
    waiting = []
  }

  /// Calls the body with the number of the group, `nil` when there is none: at once, or after a lookup.
  ///
  /// - Returns: The caller's number for ``cancel(_:)`` while it waits; `nil` when the body has been called.
  @discardableResult
  func withNumber(_ body: @escaping (UInt32?) -> Void) -> Int? {
    if let known, known.at.duration(to: .now) < Self.lifetime {
      body(known.number)
      return nil
    }
    guard isRunning || begin() else {
      body(nil)
      return nil
    }
    callers += 1
    waiting.append((callers, body))
    return callers
  }

  /// Releases the body of a caller that no longer waits. The lookup continues for the next caller.
  func cancel(_ caller: Int) {
    waiting.removeAll { $0.number == caller }
  }

  /// Starts the thread. Returns whether it runs.
  private func begin() -> Bool {
    guard let wakeup else { return false }
    do throws(SystemError) {
      try SystemThread.start("pm-group") { [answer, name, lookUp] in
        let number = lookUp(name)
        answer.withLock { $0 = .some(number) }
        wakeup.signal()
      }
      isRunning = true
    } catch {
      return false
    }
    return true
  }

  private func lookupEnded() {
    wakeup?.clear()
    guard let number = answer.withLock({ $0.take() }) else { return }
    isRunning = false
    known = (number, .now)
    let callers = waiting
    waiting = []
    for caller in callers { caller.body(number) }
  }
}
