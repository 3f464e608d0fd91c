import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// A verdict belongs to the network on which it was made, however that network changes.
@Suite("Networks that change", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct MovingNetworkTests {
  @Test func `a cable that moves to a captive network with the same router takes no verdict along`() async throws {
    // One host that answers late keeps each round going for a moment.
    let slow = LocalInternet.sites.suffix(2).map { ($0, LocalInternet.Behaviour.fault("silence")) }
    try await LocalInternet.with(.init(sites: Dictionary(uniqueKeysWithValues: slow))) { internet in
      let watcher = try await internet.startWatcher()
      let validator = try internet.startValidator()
      // The round has begun, and the first network answers rightly.
      try await internet.wait(2)
      try await internet.network.ipFar("link set eth0 down")
      let count = watcher.output.lines.count
      try internet.change(.all(.redirect))
      try await internet.network.ipFar("link set eth0 up")
      try await internet.network.ip("route replace default via 192.0.2.1 dev eth0 metric 100")
      try await watcher.path(judged: "portal")
      #expect(!watcher.states(after: count).contains("validated"))
      validator.kill()
    }
  }

  @Test func `another router at the same address, without a loss of link, is another network`() async throws {
    try await LocalInternet.judged { internet, watcher, _ in
      try internet.change(.all(.redirect))
      try await internet.network.ipFar("link set eth0 address 02:00:00:00:99:01")
      let traffic = try await internet.makeTraffic()
      try await watcher.path(judged: "portal")
      #expect(watcher.states() == ["unknown", "validated", "unknown", "portal"])
      traffic.kill()
    }
  }

  @Test(arguments: [0, 20, 60, 200])
  func `a default route that is away for a moment, as the verdict is reported, loses no verdict`(
    milliseconds: Int
  ) async throws {
    try await LocalInternet.with { internet in
      let watcher = try await internet.startWatcher()
      let validator = try internet.startValidator()
      try await internet.wait(3)
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await internet.network.ip("route del default dev eth0")
      try await Task.sleep(for: .milliseconds(120))
      try await internet.network.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      try await watcher.path(judged: "validated")
      validator.kill()
    }
  }

  @Test func `a validator that is restarted without hosts, or with a mistake, has no verdict and says why`()
    async throws
  {
    try await LocalInternet.judged { internet, watcher, validator in
      for (file, complaint, reason) in [
        (LocalInternet.hostless, "no host is asked", "names no two hosts"),
        ("[Validation]\nHost=nonsense\n", "Host=", "AlsoOver="),
      ] {
        try internet.directory.write("validation.conf", file)
        validator.send(SIGTERM)
        try await watcher.path(judged: "unknown")
        let successor = try internet.startValidator()
        try await successor.complaints.wait(lineWith: complaint, within: .seconds(60))
        let note = try await Self.note(internet)
        #expect(note.contains(reason), "\(note)")
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
    try await LocalInternet.judged { internet, watcher, _ in
      let count = internet.requests.count
      let renewal = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        s.sendall(b'{"method":"io.pathmonitor.PathMonitor.RenewValidation","parameters":{}}\\0')
        assert s.recv(99) == b'{"parameters":{}}\\0'
        """
      #expect(try await Python.run(renewal, internet.daemon.socket).status == 0)
      try await internet.wait(count + 4)
      #expect(watcher.states() == ["unknown", "validated"])
      try internet.change(.all(.redirect))
      #expect(try await Python.run(renewal, internet.daemon.socket).status == 0)
      try await watcher.path(judged: "portal")
    }
  }

  @Test func `the end of a sign-in that the network has announced is noticed`() async throws {
    let open = LocalInternet.Behaviours(announced: .captive(#"{"captive": false, "seconds-remaining": 3}"#))
    try await LocalInternet.judged(open, announced: LocalInternet.interface) { internet, watcher, _ in
      var closed = LocalInternet.Behaviours.all(.redirect)
      closed.announced = .captive(#"{"captive": true}"#)
      try internet.change(closed)
      try await watcher.path(judged: "portal")
    }
  }

  @Test func `a host that wants to be left alone is left alone, and its answer counts`() async throws {
    let busy = LocalInternet.Behaviours.all(.answer(503, headers: ["Retry-After: 3600"]))
    try await LocalInternet.judged(busy, as: "partial") { internet, _, _ in
      // The next round would follow within two seconds.
      try await Task.sleep(for: .seconds(4))
      #expect(internet.requests.count == 4)
    }
  }

  // MARK: An end of all that is under way

  @Test func `a round in which nobody answers holds up neither the end of the program nor its threads`() async throws {
    try await LocalInternet.with(.init(every: 1_000_000)) { internet in
      let validator = try internet.startValidator()
      try await internet.network.ipFar("address add 192.0.2.9/24 dev eth0")
      try await internet.wait(1, of: "dns")
      // Each change of the router begins another round with four look-ups, which take six seconds.
      for number in 0..<8 {
        let count = internet.seen("dns").count
        try await internet.network.ip(
          "route replace default via 192.0.2.\(number % 2 == 0 ? 9 : 1) dev eth0 metric 100")
        try await internet.wait(count + 1, of: "dns")
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
