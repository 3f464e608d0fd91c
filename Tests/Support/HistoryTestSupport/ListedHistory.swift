package import PathModel

@testable package import History

/// The spans that a file has in a window of the wall clock, or all of them.
package func storedSpans(
  _ file: String,
  in window: Range<HistoryInstant> = HistoryInstant(
    microseconds: 0)..<HistoryInstant(microseconds: 4_000_000_000 * second)
) throws -> [HistorySpan] {
  var spans: [HistorySpan] = []
  try StoredHistory(reading: file).spans(in: window) { spans.append($0) }
  return spans
}

/// A history of spans in memory. The last one is the present one.
package struct ListedHistory: HistoryReading, Sendable {
  /// The spans in their order.
  package var spans: [HistorySpan]

  /// A history of the spans.
  package init(_ spans: [HistorySpan] = []) {
    self.spans = spans
  }

  package func extent() -> HistoryExtent? {
    guard let first = spans.map(\.start).min(), let last = spans.last else { return nil }
    return HistoryExtent(firstSpan: first, firstTotals: first, latest: last.end, isOpen: true, spans: spans.count)
  }

  package func spans(in window: Range<HistoryInstant>, _ body: (HistorySpan) -> Void) {
    for span in spans where span.touches(window) { body(span) }
  }

  package func totals(of windows: [Range<HistoryInstant>]) -> [PathTotals] {
    windows.map { window in
      var totals = PathTotals()
      for span in spans where span.start < window.upperBound.advanced(by: span.outageBefore) {
        if span.end >= window.lowerBound { totals.add(span, in: window) }
      }
      return totals
    }
  }

  package func lifetimeTotals() -> PathTotals {
    var totals = PathTotals()
    for span in spans { totals.add(span) }
    return totals
  }
}
