/// Folds the spans of a flapping link, so that many changes in a second need few records.
package enum HistoryFolding {
  /// The number of spans without a gap that are kept as they are.
  package static let unfolded = 4

  /// Folds spans that follow one another.
  ///
  /// Of more than ``unfolded`` paths in a row, the first stays as it is, and there is one span for each state of the
  /// others. Sums, counts and the longest outage stay as they were. Only the order within the folded time is lost.
  package static func folded(_ spans: [HistorySpan]) -> [HistorySpan] {
    var result: [HistorySpan] = []
    var run: [HistorySpan] = []
    for span in spans {
      if let last = run.last, last.end != span.start || last.bootID != span.bootID || span.state.isGap {
        result += foldedRun(run)
        run = []
      }
      if span.state.isGap { result.append(span) } else { run.append(span) }
    }
    return result + foldedRun(run)
  }

  private static func foldedRun(_ run: [HistorySpan]) -> [HistorySpan] {
    guard run.count > unfolded, let first = run.first else { return run }
    var groups: [HistorySpan] = []
    var positions: [HistoryState: Int] = [:]
    for span in run.dropFirst() {
      guard let position = positions[span.state] else {
        positions[span.state] = groups.count
        var group = span
        group.longestFolded = span.longestOutage
        groups.append(group)
        continue
      }
      groups[position].duration += span.duration
      groups[position].changes += span.changes
      groups[position].outages += span.outages
      groups[position].longestFolded = max(groups[position].longestFolded ?? 0, span.longestOutage)
      for name in span.changed where !groups[position].changed.contains(name) { groups[position].changed.append(name) }
    }
    // One after another, in the time of the run. The numbers ascend already.
    var (start, boottime) = (first.end, first.boottime.map { $0 + first.duration })
    for position in groups.indices {
      (groups[position].start, groups[position].boottime) = (start, boottime)
      start = start.advanced(by: groups[position].duration)
      boottime = boottime.map { $0 + groups[position].duration }
    }
    return [first] + groups
  }
}
