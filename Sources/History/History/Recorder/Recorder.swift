internal import Glibc
internal import PathFollowing
internal import PathModel
internal import SystemIO
internal import Systemd

/// Records the path of the service: a subscriber of its socket with the settle time 0.
final class Recorder {
  private let loop: EventLoop
  private let follower: PathFollower
  private let clockWatch: ClockChangeWatch
  private let recordsNetworkNames: Bool
  private let report: (String) -> Void
  private var file: HistoryFile
  private var timeline: HistoryTimeline
  private var schedule = RecordSchedule()
  private var timer: EventLoop.Timer?
  /// The present span when it was last noted.
  private var noted: Noted?

  private struct Noted: Equatable {
    var number: Int64
    var state: HistoryState

    init(_ span: HistorySpan) { (number, state) = (span.number, span.state) }
  }

  /// Opens the history and begins to follow the path.
  init(
    loop: EventLoop, socket: String, file path: String, limits: HistoryLimits, recordsNetworkNames: Bool,
    report: @escaping (String) -> Void
  ) throws(SystemError) {
    (self.loop, self.report, self.recordsNetworkNames) = (loop, report, recordsNetworkNames)
    let clocks = HistoryClocks.read()
    file = HistoryFile(path, limits: limits, report: report)
    timeline = HistoryTimeline(bootID: try Self.bootID(), at: clocks, after: file.open(now: clocks.wall)?.state.path)
    clockWatch = try ClockChangeWatch()
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(
      loop: loop, policy: policy, settle: .zero, kernel: SharedEngine(loop: loop, policy: policy))
    timer = loop.makeTimer { [unowned self] in self.perform() }
    try loop.watch(clockWatch.number) { [unowned self] _ in self.clockChanged() }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows the path until the loop stops, and writes the end.
  func run() throws(SystemError) {
    follower.start()
    try loop.run()
    follower.stop()
    loop.unwatch(clockWatch.number)
    if let timer { loop.remove(timer) }
    end()
  }

  /// Writes all that is left. Readers are waited for during a second, because a process that has been told to end
  /// should.
  private func end() {
    let clocks = HistoryClocks.read()
    let closed = timeline.advance(to: clocks) + timeline.observe(nil, clocks: clocks)
    schedule.add(closed, at: MonotonicInstant.now.microseconds)
    for _ in 0..<Self.lastAttempts
    where file.write(schedule.waiting, present: nil, lost: schedule.lost, now: clocks.wall) {
      return
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
      guard path.knowledge == .known else {
        // The path was known until now, and its time is that of the last evaluation that succeeded.
        return note(timeline.observe(.unknown, sequence: path.sequence, clocks: .read()))
      }
      let state = HistoryState.path(RecordedPath(path, keepsNetworkNames: recordsNetworkNames))
      note(
        timeline.observe(
          state, sequence: path.sequence, at: Int64(path.boottimeMicroseconds), clocks: .read()))
    // Without the service nothing is known from the first moment on.
    case .interrupted, .lost: note(timeline.observe(nil, clocks: .read()))
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
    case .write:
      let isWritten = file.write(
        schedule.waiting, present: timeline.settled(), lost: schedule.lost, now: HistoryClocks.read().wall)
      if isWritten { schedule.written(at: now) } else { schedule.failed(at: now) }
    }
    timer?.set(schedule.due.map { MonotonicInstant(nanoseconds: $0 * 1_000) })
  }

  private func mark(at now: Int64) {
    let closed = timeline.advance(to: .read())
    if !closed.isEmpty { return note(closed) }
    guard let present = timeline.present else { return schedule.rested() }
    if file.mark(present) { schedule.marked(at: now) } else { schedule.failed(at: now) }
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
