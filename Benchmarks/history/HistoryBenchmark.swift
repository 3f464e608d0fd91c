internal import Glibc
internal import History
internal import PathConfiguration
internal import PathModel
internal import SystemIO

/// `history-benchmark COUNT FILE` writes so many outages into a new history, through the timeline and the writer of the
/// recorder, over 400 days. It compares the sums in the file with its own, and times the questions of a report.
@main
enum HistoryBenchmark {
  private static let days: Int64 = 400
  private static let limits = HistoryLimits(
    bytes: HistoryConfiguration().maximumSize, spans: HistoryInstant.day * HistoryConfiguration().keptChanges,
    hours: HistoryInstant.day * HistoryConfiguration().keptHours)

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int64(arguments[1]), count > 0, !Files.isThere(arguments[2]) else {
      print("usage: history-benchmark COUNT FILE, where FILE does not exist")
      exit(64)
    }
    let sums = try write(count, to: arguments[2])
    try check(sums, in: arguments[2])
  }

  private static func state(_ reason: UnsatisfiedReason?) -> HistoryState {
    var path = NetworkPath(status: reason == nil ? .satisfied : .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    if reason == nil { path.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)] }
    return .path(RecordedPath(path))
  }

  /// Writes the outages. A thousand of them share a transaction, and none waits for the disk.
  private static func write(_ count: Int64, to file: String) throws -> PathTotals {
    let began = MonotonicInstant.now
    let connected = state(nil)
    let causes = [UnsatisfiedReason.noCarrier, .noAddress, .noRoute].map { state($0) }
    let writer = try HistoryWriter(file, limits: limits, isDurable: false)
    let start = HistoryInstant(microseconds: WallClock.microseconds()).startOfDay.advanced(
      by: -days * HistoryInstant.day)
    let half = days * HistoryInstant.day / count / 2
    var clocks = HistoryClocks(boottime: 0, monotonic: 0, wall: start)
    func pass(_ time: Int64) {
      (clocks.boottime, clocks.monotonic) = (clocks.boottime + time, clocks.monotonic + time)
      clocks.wall = clocks.wall.advanced(by: time)
    }
    var timeline = HistoryTimeline(bootID: "generated", at: clocks)
    var sums = PathTotals()
    var waiting: [HistorySpan] = []
    for number in 0..<count {
      // A length that is another each time, and in the mean a half.
      let length = half / 2 + (number &* 7_919) % half
      waiting += timeline.observe(connected, clocks: clocks)
      pass(2 * half - length)
      waiting += timeline.observe(causes[Int(number % 3)], clocks: clocks)
      pass(length)
      sums.satisfied += 2 * half - length
      sums.unsatisfiedByReason[[UnsatisfiedReason.noCarrier, .noAddress, .noRoute][Int(number % 3)], default: 0] +=
        length
      sums.longestOutage = max(sums.longestOutage, length)
      if waiting.count >= 2_000 {
        try writer.write(waiting, present: timeline.present)
        waiting = []
      }
    }
    waiting += timeline.observe(connected, clocks: clocks)
    try writer.write(waiting, present: timeline.present)
    (sums.outages, sums.changes) = (count, 2 * count)
    let milliseconds = (MonotonicInstant.now.nanoseconds - began.nanoseconds) / 1_000_000
    print("written \(count) outages in \(milliseconds) ms")
    return sums
  }

  private static func check(_ sums: PathTotals, in file: String) throws {
    let found = try StoredHistory(reading: file).lifetimeTotals()
    print("totals \(found == sums ? "equal" : "differ: \(found), not \(sums)")")
    let size = try StoredHistory(reading: file).extent()?.bytes ?? 0
    print("size \(size) bytes of \(limits.bytes)")
    let now = HistoryInstant(microseconds: WallClock.microseconds()).startOfDay
    let began = MonotonicInstant.now
    let history = try StoredHistory(reading: file)
    let rows = (0..<days).map { day in
      now.advanced(by: -(day + 1) * HistoryInstant.day)..<now.advanced(by: -day * HistoryInstant.day)
    }
    var sum = PathTotals()
    for totals in try history.totals(of: rows) { sum.add(totals) }
    let middle = MonotonicInstant.now
    var outages = 0
    try history.spans(in: now.advanced(by: -days * HistoryInstant.day)..<now.advanced(by: HistoryInstant.day)) {
      if $0.isOutage { outages += 1 }
    }
    let end = MonotonicInstant.now
    let times = [(began, middle), (middle, end)].map { ($1.nanoseconds - $0.nanoseconds) / 1_000 }
    print("days \(sum.outages) outages in \(times[0]) us")
    print("spans \(outages) outages in \(times[1]) us")
  }
}
