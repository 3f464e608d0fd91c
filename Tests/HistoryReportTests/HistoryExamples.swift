import HistoryReport
import HistoryTestSupport
import PathModel

@testable import History

/// Central European Time in 2026: the clocks go forward on 29 March at 02:00, and back on 25 October at 03:00.
struct Berlin2026: TimeZoneRules {
  func offset(at second: Int64) -> TimeZoneOffset {
    let isSummer = (1_774_746_000..<1_792_890_000).contains(second)
    return TimeZoneOffset(seconds: isSummer ? 7_200 : 3_600, abbreviation: isSummer ? "CEST" : "CET")
  }
}

extension LocalCalendar {
  static let berlin = LocalCalendar(Berlin2026())
  static let utc = LocalCalendar(FixedOffset())

  /// The moment of a local time such as `2026-11-01 14:30`.
  func moment(_ text: String) throws -> HistoryInstant {
    try TimeWord(text).instant(.since, now: HistoryInstant(microseconds: 0), self)
  }
}

/// Spans one after another from a moment on.
struct SpanScript {
  var spans: [HistorySpan] = []
  private var now: HistoryInstant
  private var boottime: Int64 = 0
  private var isOffline = false

  init(from start: HistoryInstant) { now = start }

  /// Adds a state, or a time that was not watched.
  mutating func add(_ state: HistoryState?, _ seconds: Double, changed: [String] = ["status"]) {
    let duration = Int64(seconds * 1e6)
    defer { (now, boottime) = (now.advanced(by: duration), boottime + duration) }
    guard let state else {
      isOffline = false
      return
    }
    var span = HistorySpan(
      number: Int64(spans.count + 1), state: state, start: now, duration: duration, boottime: boottime, bootID: "6f8a")
    span.outages = state.outageReason != nil && !isOffline ? 1 : 0
    span.outageBefore = state.outageReason != nil && isOffline ? 1 : 0
    (span.changes, span.changed, span.sequence) = (1, changed, spans.count + 1)
    isOffline = state.outageReason != nil
    spans.append(span)
  }

  var end: HistoryInstant { now }
  var history: ListedHistory { ListedHistory(spans) }
}

extension HistoryState {
  /// A path over an interface.
  static func up(
    _ name: String, _ type: InterfaceType = .wiredEthernet, expensive: Bool = false, network: String? = nil,
    validation: PathValidation.State = .unknown
  ) -> HistoryState {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: name, index: 2, type: type, networkName: network)]
    (path.interfaceType, path.isExpensive) = (type, expensive)
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    path.validation.state = validation
    return .path(RecordedPath(path))
  }

  /// No path.
  static func down(_ reason: UnsatisfiedReason) -> HistoryState {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    return .path(RecordedPath(path))
  }
}

extension HistoryQuery {
  /// A question with changes to the usual one.
  static func with(_ change: (inout HistoryQuery) throws -> Void) rethrows -> HistoryQuery {
    var query = HistoryQuery()
    try change(&query)
    return query
  }
}

extension HistoryReport {
  /// The report of a whole script, read some seconds after its end, with a row for each day unless there is a timeline.
  static func of(
    _ script: SpanScript, _ query: HistoryQuery = HistoryQuery(), calendar: LocalCalendar = .utc, cells: Int = 24,
    after seconds: Int64 = 0, needsRecords: Bool = true, timeline: ((Range<HistoryInstant>) -> Timeline)? = nil
  ) throws -> HistoryReport? {
    var query = query
    if query.since == nil, let first = script.spans.first { query.since = .instant(first.start) }
    let now = script.end.advanced(by: seconds * HistoryInstant.second)
    return try read(query, from: script.history, now: now, calendar, needsRecords: needsRecords) {
      timeline?($0) ?? Timeline($0, row: .day, cells: cells, calendar)
    }
  }
}
