package import PathHistory
internal import PathModel

/// Makes a report of spans that are added in their order.
package struct ReportBuilder: Sendable {
  private var report: HistoryReport
  private let requirement: PathRequirement?
  private let atLeast: Int64
  /// The present outage, which ends when a span with another judgement follows.
  private var outage: Outage?
  /// The times of the present outage, for the timeline.
  private var pieces: [(start: HistoryInstant, end: HistoryInstant)] = []
  /// The interface that carried the traffic last, without a gap since.
  private var carrier: Carrier?
  private var lengths: [Int64] = []
  private var causes: [OutageCause: HistoryReport.CauseSums] = [:]

  /// Whether the present outage is folded: it stands for all outages of a flapping link.
  private var isFolded = false
  /// The part of the window that the spans are for.
  private let part: Range<HistoryInstant>

  /// A builder of the answer to a question.
  ///
  /// - Parameter part: The part of the window that the spans are for; `nil` for all of it.
  package init(_ report: HistoryReport, part: Range<HistoryInstant>? = nil) {
    self.report = report
    self.part = part ?? report.window
    requirement = report.query.judged
    atLeast = Int64(report.query.atLeast / .microseconds(1))
  }

  /// The judgement on a state, and the cause of downtime.
  private func judge(_ state: HistoryState) -> (Judgement, OutageCause?) {
    switch state {
    case .suspended: return (.suspended, nil)
    case .notWatched: return (.notWatched, nil)
    case .unknown: return (.unknown, nil)
    case .path(let path):
      guard let requirement else {
        return path.reason.map { (.offline, OutageCause($0)) } ?? (.connected, nil)
      }
      switch requirement.verdict(on: path.path) {
      case .met: return (.connected, nil)
      case .unknown: return (.unknown, nil)
      case .notMet: return (.offline, path.reason.map { OutageCause($0) } ?? OutageCause(notAsRequired: path))
      }
    }
  }

  /// Adds the next span, with its part in the window.
  package mutating func add(_ span: HistorySpan) {
    let (judgement, cause) = judge(span.state)
    if judgement != .offline || isFolded || span.isFolded && span.outages > 0 {
      finishOutage(by: judgement, span.state.path)
    }
    let start = max(span.start, part.lowerBound)
    let end = min(span.end, part.upperBound)
    if let cause {
      addOutage(cause, span, from: start, to: max(start, end))
    } else {
      report.add(judgement, from: start, to: end)
      carrier = judgement == .connected ? span.state.path.flatMap { Carrier($0) } : nil
    }
  }

  private mutating func addOutage(
    _ cause: OutageCause, _ span: HistorySpan, from start: HistoryInstant, to end: HistoryInstant
  ) {
    let time = start.microseconds(to: end)
    let sentence = span.state.path.flatMap { $0.isSatisfied ? nil : $0.path.knownDiagnosis?.sentence.inOneLine }
    let part = Outage.CausePart(cause: cause, duration: time, sentence: sentence)
    pieces.append((start, end))
    guard var current = outage else {
      var new = Outage(
        start: start, end: end, duration: time, causes: [part], lost: carrier)
      new.beganBefore = span.start < start
      isFolded = span.isFolded
      if isFolded {
        new.count = max(1, Int64(span.outages))
        new.longest = min(time, span.longestOutage)
      }
      outage = new
      return
    }
    current.end = end
    current.duration += time
    if let known = current.causes.firstIndex(where: { $0.cause == cause }) {
      current.causes[known].duration += time
      current.causes[known].sentence = current.causes[known].sentence ?? sentence
    } else {
      current.causes.append(part)
    }
    outage = current
  }

  /// Ends the present outage, if there is one.
  private mutating func finishOutage(by next: Judgement?, _ path: RecordedPath?) {
    guard var ended = outage else { return }
    let wasFolded = isFolded
    (outage, isFolded) = (nil, false)
    defer { pieces = [] }
    switch next {
    case .connected:
      ended.ending = .connected
      ended.cameBack = path.flatMap { Carrier($0) }
    case .suspended: ended.ending = .suspended
    case .notWatched: ended.ending = .notWatched
    case .unknown: ended.ending = .unknown
    // Of a flapping link, each state is folded for itself: the path has come back in between.
    case .offline: ended.ending = .connected
    case nil: ended.ending = .lasting
    }
    if !wasFolded { ended.longest = ended.duration }
    let isCounted = ended.longest >= atLeast
    for piece in pieces { report.add(isCounted ? .offline : .connected, from: piece.start, to: piece.end) }
    guard isCounted else { return }
    report.count(ended.count, at: ended.start)
    report.outages.append(ended)
    report.longest = max(report.longest, ended.longest)
    if !wasFolded { lengths.append(ended.duration) }
    for part in ended.causes { addDowntime(part.cause, part.duration) }
    addMainCause(ended)
  }

  private mutating func addDowntime(_ cause: OutageCause, _ duration: Int64) {
    causes[cause, default: .init(cause: cause, outages: 0, duration: 0, longest: 0)].duration += duration
  }

  private mutating func addMainCause(_ outage: Outage) {
    let cause = outage.cause
    guard var sums = causes[cause] else { return }
    sums.outages = (sums.outages ?? 0) + outage.count
    sums.longest = max(sums.longest ?? 0, outage.longest)
    causes[cause] = sums
  }

  /// The report.
  ///
  /// - Parameter spansAreComplete: Whether every span of the window was added.
  package mutating func finish(spansAreComplete: Bool = true) -> HistoryReport {
    finishOutage(by: nil, nil)
    report.causes = causes.values.sorted { ($0.duration, $1.cause.code) > ($1.duration, $0.cause.code) }
    if spansAreComplete, report.outages.count == lengths.count { report.median = Self.median(lengths) }
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
