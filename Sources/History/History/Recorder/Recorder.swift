internal import Glibc
internal import PathFollowing
internal import PathModel
internal import SystemIO
internal import Systemd

/// Records the path of the service: a subscriber of its socket with the settle time 0.
///
/// The service merges what a slow reader has not received. So each writing, which waits for the disk, has a thread of
/// its own, and the loop goes on receiving.
final class Recorder {
  private let loop: EventLoop
  private let follower: PathFollower
  private let clockWatch: ClockChangeWatch
  private let recordsNetworkNames: Bool
  private let report: @Sendable (String) -> Void
  private let file: Guarded<HistoryFile>
  /// Wakes the loop at the end of a writing, whose success is in ``outcome``.
  private let ending: Wakeup
  private let outcome = Guarded<Bool?>(nil)
  /// The number of the last update in the stream of the service; `nil` before the first one of a stream.
  private var sequence: Int?
  private var timeline: HistoryTimeline
  private var schedule = RecordSchedule()
  private var timer: EventLoop.Timer?
  /// The present span when it was last noted.
  private var noted: Noted?
  /// The number of unwritten changes that readers can see.
  private var shownUnwritten = 0

  private struct Noted: Equatable {
    var number: Int64
    var state: HistoryState

    init(_ span: HistorySpan) { (number, state) = (span.number, span.state) }
  }

  /// Opens the history and begins to follow the path.
  init(
    loop: EventLoop, socket: String, file path: String, limits: HistoryLimits, recordsNetworkNames: Bool,
    report: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    (self.loop, self.report, self.recordsNetworkNames) = (loop, report, recordsNetworkNames)
    let clocks = HistoryClocks.read()
    var file = HistoryFile(path, limits: limits, report: report)
    timeline = HistoryTimeline(bootID: try Self.bootID(), at: clocks, after: file.open(now: clocks.wall)?.state.path)
    self.file = Guarded(file)
    ending = try Wakeup()
    clockWatch = try ClockChangeWatch()
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(
      loop: loop, policy: policy, settle: .zero, kernel: SharedEngine(loop: loop, policy: policy))
    timer = loop.makeTimer { [unowned self] in self.perform() }
    try loop.watch(clockWatch.number) { [unowned self] _ in self.clockChanged() }
    try loop.watch(ending.number) { [unowned self] _ in self.writingEnded() }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows the path until the loop stops, and writes the end.
  func run() throws(SystemError) {
    follower.start()
    try loop.run()
    follower.stop()
    loop.unwatch(clockWatch.number)
    loop.unwatch(ending.number)
    if let timer { loop.remove(timer) }
    end()
  }

  /// Writes all that is left, after the end of a writing that has begun. Readers have a second to end: the service
  /// manager waits for this process.
  private func end() {
    let clocks = HistoryClocks.read()
    let closed = timeline.advance(to: clocks) + timeline.observe(nil, clocks: clocks)
    schedule.add(closed, at: MonotonicInstant.now.microseconds)
    while schedule.isWriting, outcome.copy == nil { SystemThread.pause(for: .milliseconds(5)) }
    if outcome.copy == false { schedule.failed(at: 0) }
    for _ in 0..<Self.lastAttempts {
      let isWritten = file.withLock { [schedule] file in
        file.write(schedule.waiting, present: nil, lost: schedule.lost, now: clocks.wall)
      }
      if isWritten { return }
    }
    let count = schedule.waiting.count + schedule.lost
    if count > 0 { report("the history could not be written until the end. Changes that are lost: \(count).") }
  }

  /// Each takes 50 ms if a reader has locked the history.
  private static let lastAttempts = 20

  private static func bootID() throws(SystemError) -> String {
    let contents = try Files.read("/proc/sys/kernel/random/boot_id")
    return String(decoding: contents.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  private func observe(_ update: SourceUpdate) {
    switch update {
    case .path(let path):
      if let sequence, path.sequence > sequence + 1 { schedule.noteLoss(of: path.sequence - sequence - 1) }
      sequence = path.sequence
      guard path.knowledge == .known else {
        // The path was known until now, and its time is that of the last evaluation that succeeded.
        return note(timeline.observe(.unknown, sequence: path.sequence, clocks: .read()))
      }
      let state = HistoryState.path(RecordedPath(path, keepsNetworkNames: recordsNetworkNames))
      note(
        timeline.observe(
          state, sequence: path.sequence, at: Int64(path.boottimeMicroseconds), clocks: .read()))
    // Without the service nothing is known from the first moment on.
    case .interrupted, .lost:
      sequence = nil
      note(timeline.observe(nil, clocks: .read()))
    case .trouble: break
    }
  }

  private func clockChanged() {
    try? clockWatch.acknowledge()
    note(timeline.advance(to: .read()))
  }

  /// Has the present span written, if it is another than before.
  private func note(_ closed: [HistorySpan]) {
    let present = timeline.present.map { Noted($0) }
    if closed.isEmpty, present == noted { return }
    noted = present
    schedule.add(closed, at: MonotonicInstant.now.microseconds)
    perform()
  }

  private func perform() {
    let now = MonotonicInstant.now.microseconds
    switch schedule.step(at: now) {
    case .wait: break
    case .mark: mark(at: now)
    case .write: write(at: now)
    }
    showUnwritten()
    timer?.set(schedule.due.map { MonotonicInstant(nanoseconds: $0 * 1_000) })
  }

  private func showUnwritten() {
    guard schedule.unwritten != shownUnwritten, let file = UnwrittenChanges.file else { return }
    shownUnwritten = schedule.unwritten
    UnwrittenChanges.write(shownUnwritten, to: file)
  }

  /// Begins to write all that waits.
  private func write(at now: Int64) {
    let (closed, present, lost) = (schedule.waiting, timeline.settled(), schedule.lost)
    let wall = HistoryClocks.read().wall
    schedule.began()
    do throws(SystemError) {
      try SystemThread.start("history") { [file, outcome, ending] in
        let isWritten = file.withLock { $0.write(closed, present: present, lost: lost, now: wall) }
        outcome.withLock { $0 = isWritten }
        ending.signal()
      }
    } catch {
      schedule.failed(at: now)
    }
  }

  private func writingEnded() {
    ending.clear()
    guard let isWritten = outcome.withLock({ $0.take() }) else { return }
    let now = MonotonicInstant.now.microseconds
    if isWritten { schedule.written(at: now) } else { schedule.failed(at: now) }
    perform()
  }

  private func mark(at now: Int64) {
    let closed = timeline.advance(to: .read())
    if !closed.isEmpty { return note(closed) }
    guard let present = timeline.present else { return schedule.rested() }
    let isMarked = file.withLock { $0.mark(present) }
    if isMarked { schedule.marked(at: now) } else { schedule.failed(at: now) }
  }
}

extension MonotonicInstant {
  fileprivate var microseconds: Int64 { nanoseconds / 1_000 }
}

extension HistoryClocks {
  /// The clocks at this moment.
  ///
  /// They are read one after another. A reading during which the program was interrupted is repeated.
  static func read() -> HistoryClocks {
    var best = (length: Int64.max, clocks: HistoryClocks(boottime: 0, monotonic: 0, wall: .init(microseconds: 0)))
    for _ in 0..<8 {
      let boottime = Int64(boottimeMicroseconds())
      let monotonic = MonotonicInstant.now.microseconds
      let wall = HistoryInstant(microseconds: WallClock.microseconds())
      let length = Int64(boottimeMicroseconds()) - boottime
      if length < best.length {
        best = (length, HistoryClocks(boottime: boottime, monotonic: monotonic, wall: wall))
      }
      if length < 100 { break }
    }
    return best.clocks
  }
}
