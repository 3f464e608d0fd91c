/// A moment on a clock that only a test moves.
package struct TestInstant: InstantProtocol {
  /// The time since the clock began.
  package var offset: Duration

  /// A moment, in milliseconds since the clock began.
  package init(_ milliseconds: Int) { offset = .milliseconds(milliseconds) }

  /// A moment, in seconds since the clock began, to the millisecond.
  package init(seconds: Double) { self.init(Int((seconds * 1000).rounded())) }

  /// The moment after a duration.
  package func advanced(by duration: Duration) -> TestInstant {
    var copy = self
    copy.offset += duration
    return copy
  }

  /// The time to another moment.
  package func duration(to other: TestInstant) -> Duration { other.offset - offset }

  /// Whether the moment is before the other.
  package static func < (left: TestInstant, right: TestInstant) -> Bool { left.offset < right.offset }
}

extension TestInstant: CustomStringConvertible {
  /// The moment in milliseconds.
  package var description: String { "\(offset / .milliseconds(1)) ms" }
}
