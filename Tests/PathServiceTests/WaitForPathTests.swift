import KernelTestSupport
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("WaitForPath", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct WaitForPathTests {
  @Test func `a path that is as required for a moment only does not end the wait`() async throws {
    try await ServiceStage.run(settle: SettleTimes(.milliseconds(1_500))) { stage in
      let client = try stage.connect()
      try client.send(.waitForPath, ["requirement": "offline", "timeoutMilliseconds": 3_000])
      #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
      try stage.namespace.ip(ServiceStage.cut)
      try stage.run(for: .milliseconds(50))
      try stage.namespace.ip(ServiceStage.restore)
      #expect(try client.next().error == PathMonitorInterface.ErrorName.timedOut.fullName)
    }
  }

  @Test func `after the timeout the error carries the present path`() async throws {
    try await ServiceStage.run { stage in
      let start = MonotonicInstant.now
      let client = try stage.connect()
      try client.send(.waitForPath, ["requirement": "wifi", "timeoutMilliseconds": 2_000])
      #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
      try stage.namespace.ip("link set eth0 mtu 1400")
      let reply = try client.next()
      let waited = start.duration(to: .now)
      #expect(waited >= .milliseconds(2_000))
      #expect(reply.error == PathMonitorInterface.ErrorName.timedOut.fullName)
      #expect(try reply.path() == (try stage.path(["requirement": "wifi"])))
      #expect(try reply.path().interfaces.first?.mtu == 1_400)
      #expect(try stage.health("subscribers") == 0)
      #expect(try client.call(.getPath).path().status == .satisfied)
    }
  }

  @Test func `a caller that leaves before, during or after its answer leaves nothing behind`() async throws {
    try await ServiceStage.run { stage in
      let staying = try stage.connect()
      try staying.send(.waitForPath, ["requirement": "wifi", "timeoutMilliseconds": 3_000])
      #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
      for command in [ServiceStage.cut, ServiceStage.restore] {
        do {
          let leaving = try (0..<10).map { _ in try stage.connect() }
          for (client, number) in zip(leaving, 0...) {
            let requirement = number < 5 ? "wifi" : command == ServiceStage.cut ? "offline" : "connected"
            try client.send(.waitForPath, ["requirement": .string(requirement), "timeoutMilliseconds": 50])
            try client.send(.waitForPath, ["requirement": "cellular", "timeoutMilliseconds": 50])
          }
          #expect(try stage.run { stage.service.engine.subscriberCount > 1 })
        }
        try stage.namespace.ip(command)
        _ = stage.service.engine.freshPath()
        #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
        try stage.run(for: .milliseconds(100))
      }
      #expect(try stage.run { stage.service.server?.connectionCount == 1 })
      #expect(try staying.next().error == PathMonitorInterface.ErrorName.timedOut.fullName)
    }
  }

  @Test func `calls sent ahead of an answer are served within the delivery that brings it`() async throws {
    try await ServiceStage.run(settle: .immediate) { stage in
      let clients = try (0..<20).map { _ in try stage.connect() }
      for client in clients {
        try client.send(.waitForPath, ["requirement": "offline"])
        try client.send(.getPath)
        try client.send(.waitForPath, ["requirement": "connected"])
        try client.send(.watchPath, ["settleMilliseconds": 0], acceptsMore: true)
      }
      #expect(try stage.run { stage.service.engine.subscriberCount == 20 })
      try stage.namespace.ip(ServiceStage.cut)
      for client in clients { #expect(try client.has(2)) }
      try stage.namespace.ip(ServiceStage.restore)
      for client in clients {
        #expect(try client.has(4))
        #expect(try client.paths.map(\.status) == [.unsatisfied, .unsatisfied, .satisfied, .satisfied])
      }
      try stage.namespace.ip(ServiceStage.cut)
      for client in clients {
        #expect(try client.has(5))
        #expect(try client.paths.last?.status == .unsatisfied)
      }
    }
  }

  @Test func `a caller that waits when the service ends is disconnected, and leaves nothing behind`() async throws {
    try await ServiceStage.run { stage in
      let clients = try (0..<5).map { _ in try stage.connect() }
      for client in clients { try client.send(.waitForPath, ["requirement": "wifi", "timeoutMilliseconds": 100]) }
      for client in clients.prefix(2) { try client.send(.getPath) }
      let watcher = try stage.connect()
      try watcher.watch()
      #expect(try stage.run { stage.service.engine.subscriberCount == 6 })
      try stage.restart()
      try stage.run(for: .milliseconds(150))
      for client in clients + [watcher] {
        try client.pull()
        #expect(client.isDisconnected)
      }
      #expect(try stage.path().status == .satisfied)
    }
  }
}
