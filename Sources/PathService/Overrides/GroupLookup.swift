internal import SystemIO

/// The number of a group, looked up on a thread of its own: where groups come from a server (nsswitch.conf(5)) it may
/// take minutes, and the loop must not wait.
///
/// An answer counts for some seconds. Those who ask meanwhile are answered at once, those who ask later when the next
/// answer is there. There is one lookup at a time, however many ask.
final class GroupLookup {
  /// How long an answer counts: an administrator who has just made the group does not wait long.
  private static let lifetime = Duration.seconds(5)

  private let loop: EventLoop
  private let name: String
  private let lookUp: @Sendable (String) -> UInt32?
  /// Where the thread leaves its answer.
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
    if let wakeup { try? loop.watch(wakeup.number) { [unowned self] _ in self.take() } }
  }

  /// Lets go of the loop. To be called before it is released.
  func stop() {
    if let wakeup { loop.unwatch(wakeup.number) }
    waiting = []
  }

  /// Calls the body with the number of the group, `nil` when there is none: at once, or when it has been looked up.
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

  private func take() {
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
