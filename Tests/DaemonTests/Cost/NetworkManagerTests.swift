import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The daemon on a bus of its own, with a stand-in for NetworkManager that has the parts of its interface.
@Suite("The state of NetworkManager", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct NetworkManagerTests {
  /// A daemon on the bus, in a namespace where `eth0` is the path, and a subscriber to it.
  private static func run(
    _ body: (PrivateBus, TestDaemon, RunningProgram) async throws -> Void, before: (PrivateBus) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let bus = try PrivateBus()
      try await before(bus)
      let daemon = try await TestDaemon(environment: bus.environment, namespace: network.near)
      let watcher = try daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      try await body(bus, daemon, watcher)
      #expect(daemon.program.isRunning)
      try await daemon.stop()
    }
  }

  private static func last(_ watcher: RunningProgram, is text: String) async throws {
    _ = try await watcher.output.wait(for: text) { lines in
      lines.last.flatMap { $0.contains(text) ? true : nil }
    }
  }

  private static let unknown = #""confidence":"unknown""#

  @Test func `its value is known from the first answer on, and each change reaches a subscriber`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      #expect(watcher.output.text.contains(#""isExpensive":true,"isConstrained":false,"cost":{"#))
      let explained = try await daemon.pathctl("explain").output
      #expect(explained.contains("  * explicit  expensive  networkManager  the connection on eth0 is metered"))
      for (state, words) in [
        (2, #""isExpensive":false,"isConstrained":false,"confidence":"explicit""#),
        (3, #""isExpensive":true,"isConstrained":false,"confidence":"guess""#),
        (4, #""isExpensive":false,"isConstrained":false,"confidence":"guess""#), (0, Self.unknown),
        (1, #""isExpensive":true,"isConstrained":false,"confidence":"explicit""#),
      ] {
        try await bus.tell("SetMetered", "string:1", "uint32:\(state)")
        try await Self.last(watcher, is: words)
        // `unmetered-known` needs more than a guess; a guess is enough for `unmetered`.
        #expect(try await daemon.pathctl("check", "unmetered").status == ([1, 3].contains(state) ? 1 : 0))
        #expect(try await daemon.pathctl("check", "unmetered-known").status == (state == 2 ? 0 : 1))
      }
    } before: { bus in
      running.programs = [try await bus.start(), try await bus.networkManager("1:eth0:eth0:1", "2:wlan9:wlan9:2")]
    }
  }

  @Test func `its word on the device that carries the traffic says whether the Internet answers`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      let unknown = #""validation":{"state":"unknown","since":null,"portal":null,"announced":null,"evidence":[]}"#
      #expect(watcher.output.text.contains(unknown))
      #expect(try await daemon.pathctl("check", "validated").status == 69)
      #expect(try await daemon.pathctl("check", "not-portal").status == 0)
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
      running.programs[1].kill()
      try await running.programs[1].waitForExit()
      try await Self.last(watcher, is: #""validation":{"state":"unknown","#)
    } before: { bus in
      running.programs = [try await bus.start(), try await bus.networkManager("1:eth0:eth0:0", "2:wlan9:wlan9:0")]
    }
  }

  @Test func `it may come later, restart and go; the bus may, too`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      // First there is no bus, not even its directory.
      #expect(watcher.output.text.contains(Self.unknown))
      #expect(try await daemon.pathctl("health").output.contains("cannot connect to the system bus"))
      for _ in 0..<2 {
        let daemonOfBus = try await bus.start()
        for _ in 0..<2 {
          let manager = try await bus.networkManager("1:eth0:eth0:1")
          try await Self.last(watcher, is: #""isExpensive":true,"isConstrained":false,"confidence":"explicit""#)
          manager.kill()
          try await manager.waitForExit()
          try await Self.last(watcher, is: Self.unknown)
        }
        // The second time its socket stays behind.
        let manager = try await bus.networkManager("1:eth0:eth0:2")
        try await Self.last(watcher, is: #""confidence":"explicit""#)
        daemonOfBus.kill()
        try await daemonOfBus.waitForExit()
        try await Self.last(watcher, is: Self.unknown)
        manager.kill()
        try FileManager.default.removeItem(atPath: bus.socket)
      }
      #expect(watcher.complaints.text.isEmpty)
      _ = running
    } before: { _ in
    }
  }

  @Test func `devices come and go, and a modem's packets go over another interface than its device`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      #expect(watcher.output.text.contains(Self.unknown))
      try await bus.tell("Add", "string:7", "string:eth0", "string:1")
      try await Self.last(watcher, is: #""confidence":"explicit""#)
      try await bus.tell("Remove", "string:7")
      try await Self.last(watcher, is: Self.unknown)
      running.programs[1].kill()
      try await running.programs[1].waitForExit()
      running.programs[1] = try await bus.networkManager("1:cdc-wdm0:eth0:3")
      try await Self.last(watcher, is: #""isExpensive":true,"isConstrained":false,"confidence":"guess""#)
    } before: { bus in
      running.programs = [try await bus.start(), try await bus.networkManager("1:eth9:eth9:1")]
    }
  }

  @Test func `nonsense on the bus does no harm`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      for _ in 0..<3 {
        try await bus.tell("SetMetered", "string:1", "uint32:1")
        try await Self.last(watcher, is: #""confidence":"explicit""#)
        try await bus.tell("Nonsense", "string:1")
        try await bus.tell("SetMetered", "string:2", "uint32:1")
        try await bus.tell("SetMetered", "string:1", "uint32:3")
        try await Self.last(watcher, is: #""confidence":"guess""#)
      }
    } before: { bus in
      running.programs = [
        try await bus.start(), try await bus.networkManager("1:eth0:eth0:1", "2:eth9:eth9:0", "3:::1", "4:a/b::1"),
      ]
    }
  }

  @Test func `while nothing happens the daemon sleeps`() async throws {
    let running = Box()
    try await Self.run { bus, daemon, watcher in
      try await daemon.program.expectSleep(for: .seconds(3))
    } before: { bus in
      running.programs = [try await bus.start(), try await bus.networkManager("1:eth0:eth0:4")]
    }
  }

  /// Programs that live as long as a test.
  private final class Box: @unchecked Sendable {
    // Only the test's own task touches it.
    var programs: [RunningProgram] = []
  }
}
