internal import CLinux

/// One thread's loop: it waits for descriptors and timers, and calls their handlers.
///
/// The loop belongs to the thread that runs it and is not `Sendable`; ``Wakeup`` is the way in from other threads.
/// While nothing happens and no timer is set, the loop sleeps without end.
@safe package final class EventLoop {
  /// The readiness of a descriptor; the raw values are those of epoll_ctl(2).
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
    /// Not a readiness but a wish: one report for each change, also for one that leaves the readiness as it was.
    package static let eachChange = Readiness(rawValue: 0x8000_0000)
  }

  /// A moment at which the loop calls a handler, once. The caller of ``EventLoop/makeTimer(_:)`` owns it.
  package final class Timer {
    fileprivate(set) var due: MonotonicInstant?
    /// The ticket in the queue; `nil` also when the timer is due and waits for its turn in this round.
    fileprivate var ticket: PriorityQueue<MonotonicInstant, Timer>.Ticket?
    /// Weak, because the loop retains the timers that are set; `nil` also after the timer was removed.
    fileprivate weak var loop: EventLoop?
    fileprivate let handler: () -> Void

    /// Whether the handler is still to be called.
    package var isSet: Bool { due != nil }

    fileprivate init(_ loop: EventLoop, _ handler: @escaping () -> Void) {
      self.loop = loop
      self.handler = handler
    }

    /// Calls the handler at the moment; `nil` for never. The moment replaces an earlier one.
    ///
    /// Timers of the same moment fire in the order in which they were set. A timer that a timer's handler sets fires in
    /// the next round at the earliest.
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
    /// Distinguishes this watch from earlier ones of the same number. An event of an earlier watch may still be pending
    /// when its descriptor is closed, and must not reach this one.
    var generation: UInt32
    var handler: (Readiness) -> Void
  }

  private let epoll: OwnedDescriptor
  /// Indexed by descriptor: the kernel always assigns the lowest free number, so there are few gaps.
  private var watches: [Watch?] = []
  private var nextGeneration: UInt32 = 0
  private var timers = PriorityQueue<MonotonicInstant, Timer>()
  private var isStopping = false
  /// The work to do after all events and timers of a round.
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

  /// Calls the handler whenever the descriptor is ready, until ``unwatch(_:)``. The caller remains its owner.
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

  /// Changes the readiness for which a descriptor is watched.
  package func rewatch(_ descriptor: Int32, for readiness: Readiness) throws(SystemError) {
    try control(EPOLL_CTL_MOD, descriptor, watch(of: descriptor)?.generation ?? 0, readiness)
  }

  /// Stops watching the descriptor. Call it before closing the descriptor.
  package func unwatch(_ descriptor: Int32) {
    let slot = Int(descriptor)
    // The watch leaves the table before it is released: objects of its handler may end with it and unwatch their own
    // descriptors meanwhile.
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

  /// Unsets a timer for good.
  package func remove(_ timer: Timer) {
    // This also stops a timer that is due in this round and waits for its turn.
    timer.set(nil)
    timer.loop = nil
  }

  /// Sets the handler that is called at the end of a round after ``requestWork()``, and at the end of each following
  /// round while it returns `true`; `nil` for no handler.
  ///
  /// Between two calls, the loop handles all events and fires all timers that are due. Long work that can be divided
  /// belongs here.
  package func setWork(_ handler: (() -> Bool)?) {
    work = handler
    isWorkDue = false
  }

  /// Requests a call of the handler of ``setWork(_:)`` at the end of this round, or of the next one, which does not
  /// wait.
  package func requestWork() { isWorkDue = work != nil }

  private func set(_ timer: Timer, _ moment: MonotonicInstant?) {
    timer.due = moment
    switch (timer.ticket, moment) {
    case (nil, nil): break
    case (nil, let moment?): timer.ticket = timers.insert(timer, rank: moment)
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
    if let due = timers.lowestRank { moment = moment.map { min($0, due) } ?? due }
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
    guard timers.lowestRank != nil else { return }
    let now = MonotonicInstant.now
    var dueTimers: [Timer] = []
    // All due timers leave the queue before the first is called, so a timer that a handler sets waits for the next
    // round.
    while let timer = timers.popFirst(upTo: now) {
      timer.ticket = nil
      dueTimers.append(timer)
    }
    // Handlers may have unset or removed the others, or set them again.
    for timer in dueTimers where timer.due != nil && timer.ticket == nil {
      timer.due = nil
      timer.handler()
    }
  }

  /// Whole milliseconds until the moment, rounded up; -1 for no moment. The result is at most a day; the loop then
  /// wakes and waits again.
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
