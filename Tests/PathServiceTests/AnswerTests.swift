import KernelTestSupport
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("Answers", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct AnswerTests {
  @Test func `every method answers as its description demands`() async throws {
    try await ServiceStage.run { stage in
      let interface = InterfaceText(InterfaceDescription.text)
      let parameters: [PathMonitorInterface.Method: JSONObject] = [
        .waitForPath: ["requirement": "ethernet"], .getRoute: ["destination": "198.51.100.1"],
        .setOverride: ["field": "isExpensive", "value": "true", "interface": "eth0", "seconds": 60, "why": "test"],
        .reportValidation: ["interface": "eth0", "gateways": ["192.0.2.1"], "validation": ["state": "validated"]],
      ]
      for method in PathMonitorInterface.Method.allCases {
        let client = try stage.connect()
        try client.send(method, parameters[method] ?? [:], acceptsMore: method == .watchPath)
        let reply = try client.next()
        #expect(reply.error == nil, "\(method)")
        let declared = try #require(interface.methods.first { $0.name == method.rawValue })
        #expect(interface.problem(with: reply.parameters, as: declared.output) == nil, "\(method)")
      }
    }
  }

  // MARK: Fresh answers

  /// Commands that change the path, and the changed field.
  static let changes: [(commands: [String], field: String)] = [
    ([ServiceStage.cut], "status"), (["link set eth0 down"], "status"),
    (["address delete 192.0.2.2/24 dev eth0"], "status"), (["link delete eth0"], "status"),
    (["route replace unreachable default metric 1"], "status"),
    (["rule add pref 10 from all prohibit"], "unsatisfiedReason"),
    (["address add 192.0.2.3/24 dev eth0"], "interfaces"), (["link set eth0 mtu 1400"], "interfaces"),
    (["link set eth0 down", "link set eth0 name wan0", "link set wan0 up"], "interfaces"),
    (["route replace default via 192.0.2.9 dev eth0 metric 100"], "gateways"),
    (["address add 2001:db8::2/64 dev eth0 nodad", "route add ::/0 via 2001:db8::1 dev eth0"], "supportsIPv6"),
  ]

  @Test(arguments: changes.indices, [false, true])
  func `the path is right as soon as the command has returned, before the loop reads a message`(
    index: Int, isOfStream: Bool
  ) async throws {
    let change = Self.changes[index]
    try await ServiceStage.run { stage in
      // IPv6 sends messages of its own when links go. Without it some of these changes have next to no message.
      if change.field != "supportsIPv6" { try stage.namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1") }
      let (client, watcher) = (try stage.connect(), try stage.connect())
      let before = try client.call(.getPath).path()
      for command in change.commands { try stage.namespace.ip(command) }
      let first = try isOfStream ? watcher.watch() : client.call(.getPath).path()
      #expect(first.fieldsChanged(since: before).contains(change.field))
      let after = try client.call(.getPath).path()
      #expect(after.fieldsChanged(since: before).contains(change.field))
      // A link that was set up gets its carrier a moment later: then the next answer differs.
      let isStill = !change.commands.contains { $0.hasSuffix(" up") }
      if isStill { #expect(after == stage.service.engine.freshPath()) }
      #expect(after.boottimeMicroseconds > before.boottimeMicroseconds)
      #expect(after.sequence == 0)
      #expect(after.changed.isEmpty)
    }
  }

  @Test func `a name server that was just removed is not in the answer`() async throws {
    try await ServiceStage.run { stage in
      #expect(try stage.path().supportsDNS)
      try stage.writeResolver("# nobody\n")
      #expect(try stage.path().supportsDNS == false)
      try stage.writeResolver("nameserver 192.0.2.54\n")
      #expect(try stage.path().supportsDNS)
    }
  }

  // MARK: Routes, interfaces, explanations

  @Test func `the path to a host is that of its route`() async throws {
    try await ServiceStage.run { stage in
      try stage.namespace.ip("route add unreachable 203.0.113.0/24")
      try stage.addSecondWay()
      try stage.namespace.ip("route add 198.51.100.0/24 via 192.0.3.1 dev eth1")
      func route(_ destination: String) throws -> NetworkPath {
        try stage.call(.getRoute, ["destination": .string(destination)]).path()
      }
      #expect(try route("203.0.113.1").status == .unsatisfied)
      #expect(try route("198.51.100.1").interfaces.first?.name == "eth1")
      #expect(try route("198.51.100.1").gateways.first == IPAddress(ipv4: 0xc000_0301))
      #expect(try route("192.0.2.9").status == .satisfied)
      #expect(try route("127.0.0.1").status == .satisfied)
      #expect(try route("2001:db8::1").status == .unsatisfied)
      try stage.namespace.ip("route delete unreachable 203.0.113.0/24")
      #expect(try route("203.0.113.1").interfaces.first?.name == "eth0")
    }
  }

  @Test func `while the kernel cannot be asked, the path is stale and a route unknown`() async throws {
    try await ServiceStage.run { stage in
      let sockets = try #require(NetlinkSockets())
      do {
        let broken = BrokenDescriptor(sockets.queryDescriptor)
        let reply = try stage.call(.getRoute, ["destination": "198.51.100.1"])
        #expect(reply.error == PathMonitorInterface.ErrorName.pathUnknown.fullName)
        #expect(reply.parameters["reason"]?.stringValue?.contains("cannot") == true)
        #expect(try stage.path().knowledge == .stale)
        #expect(try stage.path().status == .satisfied)
        #expect(try stage.notes().count == 1)
        _ = consume broken
      }
      #expect(try stage.path().knowledge == .known)
      #expect(try stage.notes().isEmpty)
    }
  }

  @Test func `all interfaces but loopback are listed, those that are down too`() async throws {
    try await ServiceStage.run { stage in
      try stage.namespace.ip("link add spare0 type veth peer name spare1")
      let reply = try stage.call(.listInterfaces)
      let interfaces = try #require(reply.parameters["interfaces"]?.arrayValue).map { try NetworkInterface(json: $0) }
      #expect(Set(interfaces.map(\.name)) == ["eth0", "spare0", "spare1"])
      #expect(interfaces.map(\.index) == interfaces.map(\.index).sorted())
      #expect(interfaces.first { $0.name == "eth0" } == (try stage.path().interfaces.first))
    }
  }

  @Test func `work that has to precede the health is done before the answer`() async throws {
    try await ServiceStage.run { stage in
      var asked = 0
      stage.service.beforeHealth = {
        asked += 1
        _ = stage.service.engine.subscribe(.immediate) { _ in }
      }
      #expect(try stage.health("subscribers") == 1)
      _ = try stage.call(.getPath)
      #expect(asked == 1)
    }
  }

  @Test func `health counts events, in whole numbers`() async throws {
    try await ServiceStage.run { stage in
      let reply = try stage.call(.getHealth)
      let health = try #require(reply.parameters["health"]?.objectValue)
      #expect(
        health.members.map(\.key) == [
          "events", "evaluations", "updates", "overruns", "subscribers", "connections", "skipped", "uptimeSeconds",
          "memoryBytes",
        ])
      #expect(health.members.allSatisfy { ($0.value.integerValue ?? -1) >= 0 })
      #expect(reply.parameters["notes"] == [])
      let watcher = try stage.connect()
      try watcher.watch(["settleMilliseconds": 0])
      try stage.namespace.ip(ServiceStage.cut)
      #expect(try watcher.has(1))
      #expect(try stage.health("subscribers") == 1)
      #expect(try stage.run { try stage.health("connections") == 2 })
      #expect(try stage.health("updates") == 2)
      for key in ["events", "evaluations"] {
        #expect(try stage.health(key) ?? 0 > Int(health[key]?.integerValue ?? .max))
      }
    }
  }
}
