import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// A verdict belongs to the network on which it was made, however that network changes.
@Suite("Networks that change", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct MovingNetworkTests {
  private static let portal = LocalInternet.Behaviours(
    sites: Dictionary(uniqueKeysWithValues: LocalInternet.sites.map { ($0, .redirect) }))
  /// One host that answers late keeps each round going for a moment.
  private static let slow = LocalInternet.Behaviours(
    sites: Dictionary(uniqueKeysWithValues: LocalInternet.sites.suffix(2).map { ($0, .fault("silence")) }))

  /// The verdicts that were published, in a row of different ones.
  private static func states(_ lines: some Sequence<String>) -> [String] {
    lines.reduce(into: []) { states, line in
      let state = line.firstMatch(of: /"validation":{"state":"(\w+)"/).map { String($0.1) } ?? "none"
      if states.last != state { states.append(state) }
    }
  }

  private static func wait(_ watcher: RunningProgram, for state: String) async throws {
    _ = try await watcher.output.wait(for: state, within: .seconds(60)) { lines in
      states(lines.suffix(1)) == [state] ? true : nil
    }
  }

  private static func wait(_ internet: LocalInternet, forRequests count: Int) async throws {
    _ = try await internet.servers.output.wait(for: "\(count) requests", within: .seconds(60)) { lines in
      lines.count { $0.hasPrefix("request") } >= count ? true : nil
    }
  }

  /// Runs the body with a validator that has validated the network, and a subscriber.
  private static func validated(
    _ body: (LocalInternet, _ watcher: RunningProgram, _ validator: RunningProgram) async throws -> Void
  ) async throws {
    try await LocalInternet.with { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      let validator = try internet.startValidator()
      try await wait(watcher, for: "validated")
      try await body(internet, watcher, validator)
      validator.kill()
    }
  }

  @Test func `a cable that moves to a captive network with the same router takes no verdict along`() async throws {
    try await LocalInternet.with(Self.slow) { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      let validator = try internet.startValidator()
      // The round has begun, and the first network answers rightly.
      try await Self.wait(internet, forRequests: 2)
      try await internet.network.ipFar("link set eth0 down")
      let count = watcher.output.lines.count
      try internet.change(Self.portal)
      try await internet.network.ipFar("link set eth0 up")
      try await internet.network.ip("route replace default via 192.0.2.1 dev eth0 metric 100")
      try await Self.wait(watcher, for: "portal")
      #expect(Self.states(watcher.output.lines.dropFirst(count)).contains("validated") == false)
      validator.kill()
    }
  }

  @Test func `another router at the same address, without a loss of link, is another network`() async throws {
    try await Self.validated { internet, watcher, validator in
      // The kernel asks for the router soon, and finds another one.
      let settings = ["base_reachable_time_ms=1000", "delay_first_probe_time=1", "retrans_time_ms=200"]
      for setting in settings {
        try await RunningProgram.succeed(
          ["ip", "netns", "exec", internet.network.near, "sysctl", "-q", "-w", "net.ipv4.neigh.eth0.\(setting)"])
      }
      try internet.change(Self.portal)
      try await internet.network.ipFar("link set eth0 address 02:00:00:00:99:01")
      let sending = "while :; do echo >/dev/udp/203.0.113.1/9; sleep 0.2; done 2>/dev/null"
      let traffic = try RunningProgram(["bash", "-c", sending], namespace: internet.network.near)
      try await Self.wait(watcher, for: "portal")
      #expect(Self.states(watcher.output.lines) == ["unknown", "validated", "unknown", "portal"])
      traffic.kill()
    }
  }

  @Test(arguments: [0, 20, 60, 200])
  func `a default route that is away for a moment, as the verdict is reported, loses no verdict`(
    milliseconds: Int
  ) async throws {
    try await LocalInternet.with { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      let validator = try internet.startValidator()
      try await Self.wait(internet, forRequests: 3)
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await internet.network.ip("route del default dev eth0")
      try await Task.sleep(for: .milliseconds(120))
      try await internet.network.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      try await Self.wait(watcher, for: "validated")
      validator.kill()
    }
  }

  @Test func `a validator that is restarted without hosts, or with a mistake, has no verdict and says why`()
    async throws
  {
    try await Self.validated { internet, watcher, validator in
      for file in ["[Validation]\nAlsoOver=container\n", "[Validation]\nHost=nonsense\n"] {
        try internet.directory.write("validation.conf", file)
        validator.send(SIGTERM)
        try await Self.wait(watcher, for: "unknown")
        let successor = try internet.startValidator()
        let complaint = try await successor.complaints.wait(for: "a word in the journal", within: .seconds(60)) {
          $0.first
        }
        #expect(complaint.contains(file.contains("nonsense") ? "Host=" : "no host is asked"), "\(complaint)")
        let note = try await Self.note(internet)
        #expect(note.contains(file.contains("nonsense") ? "AlsoOver=" : "names no two hosts"), "\(note)")
        #expect(
          try await internet.daemon.pathctl("explain").output.contains(note.dropFirst("note: no validation: ".count)))
        #expect(try await internet.validation()["state"]?.stringValue == "unknown")
        successor.send(SIGTERM)
        #expect(try await successor.waitForExit() == 0)
      }
    }
  }

  /// The note on the validation in `pathctl health`.
  private static func note(_ internet: LocalInternet) async throws -> String {
    while true {
      let lines = try await internet.daemon.pathctl("health").output.split(separator: "\n")
      if let note = lines.first(where: { $0.hasPrefix("note: no validation") }) { return String(note) }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: Another verdict, sooner or later

  @Test func `after its page was opened, a network is asked again, and keeps its verdict meanwhile`() async throws {
    try await Self.validated { internet, watcher, validator in
      let count = internet.requests.count
      let renewal = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        s.sendall(b'{"method":"io.pathmonitor.PathMonitor.RenewValidation","parameters":{}}\\0')
        assert s.recv(99) == b'{"parameters":{}}\\0'
        """
      #expect(try await Python.run(renewal, internet.daemon.socket).status == 0)
      try await Self.wait(internet, forRequests: count + 4)
      #expect(Self.states(watcher.output.lines) == ["unknown", "validated"])
      try internet.change(Self.portal)
      #expect(try await Python.run(renewal, internet.daemon.socket).status == 0)
      try await Self.wait(watcher, for: "portal")
    }
  }

  @Test func `the end of a sign-in that the network has announced is noticed`() async throws {
    let open = LocalInternet.Behaviours(announced: .captive(#"{"captive": false, "seconds-remaining": 3}"#))
    try await LocalInternet.with(open, announced: LocalInternet.interface) { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      let validator = try internet.startValidator()
      try await Self.wait(watcher, for: "validated")
      var closed = Self.portal
      closed.announced = .captive(#"{"captive": true}"#)
      try internet.change(closed)
      try await Self.wait(watcher, for: "portal")
      validator.kill()
    }
  }

  @Test func `a host that wants to be left alone is left alone, and its answer counts`() async throws {
    let busy = LocalInternet.Behaviour.answer(503, headers: ["Retry-After: 3600"])
    let sites = Dictionary(uniqueKeysWithValues: LocalInternet.sites.map { ($0, busy) })
    try await LocalInternet.with(.init(sites: sites)) { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      let validator = try internet.startValidator()
      try await Self.wait(watcher, for: "partial")
      // The next round would follow within two seconds.
      try await Task.sleep(for: .seconds(4))
      #expect(internet.requests.count == 4)
      validator.kill()
    }
  }

  // MARK: An end of all that is under way

  @Test func `a round in which nobody answers holds up neither the end of the program nor its threads`() async throws {
    try await LocalInternet.with(.init(every: 1_000_000)) { internet in
      let validator = try internet.startValidator()
      try await internet.network.ipFar("address add 192.0.2.9/24 dev eth0")
      _ = try await internet.servers.output.wait(lineWith: "dns", within: .seconds(60))
      // Each change of the router begins another round with four look-ups, which take six seconds.
      for number in 0..<8 {
        let count = internet.seen("dns").count
        try await internet.network.ip(
          "route replace default via 192.0.2.\(number % 2 == 0 ? 9 : 1) dev eth0 metric 100")
        _ = try await internet.servers.output.wait(for: "a look-up", within: .seconds(60)) { lines in
          lines.count { $0.hasPrefix("dns") } > count ? true : nil
        }
      }
      let status = try String(contentsOfFile: "/proc/\(validator.processIdentifier)/status", encoding: .utf8)
      let threads = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }?.split(separator: "\t").last
      #expect(try #require(threads.flatMap { Int($0) }) <= 25, "four rounds with four look-ups each")
      let begin = ContinuousClock.now
      validator.send(SIGTERM)
      #expect(try await validator.waitForExit() == 0)
      // A round takes ten seconds.
      #expect(begin.duration(to: .now) < .seconds(5))
    }
  }
}
