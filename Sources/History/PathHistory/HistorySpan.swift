/// A time without a change.
///
/// Spans follow one another in the order of ``number``. The end of a span is its start and its duration, always: where
/// the wall clock was set, a span ends and another of the same state begins. So the wall clock may have a hole between
/// two spans, and two spans may overlap in it, but the sum of durations is the time that passed.
package struct HistorySpan: Hashable, Sendable {
  /// The place in the history. Later spans have greater numbers.
  package var number: Int64
  /// The state during the span.
  package var state: HistoryState
  /// When the span began, by the wall clock of its end.
  package var start: HistoryInstant
  /// The length in microseconds, by the clock that runs since boot, suspend included (`CLOCK_BOOTTIME`). That of a span
  /// between two boots is the difference of the wall clock, and 0 if that went back.
  package var duration: Int64
  /// The microseconds since boot at the start; `nil` for a span that began in another boot than it ended in.
  package var boottime: Int64?
  /// The number of the boot in which the span ended, as in `/proc/sys/kernel/random/boot_id`.
  package var bootID: String
  /// The fields of the path that differ from those of the path before; empty where there was none.
  package var changed: [String] = []
  /// The number of the update in the stream of the service; 0 unless a path.
  package var sequence = 0
  /// How many changes of the path the span stands for: 1 if it began with one, 0 if it continues the path before, more
  /// if a flapping link was folded.
  ///
  /// Where the path changes many times in a second, spans are folded into one for each state, one after another. The
  /// durations of folded spans are exact sums. The first and the last state of the second have spans of their own.
  package var changes = 0
  /// How many outages began in the span: 1 for the first unsatisfied span after a satisfied one or a gap; more if
  /// folded.
  package var outages = 0
  /// For how many microseconds the outage had lasted when the span began; 0 unless the span continues an outage.
  package var outageBefore: Int64 = 0
  /// The longest outage that is folded into the span, in microseconds; `nil` for a span that is not folded.
  package var longestFolded: Int64?

  /// A span.
  package init(
    number: Int64, state: HistoryState, start: HistoryInstant, duration: Int64, boottime: Int64?, bootID: String
  ) {
    (self.number, self.state, self.start, self.duration) = (number, state, start, duration)
    (self.boottime, self.bootID) = (boottime, bootID)
  }

  /// When the span ended; for the last span, the latest moment at which its state is known.
  package var end: HistoryInstant { start.advanced(by: duration) }

  /// Whether the span is downtime.
  package var isOutage: Bool { state.outageReason != nil }

  /// Whether the span stands for several spans of a flapping link.
  package var isFolded: Bool { longestFolded != nil }

  /// The longest outage of the span, from its beginning to the end of the span, in microseconds; 0 without one.
  package var longestOutage: Int64 { isOutage ? longestFolded ?? outageBefore + duration : 0 }

  /// The microseconds of the span in a window of the wall clock.
  package func overlap(with window: Range<HistoryInstant>) -> Int64 {
    let (from, to) = (max(start, window.lowerBound), min(end, window.upperBound))
    return max(0, from.microseconds(to: to))
  }

  /// Whether the span has a part in the window, or begins in it.
  package func touches(_ window: Range<HistoryInstant>) -> Bool {
    overlap(with: window) > 0 || window.contains(start)
  }
}
