package import SystemIO

extension MonotonicInstant {
  /// A moment on a clock that only a test moves, in milliseconds since the clock began.
  package init(_ milliseconds: Int) { self.init(nanoseconds: Int64(milliseconds) * 1_000_000) }

  /// A moment on such a clock, in seconds since the clock began, to the millisecond.
  package init(seconds: Double) { self.init(Int((seconds * 1000).rounded())) }
}

extension MonotonicInstant: ExpressibleByIntegerLiteral {
  /// A moment on such a clock, in milliseconds since the clock began.
  package init(integerLiteral milliseconds: Int) { self.init(milliseconds) }
}
