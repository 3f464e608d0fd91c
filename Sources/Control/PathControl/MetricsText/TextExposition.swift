/// Metrics as text for monitoring systems. Pure.
///
/// No text fits both formats: the older one gives the type of a counter under the name of its samples, the newer one
/// under the name without `_total`.
package enum TextExposition: Hashable, Sendable {
  /// Version 0.0.4 of Prometheus' text format, which `promtool check metrics` and the textfile collector of
  /// node_exporter read.
  ///
  /// Source: "Exposition formats" in the documentation of Prometheus.
  case prometheus
  /// OpenMetrics 1.0, with units and a mark at the end.
  case openMetrics

  /// The families as one text, in their order. A family without samples is left out.
  package func text(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families where !family.samples.isEmpty { append(family, to: &text) }
    if self == .openMetrics { text += "# EOF\n" }
    return text
  }

  private func append(_ family: MetricFamily, to text: inout String) {
    let name = self == .openMetrics ? family.stem : family.name
    text += "# HELP \(name) \(escaped(help: family.help))\n# TYPE \(name) \(typeName(of: family.kind))\n"
    if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
    for sample in family.samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped(label: $0.value))\"" }.joined(separator: ",")
      text += "\(family.name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value.digits)\n"
    }
  }

  private func typeName(of kind: MetricFamily.Kind) -> String {
    // The older format has no type for mere information.
    self == .prometheus && kind == .info ? MetricFamily.Kind.gauge.rawValue : kind.rawValue
  }

  /// The older format takes a quotation mark in a help text as it is, and a backslash before it for a backslash.
  private func escaped(help: String) -> String {
    self == .openMetrics ? Self.escaped(label: help) : Self.escaped(help, quotes: false)
  }

  private static func escaped(label: String) -> String { escaped(label, quotes: true) }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
