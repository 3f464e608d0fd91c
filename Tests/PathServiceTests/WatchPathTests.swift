import KernelTestSupport
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathEngine
@testable import PathService

@Suite("WatchPath", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct WatchPathTests {
  @Test func `watchers with equal parameters share a stream and its numbers, others have their own`() async throws {
    try await ServiceStage.run { stage in
      let first = try stage.connect()
      try first.watch(["settleMilliseconds": 0, "requirement": "ethernet"])
      try stage.namespace.ip(ServiceStage.cut)
      #expect(try first.next().path().sequence == 1)
      try stage.namespace.ip(ServiceStage.restore)
      #expect(try first.next().path().sequence == 2)
      let parameters: [(JSONObject, sequence: Int)] = [
        (["requirement": "type=wiredEthernet", "settleMilliseconds": 0], 0), (["settleMilliseconds": 0], 0),
        (["requirement": "ethernet", "settleMilliseconds": 1], 0), (["requirement": "ethernet"], 0),
        (["settleMilliseconds": 0, "requirement": "ethernet"], 2),
      ]
      for (parameters, sequence) in parameters {
        #expect(try stage.connect().watch(parameters).sequence == sequence, "\(parameters)")
      }
    }
  }

  @Test func `a path that is back soon is no update by default, and is one with a settle time of 0`() async throws {
    try await ServiceStage.run(settle: SettleTimes(.seconds(2))) { stage in
      let (patient, eager) = (try stage.connect(), try stage.connect())
      try patient.watch()
      try eager.watch(["settleMilliseconds": 0])
      for command in [ServiceStage.cut, ServiceStage.restore] {
        try stage.namespace.ip(command)
        _ = try eager.next()
      }
      try stage.run(for: .milliseconds(2_300))
      try patient.pull()
      #expect(patient.replies.isEmpty)
      try stage.namespace.ip(ServiceStage.cut)
      #expect(try eager.next().path().sequence == 3)
      #expect(try patient.next().path().sequence == 1)
    }
  }

  @Test func `a requirement applies to each path, and only changes of the result are delivered`() async throws {
    try await ServiceStage.run { stage in
      let (wifi, dns, all) = (try stage.connect(), try stage.connect(), try stage.connect())
      #expect(try wifi.watch(["requirement": "wifi", "settleMilliseconds": 0]).unsatisfiedReason == .requirementNotMet)
      #expect(try dns.watch(["requirement": "dns", "settleMilliseconds": 0]).status == .satisfied)
      try all.watch(["settleMilliseconds": 0])
      try stage.writeResolver("# nobody\n")
      #expect(try all.next().path().status == .satisfied)
      let lost = try dns.next().path()
      #expect(lost.status == .unsatisfied)
      #expect(lost.unsatisfiedReason == .requirementNotMet)
      #expect(lost.changed.contains("status"))
      try stage.run(for: .milliseconds(50))
      try wifi.pull()
      #expect(wifi.replies.isEmpty)
    }
  }

  @Test func `watchers that vanish during a delivery do not disturb the others`() async throws {
    try await ServiceStage.run { stage in
      let staying = try (0..<3).map { _ in try stage.connect() }
      for client in staying { try client.watch(["settleMilliseconds": 0]) }
      for command in [ServiceStage.cut, ServiceStage.restore, ServiceStage.cut] {
        do {
          let leaving = try (0..<20).map { _ in try stage.connect() }
          for client in leaving { try client.watch(["settleMilliseconds": 0]) }
          for (client, number) in zip(leaving, 0...) where number % 2 == 0 {
            try client.send(.getPath)
          }
        }
        // They are gone, and the service has not noticed: it notices when it sends.
        try stage.namespace.ip(command)
        let path = stage.service.engine.freshPath()
        for client in staying { #expect(try client.next().path() == path) }
      }
      #expect(try stage.run { stage.service.server?.connectionCount == 3 })
      #expect(stage.service.engine.subscriberCount == 3)
    }
  }

  @Test func `other probes and settle times keep the watchers, who get the resulting path`() async throws {
    try await ServiceStage.run { stage in
      try stage.namespace.ip("route add unreachable 203.0.113.0/24")
      let client = try stage.connect()
      try client.watch(["settleMilliseconds": 0])
      var configuration = PathService.Configuration()
      configuration.reader = stage.service.engine.reader.configuration
      configuration.reader.probes = ProbeAddresses([IPAddress(ipv4: 0xcb00_7101)])
      let evaluations = try stage.health("evaluations") ?? 0
      try stage.service.reconfigure(configuration)
      let received = try client.next().path()
      #expect(received.status == .unsatisfied)
      #expect(received.sequence == 1)
      #expect(try stage.health("evaluations") ?? 0 > evaluations)
      try stage.namespace.ip("route delete unreachable 203.0.113.0/24")
      #expect(try client.next().path().sequence == 2)
      #expect(try stage.health("subscribers") == 1)
    }
  }
}
