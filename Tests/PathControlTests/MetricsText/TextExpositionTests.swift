import PathControl
import Testing

@Suite("Metrics as text")
struct TextExpositionTests {
  private static let families = [
    MetricFamily("path_up", .gauge, help: "Whether it is up.", samples: [MetricSample(.flag(true))]),
    MetricFamily(
      "lost_seconds", .counter, unit: "seconds", help: "Time lost.",
      samples: [
        MetricSample(.seconds(microseconds: 1_500_000), labels: [.init("reason", "noCarrier"), .init("kind", "")]),
        MetricSample(.seconds(microseconds: 0), labels: [.init("reason", "noRoute"), .init("kind", "a")]),
      ]),
    MetricFamily(
      "path", .info, help: "The path.", samples: [MetricSample(.integer(1), labels: [.init("device", "eth0")])]),
    MetricFamily("unknown_count", .gauge, help: "Not known now.", samples: []),
  ]

  @Test func `the format of Prometheus has the type under the name of the samples, and no end mark`() {
    #expect(
      TextExposition.prometheus.text(Self.families) == """
        # HELP path_up Whether it is up.
        # TYPE path_up gauge
        path_up 1
        # HELP lost_seconds_total Time lost.
        # TYPE lost_seconds_total counter
        lost_seconds_total{reason="noCarrier",kind=""} 1.5
        lost_seconds_total{reason="noRoute",kind="a"} 0
        # HELP path_info The path.
        # TYPE path_info gauge
        path_info{device="eth0"} 1

        """)
  }

  @Test func `OpenMetrics has the type under the name of the family, units and an end mark`() {
    #expect(
      TextExposition.openMetrics.text(Self.families) == """
        # HELP path_up Whether it is up.
        # TYPE path_up gauge
        path_up 1
        # HELP lost_seconds Time lost.
        # TYPE lost_seconds counter
        # UNIT lost_seconds seconds
        lost_seconds_total{reason="noCarrier",kind=""} 1.5
        lost_seconds_total{reason="noRoute",kind="a"} 0
        # HELP path The path.
        # TYPE path info
        path_info{device="eth0"} 1
        # EOF

        """)
  }

  @Test(arguments: [TextExposition.prometheus, .openMetrics])
  func `a label or a help text never leaves its line or its quotes`(format: TextExposition) {
    let evil = "a\\b\"c\nforged 1"
    let family = MetricFamily(
      "name", .gauge, help: evil, samples: [MetricSample(.integer(1), labels: [.init("label", evil)])])
    let lines = format.text([family]).split(separator: "\n")
    #expect(lines.contains(#"name{label="a\\b\"c\nforged 1"} 1"#))
    #expect(!lines.contains("forged 1"))
    let help = lines.first { $0.hasPrefix("# HELP") }
    // Only the newer format escapes quotes in help texts.
    #expect(help == (format == .prometheus ? #"# HELP name a\\b"c\nforged 1"# : #"# HELP name a\\b\"c\nforged 1"#))
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000001"), (1_500_000, "1.5"), (60_000_000, "60"), (-1_500_000, "-1.5"),
    (1_795_455_374_689_034, "1795455374.689034"), (100_000, "0.1"), (1_000_001, "1.000001"),
  ])
  func `seconds are exact to the microsecond, without an exponent`(microseconds: Int, text: String) {
    #expect(MetricValue.seconds(microseconds: microseconds).digits == text)
  }

  @Test func `without any sample the older format is empty, the newer one only ends`() {
    #expect(TextExposition.prometheus.text([]).isEmpty)
    #expect(TextExposition.openMetrics.text([]) == "# EOF\n")
  }
}
