package import History
internal import PathModel

/// Makes a report of spans that are added in their order.
package struct ReportBuilder: Sendable {
  private var report: HistoryReport
  private let atLeast: Int64
  /// The part of the window that the spans are for.
  private let part: Range<HistoryInstant>
  /// The present outage, which ends when a span with another judgement follows, or a gap.
  private var outage: Outage?
  /// The times of the present outage, for the timeline.
  private var pieces: [(start: HistoryInstant, end: HistoryInstant, cause: OutageCause)] = []
  /// The span that was added last.
  private var last: HistorySpan?
  /// The interface that carried the traffic last, without a gap since.
  private var carrier: Carrier?
  private var causes: [OutageCause: HistoryReport.CauseSums] = [:]

  /// A builder of the answer to a question.
  ///
  /// - Parameter part: The part of the window that the spans are for; `nil` for all of it.
  package init(_ report: HistoryReport, part: Range<HistoryInstant>? = nil) {
    self.report = report
    self.part = part ?? report.window
    atLeast = Int64(report.query.atLeast / .microseconds(1))
  }

  /// Adds the next span, with its part in the window.
  package mutating func add(_ span: HistorySpan) {
    if let last, !span.follows(last) {
      finishOutage(by: .notWatched, nil)
      carrier = nil
    }
    last = span
    let (start, end) = (max(span.start, part.lowerBound), min(span.end, part.upperBound))
    let judgement = report.query.judgement(of: span.state)
    if judgement == .offline, let path = span.state.path {
      return addOutage(path, span, from: start, to: max(start, end))
    }
    switch judgement {
    case .connected, .offline: finishOutage(by: .connected, span.state.path)
    case .suspended: finishOutage(by: .suspended, nil)
    case .unknown: finishOutage(by: .unknown, nil)
    }
    report.add(judgement, nil, from: start, to: end)
    if judgement == .connected, let state = span.state.path?.path.validation.state, state.isFault {
      report.unvalidated?[state, default: 0] += start.microseconds(to: end)
    }
    carrier = judgement == .connected ? span.state.path.flatMap { Carrier($0) } : nil
  }

  private mutating func addOutage(
    _ path: RecordedPath, _ span: HistorySpan, from start: HistoryInstant, to end: HistoryInstant
  ) {
    let time = start.microseconds(to: end)
    let cause = OutageCause(path, report.query)
    let part = Outage.CausePart(cause: cause, duration: time, sentence: cause.sentence(of: path))
    pieces.append((start, end, cause))
    guard var current = outage else {
      outage = Outage(
        start: start, end: end, duration: time, beganBefore: span.start < start, causes: [part], lost: carrier)
      return
    }
    current.end = end
    current.duration += time
    if let known = current.causes.firstIndex(where: { $0.cause == cause }) {
      current.causes[known].duration += time
      current.causes[known].sentence = current.causes[known].sentence ?? part.sentence
    } else {
      current.causes.append(part)
    }
    outage = current
  }

  /// Ends the present outage, if there is one.
  private mutating func finishOutage(by ending: Outage.Ending, _ path: RecordedPath?) {
    guard var ended = outage else { return }
    outage = nil
    defer { pieces = [] }
    ended.ending = ending
    ended.cameBack = path.flatMap { Carrier($0) }
    let isCounted = ended.duration >= atLeast
    for piece in pieces { report.add(isCounted ? .offline : .connected, piece.cause, from: piece.start, to: piece.end) }
    guard isCounted else { return }
    report.countOutage(at: ended.start)
    report.outages.append(ended)
    report.longest = max(report.longest, ended.duration)
    for part in ended.causes {
      causes[part.cause, default: .init(cause: part.cause, outages: 0, duration: 0, longest: 0)].duration +=
        part.duration
    }
    addMainCause(ended)
  }

  private mutating func addMainCause(_ outage: Outage) {
    let cause = outage.cause
    guard var sums = causes[cause] else { return }
    sums.outages = (sums.outages ?? 0) + 1
    sums.longest = max(sums.longest ?? 0, outage.duration)
    causes[cause] = sums
  }

  /// The report.
  ///
  /// - Parameter spansAreComplete: Whether every span of the window was added.
  package mutating func finish(spansAreComplete: Bool = true) -> HistoryReport {
    finishOutage(by: .lasting, nil)
    report.causes = causes.values.sorted { ($0.duration, $1.cause.code) > ($1.duration, $0.cause.code) }
    if spansAreComplete { report.median = Self.median(report.outages.map(\.duration)) }
    if !spansAreComplete { report.unvalidated = nil }
    return report
  }

  /// The median: of an even number of lengths, the mean of the two in the middle.
  static func median(_ lengths: [Int64]) -> Int64? {
    guard !lengths.isEmpty else { return nil }
    let sorted = lengths.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
