/// A metric with all its samples: what a monitoring system shows under one name. Pure.
package struct MetricFamily: Hashable, Sendable {
  /// The kind of the values.
  package enum Kind: String, Hashable, Sendable {
    /// A sum that only grows, until it starts anew.
    case counter
    /// A value that goes up and down.
    case gauge
    /// Labels without a value of their own; the value is 1.
    case info
  }

  /// The name without its suffix: without `_total` of a counter and `_info` of an information.
  package var stem: String
  /// The kind of the values.
  package var kind: Kind
  /// The unit, with which the stem ends; `nil` for plain numbers.
  package var unit: String?
  /// The meaning, in one line for people.
  package var help: String
  /// The values; usually one.
  package var samples: [MetricSample]

  /// A family.
  package init(_ stem: String, _ kind: Kind, unit: String? = nil, help: String, samples: [MetricSample]) {
    (self.stem, self.kind, self.unit, self.help, self.samples) = (stem, kind, unit, help, samples)
  }

  /// The name of the samples.
  package var name: String {
    switch kind {
    case .counter: "\(stem)_total"
    case .gauge: stem
    case .info: "\(stem)_info"
    }
  }
}

/// One value of a metric.
package struct MetricSample: Hashable, Sendable {
  /// A name and a value that tell samples of one family apart.
  package struct Label: Hashable, Sendable {
    /// The name: letters, digits and underscores.
    package var name: String
    /// Any text.
    package var value: String

    /// A label.
    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The labels, in order.
  package var labels: [Label]
  /// The value.
  package var value: MetricValue

  /// A sample.
  package init(_ value: MetricValue, labels: [Label] = []) {
    (self.labels, self.value) = (labels, value)
  }
}

/// The value of a metric, which is printed exactly.
package enum MetricValue: Hashable, Sendable {
  /// A whole number.
  case integer(Int)
  /// Seconds, given in microseconds.
  case seconds(microseconds: Int)

  /// One for yes, zero for no.
  package static func flag(_ isTrue: Bool) -> MetricValue { .integer(isTrue ? 1 : 0) }

  /// The number in decimal digits, without an exponent.
  package var digits: String {
    switch self {
    case .integer(let number): return "\(number)"
    case .seconds(let microseconds):
      let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
      let sign = microseconds < 0 ? "-" : ""
      guard rest > 0 else { return "\(sign)\(seconds)" }
      var fraction = "\(rest + 1_000_000)".dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      return "\(sign)\(seconds).\(fraction)"
    }
  }

  /// The nearest floating-point number.
  package var number: Double {
    switch self {
    case .integer(let number): Double(number)
    case .seconds(let microseconds): Double(microseconds) / 1_000_000
    }
  }
}
