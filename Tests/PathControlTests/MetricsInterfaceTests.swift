import PathModel
import Testing
import Varlink

@testable import PathControl

@Suite("io.systemd.Metrics")
struct MetricsInterfaceTests {
  private static let families = [
    MetricFamily("pathmonitor_up", .gauge, help: "Up.", samples: [MetricSample(.flag(true))]),
    MetricFamily(
      "pathmonitor_unsatisfied_seconds", .counter, unit: "seconds", help: "Time.",
      samples: [
        MetricSample(.seconds(microseconds: 1_500_000), labels: [.init("reason", "noRoute")]),
        MetricSample(.seconds(microseconds: 0), labels: [.init("reason", "noCarrier")]),
      ]),
    MetricFamily("pathmonitor_path", .info, help: "The path.", samples: []),
  ]

  private static func replies(_ method: String, more: Bool = true) throws -> [VarlinkReply] {
    try MetricsInterface.replies(
      to: VarlinkCall("io.systemd.Metrics.\(method)", acceptsMore: more), families: { families }
    ).map { try VarlinkReply(parsing: $0.dropLast()) }
  }

  @Test func `List has a reply for each sample, and all but the last announce another`() throws {
    let replies = try Self.replies("List")
    #expect(replies.map(\.continues) == [true, true, false])
    #expect(
      replies.map { JSONValue.object($0.parameters).description } == [
        #"{"name":"io.pathmonitor.PathMonitor.Up","value":1}"#,
        #"{"name":"io.pathmonitor.PathMonitor.UnsatisfiedSecondsTotal","value":1.5,"fields":{"reason":"noRoute"}}"#,
        #"{"name":"io.pathmonitor.PathMonitor.UnsatisfiedSecondsTotal","value":0.0,"fields":{"reason":"noCarrier"}}"#,
      ])
  }

  @Test func `Describe has a reply for each family, also for one without a sample now`() throws {
    let replies = try Self.replies("Describe")
    #expect(replies.map(\.continues) == [true, true, false])
    #expect(
      replies.map { JSONValue.object($0.parameters).description } == [
        #"{"name":"io.pathmonitor.PathMonitor.Up","description":"Up.","type":"gauge"}"#,
        """
        {"name":"io.pathmonitor.PathMonitor.UnsatisfiedSecondsTotal","description":"Time.","type":"counter"}
        """,
        #"{"name":"io.pathmonitor.PathMonitor.PathInfo","description":"The path.","type":"gauge"}"#,
      ])
  }

  @Test(arguments: ["List", "Describe"])
  func `a call that wants one reply is refused, before anybody is asked`(method: String) {
    let error = #expect(throws: VarlinkError.self) {
      try MetricsInterface.replies(to: VarlinkCall("io.systemd.Metrics.\(method)")) {
        Issue.record("the metrics were read")
        return []
      }
    }
    #expect(error == .expectedMore)
  }

  @Test func `an unknown method and an upgrade are refused by their names`() {
    let unknown = VarlinkCall("io.systemd.Metrics.Forget", acceptsMore: true)
    #expect(
      #expect(throws: VarlinkError.self) { try MetricsInterface.replies(to: unknown) { [] } }
        == .methodNotFound("io.systemd.Metrics.Forget"))
    let upgrade = VarlinkCall("io.systemd.Metrics.List", acceptsMore: true, wantsUpgrade: true)
    #expect(
      #expect(throws: VarlinkError.self) { try MetricsInterface.replies(to: upgrade) { [] } }
        == .methodNotImplemented("io.systemd.Metrics.List"))
  }

  @Test func `no metric at all is the error that systemd has for it`() {
    let call = VarlinkCall("io.systemd.Metrics.List", acceptsMore: true)
    let error = #expect(throws: VarlinkError.self) { try MetricsInterface.replies(to: call) { [] } }
    #expect(error?.name == "io.systemd.Metrics.NoSuchMetric")
  }

  @Test func `every name begins with the name of the socket, as systemd-report demands`() {
    for family in PathMetrics(service: nil).families {
      #expect(MetricsInterface.name(of: family).hasPrefix("io.pathmonitor.PathMonitor."))
      #expect(!MetricsInterface.name(of: family).contains("_"))
    }
  }
}
