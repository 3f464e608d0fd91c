package import History
internal import PathModel

extension HistoryReport {
  /// The largest number of records that a picture is made of. With more of them, it is made of their sums.
  package static let mostRecords = 20_000
  /// The number of outages that a picture lists.
  package static let listed = 20

  /// The answer to a question; `nil` when nothing was recorded in the window.
  ///
  /// - Parameters:
  ///   - now: The moment of the question.
  ///   - timeline: Makes the layout of a window.
  ///   - needsRecords: Whether the answer lists all outages, so that sums are not enough.
  package static func read(
    _ query: HistoryQuery, from history: some HistoryReading, now: HistoryInstant, _ calendar: LocalCalendar,
    needsRecords: Bool, timeline: (Range<HistoryInstant>) -> Timeline
  ) throws(HistoryError) -> HistoryReport? {
    let asked = query.window(now: now, calendar)
    guard let extent = try history.extent() else { return nil }
    // While the recorder runs, the latest moment that it knows lies up to a minute back.
    let isFresh = extent.isOpen && extent.latest.microseconds(to: asked.upperBound) < 2 * 60 * HistoryInstant.second
    let start = max(asked.lowerBound, extent.firstTotals)
    let end = isFresh ? min(asked.upperBound, extent.latest) : asked.upperBound
    guard start < min(end, extent.latest) else { return nil }
    let window = start..<end
    var report = HistoryReport(query, now: now, window: window, askedWindow: asked, timeline: timeline(window))
    let isPlain = query.judged == nil && query.atLeast == .zero
    let records = max(window.lowerBound, min(extent.firstSpan, window.upperBound))
    if !needsRecords, isPlain, extent.likelySpans(in: window) > mostRecords {
      return try report.readTotals(history, from: records)
    }
    if records > window.lowerBound {
      report.recordsFrom = records
      if isPlain { try report.addTotals(history, before: records) }
    }
    let old = report
    let part = records..<window.upperBound
    var builder = ReportBuilder(report, part: part)
    try history.spans(in: part) { span in builder.add(span) }
    report = builder.finish(spansAreComplete: old.recordsFrom == nil)
    report.longest = max(report.longest, old.longest)
    report.mergeCauses(old.causes)
    // Of what was removed, nothing says whether it was as required.
    report.addRest(from: isPlain ? window.lowerBound : records)
    return report
  }

  /// The report made of totals, and of the records of the newest outages.
  private mutating func readTotals(
    _ history: some HistoryReading, from records: HistoryInstant
  ) throws(HistoryError) -> HistoryReport {
    if records > window.lowerBound { recordsFrom = records }
    try addTotals(history, before: window.upperBound)
    addRest(from: window.lowerBound)
    // The newest slots that have enough outages, and one more: the interface that was lost stands before the outage.
    var (first, count) = (timeline.slots.count, Int64(0))
    while first > 0, count < Int64(Self.listed) {
      first -= 1
      count += cells[timeline.slots[first].row][timeline.slots[first].cell].outages
    }
    let start = timeline.slots[max(0, first - 1)].start
    let part = max(start, records)..<window.upperBound
    let recent = HistoryReport(query, now: now, window: part, askedWindow: askedWindow, timeline: timeline)
    var builder = ReportBuilder(recent)
    try history.spans(in: part) { span in builder.add(span) }
    outages = Array(builder.finish().outages.suffix(Self.listed))
    unvalidated = nil
    return self
  }

  /// Adds the totals of the slots before a moment.
  private mutating func addTotals(_ history: some HistoryReading, before end: HistoryInstant) throws(HistoryError) {
    let windows = timeline.windows.prefix { $0.lowerBound < end }.map { $0.lowerBound..<min($0.upperBound, end) }
    var byReason: [UnsatisfiedReason: Int64] = [:]
    for (number, var totals) in try history.totals(of: windows).enumerated() {
      if query.isForProvider { totals.leaveOutOverrides() }
      add(totals, toSlot: number)
      longest = max(longest, totals.longestOutage)
      for (reason, time) in totals.unsatisfiedByReason { byReason[reason, default: 0] += time }
    }
    mergeCauses(byReason.map { .init(cause: OutageCause($0), outages: nil, duration: $1, longest: nil) })
  }

  /// Adds downtime of which only totals are left.
  private mutating func mergeCauses(_ others: [CauseSums]) {
    for other in others {
      if let known = causes.firstIndex(where: { $0.cause == other.cause }) {
        causes[known].duration += other.duration
        (causes[known].outages, causes[known].longest) = (nil, nil)
      } else {
        causes.append(other)
      }
    }
    causes.sort { ($0.duration, $1.cause.code) > ($1.duration, $0.cause.code) }
  }
}

extension HistoryExtent {
  /// The number of spans in a window, if they are spread evenly.
  fileprivate func likelySpans(in window: Range<HistoryInstant>) -> Int {
    let reach = firstSpan..<max(firstSpan, latest)
    guard !reach.isEmpty else { return spans }
    return Int(Double(spans) * Double(reach.clamped(to: window).microseconds) / Double(reach.microseconds))
  }
}
