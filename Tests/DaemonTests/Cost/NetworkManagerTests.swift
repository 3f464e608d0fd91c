import Foundation
import ProcessTestSupport
import Testing

/// The daemon on a bus of its own, with a stand-in for NetworkManager that has the parts of its interface.
@Suite("The state of NetworkManager", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct NetworkManagerTests {
  /// A daemon on the bus, in a namespace where `eth0` is the path, and a subscriber to it. The bus and its stand-in
  /// with the devices are there before; without devices there is neither.
  private static func run(
    _ devices: String..., body: (PrivateBus, TestDaemon, RunningProgram, RunningProgram?) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let bus = try PrivateBus()
      let daemonOfBus = devices.isEmpty ? nil : try await bus.start()
      let manager = devices.isEmpty ? nil : try await bus.networkManager(devices)
      let daemon = try await TestDaemon(environment: bus.environment, namespace: network.near)
      let watcher = try daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      try await body(bus, daemon, watcher, manager)
      #expect(daemon.program.isRunning)
      #expect(watcher.complaints.text.isEmpty)
      try await daemon.stop()
      for program in [manager, daemonOfBus] { program?.kill() }
    }
  }

  private static func last(_ watcher: RunningProgram, is text: String) async throws {
    _ = try await watcher.output.wait(for: text) { lines in
      lines.last.flatMap { $0.contains(text) ? true : nil }
    }
  }

  private static let unknown = #""confidence":"unknown""#

  @Test func `its value is known from the first answer on, and each change reaches a subscriber`() async throws {
    try await Self.run("1:eth0:eth0:1", "2:wlan9:wlan9:2") { bus, daemon, watcher, _ in
      #expect(watcher.output.text.contains(#""isExpensive":true,"isConstrained":false,"cost":{"#))
      let explained = try await daemon.pathctl("explain").output
      #expect(explained.contains("  * explicit  expensive  networkManager  the connection on eth0 is metered"))
      for (state, words) in [
        (2, #""isExpensive":false,"isConstrained":false,"confidence":"explicit""#),
        (3, #""isExpensive":true,"isConstrained":false,"confidence":"guess""#), (0, Self.unknown),
      ] {
        try await bus.tell("SetMetered", "string:1", "uint32:\(state)")
        try await Self.last(watcher, is: words)
        #expect(try await daemon.pathctl("check", "unmetered-known").status == (state == 2 ? 0 : 1))
      }
      try await daemon.program.expectSleep(for: .seconds(3))
    }
  }

  @Test func `its word on the device that carries the traffic says whether the Internet answers`() async throws {
    try await Self.run("1:eth0:eth0:0", "2:wlan9:wlan9:0") { bus, daemon, watcher, manager in
      let unknown = #""validation":{"state":"unknown","since":null,"portal":null,"announced":null,"evidence":[]}"#
      #expect(watcher.output.text.contains(unknown))
      let waiting = try daemon.start("wait", "validated")
      for (state, word, validated, isPortal) in [
        (2, "portal", 1, true), (3, "unknown", 69, false), (4, "validated", 0, false),
      ] as [(Int, String, Int32, Bool)] {
        try await bus.tell("SetConnectivity", "string:1", "string:4", "uint32:\(state)")
        try await Self.last(watcher, is: #""validation":{"state":"\#(word)","#)
        #expect(try await daemon.pathctl("check", "validated").status == validated)
        #expect(try await daemon.pathctl("check", "not-portal").status == (isPortal ? 1 : 0))
        #expect(try await daemon.pathctl("status").status == 0, "the path is satisfied all the same")
      }
      #expect(try await waiting.waitForExit() == 0)
      #expect(try await daemon.pathctl("status").output.contains("validated: NetworkManager's host answers over eth0"))
      #expect(try await daemon.pathctl("status", "--field", "validation").output == "validated\n")
      #expect(
        try await daemon.pathctl("explain").output
          .contains("  * validated  networkManager  NetworkManager's host answers over eth0 by IPv4, "))
      // Of another device, and of a family without a path, its word is no news.
      try await bus.tell("SetConnectivity", "string:2", "string:4", "uint32:2")
      try await bus.tell("SetConnectivity", "string:1", "string:6", "uint32:3")
      #expect(try await daemon.pathctl("check", "validated,not-portal").status == 0)
      // Without a host to ask, it calls each device that has a route connected to the Internet.
      try await bus.tell("SetChecks", "boolean:false")
      try await Self.last(watcher, is: #""validation":{"state":"unknown","#)
      try await bus.tell("SetChecks", "boolean:true")
      try await Self.last(watcher, is: #""validation":{"state":"validated","#)
      try await manager?.killAndWait()
      try await Self.last(watcher, is: #""validation":{"state":"unknown","#)
    }
  }

  @Test func `it may come later, restart and go; the bus may, too`() async throws {
    try await Self.run { bus, daemon, watcher, _ in
      // First there is no bus, not even its directory.
      #expect(watcher.output.text.contains(Self.unknown))
      #expect(try await daemon.pathctl("health").output.contains("cannot connect to the system bus"))
      for _ in 0..<2 {
        let daemonOfBus = try await bus.start()
        let first = try await bus.networkManager(["1:eth0:eth0:1"])
        try await Self.last(watcher, is: #""isExpensive":true,"isConstrained":false,"confidence":"explicit""#)
        try await first.killAndWait()
        try await Self.last(watcher, is: Self.unknown)
        // The second time its socket stays behind.
        let manager = try await bus.networkManager(["1:eth0:eth0:2"])
        try await Self.last(watcher, is: #""confidence":"explicit""#)
        try await daemonOfBus.killAndWait()
        try await Self.last(watcher, is: Self.unknown)
        manager.kill()
        try FileManager.default.removeItem(atPath: bus.socket)
      }
    }
  }

  @Test func `devices come and go, a modem's packets go over another interface, and nonsense does no harm`()
    async throws
  {
    try await Self.run("1:eth9:eth9:1", "2:cdc-wdm0:wwan9:3", "3:::1", "4:a/b::1") { bus, _, watcher, manager in
      #expect(watcher.output.text.contains(Self.unknown))
      try await bus.tell("Add", "string:7", "string:eth0", "string:1")
      try await Self.last(watcher, is: #""confidence":"explicit""#)
      for _ in 0..<2 {
        try await bus.tell("Nonsense", "string:7")
        try await bus.tell("SetMetered", "string:7", "uint32:3")
        try await Self.last(watcher, is: #""confidence":"guess""#)
        try await bus.tell("SetMetered", "string:7", "uint32:1")
        try await Self.last(watcher, is: #""confidence":"explicit""#)
      }
      try await bus.tell("Remove", "string:7")
      try await Self.last(watcher, is: Self.unknown)
      try await manager?.killAndWait()
      let modem = try await bus.networkManager(["1:cdc-wdm0:eth0:3"])
      try await Self.last(watcher, is: #""isExpensive":true,"isConstrained":false,"confidence":"guess""#)
      try await modem.killAndWait()
    }
  }
}
