/// A moment of the wall clock, for people and for files.
package struct HistoryInstant: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01 00:00:00 UTC, without leap seconds.
  package var microseconds: Int64

  /// The moment with the given count.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The moment some microseconds later; earlier if they are negative.
  package func advanced(by microseconds: Int64) -> HistoryInstant {
    HistoryInstant(microseconds: self.microseconds + microseconds)
  }

  /// The microseconds from this moment to another; negative if that one is earlier.
  package func microseconds(to other: HistoryInstant) -> Int64 { other.microseconds - microseconds }

  /// The start of the UTC hour of this moment.
  package var startOfHour: HistoryInstant { start(of: Self.hour) }
  /// The start of the UTC day of this moment.
  package var startOfDay: HistoryInstant { start(of: Self.day) }

  /// The start of the hour or day of UTC of this moment, by its length.
  package func start(of length: Int64) -> HistoryInstant {
    let rest = microseconds % length
    return HistoryInstant(microseconds: microseconds - (rest < 0 ? rest + length : rest))
  }

  /// The microseconds of a second.
  package static let second: Int64 = 1_000_000
  /// The microseconds of an hour.
  package static let hour: Int64 = 3_600 * second
  /// The microseconds of a day of UTC.
  package static let day: Int64 = 24 * hour

  package static func < (left: HistoryInstant, right: HistoryInstant) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Range<HistoryInstant> {
  /// The length in microseconds.
  package var microseconds: Int64 { lowerBound.microseconds(to: upperBound) }
}
