package import PathHistory

/// A history of spans in memory.
package struct ListedHistory: HistoryReading, Sendable {
  /// The spans in their order.
  package var spans: [HistorySpan]

  /// A history of the spans.
  package init(_ spans: [HistorySpan] = []) {
    self.spans = spans
  }

  package func extent() -> HistoryExtent? {
    guard let first = spans.map(\.start).min(), let last = spans.last else { return nil }
    return HistoryExtent(firstSpan: first, firstTotals: first, latest: last.end, spans: spans.count)
  }

  package func spans(in window: Range<HistoryInstant>, _ body: (HistorySpan) -> Bool) {
    for span in spans where span.touches(window) {
      if !body(span) { return }
    }
  }

  package func totals(of windows: [Range<HistoryInstant>]) -> [HistoryTotals] {
    windows.map { window in
      var totals = HistoryTotals()
      for span in spans { totals.add(span, in: window) }
      return totals
    }
  }

  package func lifetimeTotals() -> HistoryTotals {
    var totals = HistoryTotals()
    for span in spans { totals.add(span) }
    return totals
  }
}
