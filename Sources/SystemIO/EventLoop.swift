internal import CLinux

/// One thread's loop: waits for descriptors and timers, and calls their handlers.
///
/// It belongs to the thread that runs it and is not `Sendable`; ``Wakeup`` is the way in from elsewhere.
/// While nothing happens and no timer is set, it sleeps without end.
package final class EventLoop {
  /// What a descriptor is ready for; the raw values are those of epoll_ctl(2).
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or the end.
    package static let readable = Readiness(rawValue: 0x1)
    /// There is room to write.
    package static let writable = Readiness(rawValue: 0x4)
    /// An error is pending; always reported.
    package static let failed = Readiness(rawValue: 0x8)
    /// The other side is gone; always reported.
    package static let hungUp = Readiness(rawValue: 0x10)
  }

  /// A moment at which the loop calls a handler, once. Owned by who made it.
  package final class Timer {
    fileprivate(set) var due: MonotonicInstant?
    fileprivate let handler: () -> Void

    fileprivate init(_ handler: @escaping () -> Void) {
      self.handler = handler
    }

    fileprivate func isDue(at now: MonotonicInstant) -> Bool { due.map { $0 <= now } ?? false }

    /// Calls the handler at the moment; `nil` for never. It replaces what was set before.
    package func set(_ moment: MonotonicInstant?) { due = moment }
  }

  private let epoll: OwnedDescriptor
  private var handlers: [Int32: (Readiness) -> Void] = [:]
  private var timers: [Timer] = []
  private var isStopping = false
  private var events = [clinux_event](repeating: clinux_event(), count: 64)

  /// An empty loop.
  package init() throws(SystemError) {
    epoll = OwnedDescriptor(owning: try systemCall("create an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// Calls the handler whenever the descriptor is ready, until ``unwatch(_:)``. The descriptor stays its owner's.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness = .readable, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) {
    try control(EPOLL_CTL_ADD, descriptor, readiness)
    handlers[descriptor] = handler
  }

  /// Changes what a watched descriptor is watched for.
  package func rewatch(_ descriptor: Int32, for readiness: Readiness) throws(SystemError) {
    try control(EPOLL_CTL_MOD, descriptor, readiness)
  }

  /// Forgets the descriptor; to be called before it is closed.
  package func unwatch(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    try? control(EPOLL_CTL_DEL, descriptor, [])
  }

  /// A timer that is not set yet.
  package func makeTimer(_ handler: @escaping () -> Void) -> Timer {
    let timer = Timer(handler)
    timers.append(timer)
    return timer
  }

  /// Gives a timer back.
  package func remove(_ timer: Timer) {
    // Also when it is due in this very moment, and its turn has not come yet.
    timer.due = nil
    timers.removeAll { $0 === timer }
  }

  /// Runs until ``stop()``.
  package func run() throws(SystemError) {
    isStopping = false
    while !isStopping { try runOnce() }
  }

  /// Ends ``run()`` after the handlers that are due now.
  package func stop() { isStopping = true }

  /// Waits for the next event or timer, or until the deadline, and calls the handlers that are due.
  package func runOnce(until deadline: MonotonicInstant? = nil) throws(SystemError) {
    var moment = deadline
    for timer in timers {
      if let due = timer.due { moment = moment.map { min($0, due) } ?? due }
    }
    let timeout = milliseconds(until: moment)
    let count = try systemCall("wait for events") {
      unsafe clinux_epoll_wait(epoll.number, &events, Int32(events.count), timeout)
    }
    for position in 0..<Int(count) {
      let event = events[position]
      handlers[event.descriptor]?(Readiness(rawValue: event.readiness))
    }
    fireTimers()
  }

  private func fireTimers() {
    guard timers.contains(where: { $0.due != nil }) else { return }
    let now = MonotonicInstant.now
    let dueTimers = timers.filter { $0.isDue(at: now) }.sorted { left, right in
      (left.due ?? now) < (right.due ?? now)
    }
    // What is handled may set or remove the others.
    for timer in dueTimers where timer.isDue(at: now) {
      timer.due = nil
      timer.handler()
    }
  }

  /// Whole milliseconds until the moment, rounded up; -1 for no moment. Longer than a day is cut: the loop
  /// then just looks again.
  private func milliseconds(until moment: MonotonicInstant?) -> Int32 {
    guard let moment else { return -1 }
    let nanoseconds = max(0, moment.nanoseconds - MonotonicInstant.now.nanoseconds)
    return Int32(min((nanoseconds + 999_999) / 1_000_000, 86_400_000))
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness) throws(SystemError) {
    try systemCall("watch descriptor \(descriptor)") {
      clinux_epoll_control(epoll.number, operation, descriptor, readiness.rawValue)
    }
  }
}
