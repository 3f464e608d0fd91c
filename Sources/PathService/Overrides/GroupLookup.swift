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
  private var waiting: [(UInt32?) -> Void] = []

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
  func withNumber(_ body: @escaping (UInt32?) -> Void) {
    if let known, known.at.duration(to: .now) < Self.lifetime { return body(known.number) }
    waiting.append(body)
    if waiting.count == 1 { begin() }
  }

  private func begin() {
    guard let wakeup else { return finish(nil) }
    do throws(SystemError) {
      try SystemThread.start("pm-group") { [answer, name, lookUp] in
        let number = lookUp(name)
        answer.withLock { $0 = .some(number) }
        wakeup.signal()
      }
    } catch {
      finish(nil)
    }
  }

  private func lookupEnded() {
    wakeup?.clear()
    guard let number = answer.withLock({ $0.take() }) else { return }
    known = (number, .now)
    finish(number)
  }

  private func finish(_ number: UInt32?) {
    let bodies = waiting
    waiting = []
    for body in bodies { body(number) }
  }
}
