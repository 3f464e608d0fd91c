internal import CLinux

/// One thread's loop: waits for descriptors and timers, and calls their handlers.
///
/// It belongs to the thread that runs it and is not `Sendable`; ``Wakeup`` is the way in from elsewhere.
/// While nothing happens and no timer is set, it sleeps without end.
@safe package final class EventLoop {
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
    /// The other side sends no more, though it may still read.
    package static let readHungUp = Readiness(rawValue: 0x2000)
  }

  /// A moment at which the loop calls a handler, once. Owned by who made it.
  package final class Timer {
    fileprivate(set) var due: MonotonicInstant?
    /// Its place among those that wait; `nil` also when it is due and its turn comes in this round.
    fileprivate var ticket: TimerQueue<MonotonicInstant, Timer>.Ticket?
    /// Weak, for the loop holds the timers that are set; `nil` too when the timer was given back.
    fileprivate weak var loop: EventLoop?
    fileprivate let handler: () -> Void

    /// Whether the handler is still to be called.
    package var isSet: Bool { due != nil }

    fileprivate init(_ loop: EventLoop, _ handler: @escaping () -> Void) {
      self.loop = loop
      self.handler = handler
    }

    /// Calls the handler at the moment; `nil` for never. It replaces what was set before.
    ///
    /// Timers of the same moment go off in the order they were set. What a timer's handler sets goes off in the
    /// next round at the earliest.
    package func set(_ moment: MonotonicInstant?) {
      if moment == nil, ticket == nil {
        due = nil
      } else {
        loop?.set(self, moment)
      }
    }
  }

  /// A descriptor that is watched.
  private struct Watch {
    /// Tells this watch from earlier ones of the same number: an event that was fetched for one of them, and not
    /// yet handled when its descriptor was closed, must not reach this one.
    var generation: UInt32
    var handler: (Readiness) -> Void
  }

  private let epoll: OwnedDescriptor
  /// By the number of the descriptor: the kernel always gives out the lowest, so there are few gaps.
  private var watches: [Watch?] = []
  private var nextGeneration: UInt32 = 0
  private var timers = TimerQueue<MonotonicInstant, Timer>()
  private var isStopping = false
  /// What is left to do when all that has happened is handled.
  private var work: (() -> Bool)?
  private var isWorkDue = false
  private let events: UnsafeMutablePointer<clinux_event>
  private static let eventLimit = 256

  /// An empty loop.
  package init() throws(SystemError) {
    epoll = OwnedDescriptor(owning: try systemCall("create an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    unsafe events = .allocate(capacity: Self.eventLimit)
    unsafe events.initialize(repeating: clinux_event(), count: Self.eventLimit)
  }

  deinit {
    unsafe events.deallocate()
  }

  /// Calls the handler whenever the descriptor is ready, until ``unwatch(_:)``. The descriptor stays its owner's.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness = .readable, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) {
    nextGeneration &+= 1
    let watch = Watch(generation: nextGeneration, handler: handler)
    try control(EPOLL_CTL_ADD, descriptor, watch.generation, readiness)
    let slot = Int(descriptor)
    while watches.count <= slot { watches.append(nil) }
    _ = exchange(&watches[slot], with: watch)
  }

  /// Changes what a watched descriptor is watched for.
  package func rewatch(_ descriptor: Int32, for readiness: Readiness) throws(SystemError) {
    try control(EPOLL_CTL_MOD, descriptor, watch(of: descriptor)?.generation ?? 0, readiness)
  }

  /// Forgets the descriptor; to be called before it is closed.
  package func unwatch(_ descriptor: Int32) {
    let slot = Int(descriptor)
    // Taken out first and let go of afterwards: what its handler owns may end with it, and have its own watches
    // forgotten while it does.
    guard watches.indices.contains(slot), let watch = watches[slot].take() else { return }
    try? control(EPOLL_CTL_DEL, descriptor, watch.generation, [])
  }

  private func watch(of descriptor: Int32) -> Watch? {
    let slot = Int(descriptor)
    return watches.indices.contains(slot) ? watches[slot] : nil
  }

  /// A timer that is not set yet.
  package func makeTimer(_ handler: @escaping () -> Void) -> Timer {
    Timer(self, handler)
  }

  /// Gives a timer back.
  package func remove(_ timer: Timer) {
    // Also when it is due in this very moment, and its turn has not come yet.
    timer.set(nil)
    timer.loop = nil
  }

  /// Has the handler called at the end of a round after ``requestWork()``, and of each that follows for as long as it
  /// returns that there is more to do; `nil` to call nothing any more.
  ///
  /// Between two calls all that has happened is handled, and all timers that are due go off: what may take long in the
  /// whole and can be done in pieces belongs here.
  package func setWork(_ handler: (() -> Bool)?) {
    work = handler
    isWorkDue = false
  }

  /// Has the handler of ``setWork(_:)`` called at the end of this round, or of the next one, which does not wait.
  package func requestWork() { isWorkDue = work != nil }

  private func set(_ timer: Timer, _ moment: MonotonicInstant?) {
    timer.due = moment
    switch (timer.ticket, moment) {
    case (nil, nil): break
    case (nil, let moment?): timer.ticket = timers.insert(timer, at: moment)
    case (let ticket?, let moment?): timers.move(ticket, to: moment)
    case (let ticket?, nil):
      timers.remove(ticket)
      timer.ticket = nil
    }
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
    if let due = timers.earliest { moment = moment.map { min($0, due) } ?? due }
    let timeout = isWorkDue ? 0 : milliseconds(until: moment)
    let count = try systemCall("wait for events") {
      unsafe clinux_epoll_wait(epoll.number, events, Int32(Self.eventLimit), timeout)
    }
    for position in 0..<Int(count) {
      let event = unsafe events[position]
      guard let watch = watch(of: event.descriptor), watch.generation == event.generation else { continue }
      watch.handler(Readiness(rawValue: event.readiness))
    }
    fireTimers()
    if isWorkDue, let work {
      isWorkDue = false
      if work() { requestWork() }
    }
  }

  private func fireTimers() {
    guard timers.earliest != nil else { return }
    let now = MonotonicInstant.now
    var dueTimers: [Timer] = []
    // All that are due leave the queue before the first is called: what a handler sets waits for the next round.
    while let timer = timers.popFirst(notAfter: now) {
      timer.ticket = nil
      dueTimers.append(timer)
    }
    // What is handled may have unset or removed the others, or set them again.
    for timer in dueTimers where timer.due != nil && timer.ticket == nil {
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

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ generation: UInt32, _ readiness: Readiness
  ) throws(SystemError) {
    try systemCall("watch descriptor \(descriptor)") {
      clinux_epoll_control(epoll.number, operation, descriptor, generation, readiness.rawValue)
    }
  }
}
