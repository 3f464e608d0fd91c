import ProcessTestSupport
import Testing

/// The packets that the validator causes, counted at the other end of the cable.
@Suite("Packets of the validator", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct PacketTests {
  /// Has the path change a few times, as a bad cable does.
  private static func flap(_ internet: LocalInternet) async throws {
    for _ in 0..<5 {
      try await internet.network.ip(
        "link set eth0 down", "link set eth0 up", "route replace default via 192.0.2.1 dev eth0 metric 100")
    }
  }

  /// Lets the time pass in which a packet would come.
  private static func rest() async throws { try await Task.sleep(for: .seconds(3)) }

  @Test func `without the validator, and without hosts, none is sent however often the path changes`() async throws {
    try await LocalInternet.with { internet in
      try await Self.flap(internet)
      try internet.directory.write("validation.conf", "[Validation]\nAlsoOver=container\n")
      let validator = try internet.startValidator()
      try await internet.daemon.waitForSubscribers(1)
      try await Self.flap(internet)
      try await Self.rest()
      #expect(internet.seen("packet").isEmpty)
      validator.kill()
    }
  }

  @Test func `each host is asked once by each family, and nobody while the network is validated`() async throws {
    try await LocalInternet.with(hasIPv6: true) { internet in
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      let validator = try internet.startValidator()
      _ = try await watcher.output.wait(lineWith: #""validation":{"state":"validated""#)
      // A change that leaves the network as it is.
      try await internet.network.ip("address add 192.0.2.77/24 dev eth0", "address del 192.0.2.77/24 dev eth0")
      try await Self.rest()
      let places = ["203.0.113.1", "2001:db8:1::1", "203.0.113.2", "2001:db8:1::2"]
      #expect(internet.requests.sorted() == places.flatMap { ["\($0) 80", "\($0) 443"] }.sorted())
      // For each of them, TCP, and UDP to the name server. By IPv6, libcurl asks for both kinds of addresses.
      #expect(internet.seen("packet 6").count == 8 && internet.seen("packet 17").count == 8)
      #expect(Set(internet.seen("dns")) == ["dns a.example", "dns b.example"] && internet.seen("dns").count <= 16)
      #expect(internet.seen("packet").count == 16, "\(internet.servers.output.lines)")
      validator.kill()
    }
  }

  @Test func `while the network is not validated, the pauses double`() async throws {
    let sites = LocalInternet.sites.map { ($0, LocalInternet.Behaviour.redirect) }
    try await LocalInternet.with(.init(sites: Dictionary(uniqueKeysWithValues: sites))) { internet in
      let validator = try internet.startValidator()
      let begin = ContinuousClock.now
      _ = try await internet.servers.output.wait(for: "four rounds", within: .seconds(30)) { lines in
        lines.count { $0.hasPrefix("request") } >= 16 ? true : nil
      }
      // After 1, 2 and 4 s, or three quarters of that.
      #expect(begin.duration(to: .now) >= .milliseconds(5_250))
      #expect(internet.requests.count == 16)
      validator.kill()
    }
  }

  /// A kind of path: the fact that makes it one, and the words that allow it.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var link = LocalInternet.Link.cable
    var override: String?
    let allowing: String
  }

  static let kinds = [
    Kind(testDescription: "container", allowing: "container"),
    Kind(testDescription: "metered", override: "metered", allowing: "container metered"),
    Kind(testDescription: "constrained", override: "constrained", allowing: "container constrained"),
    Kind(testDescription: "tunnel", link: .tunnel, allowing: "tunnel"),
  ]

  @Test("over a path of this kind, none is sent unless it is allowed", arguments: kinds)
  func kind(_ kind: Kind) async throws {
    try await LocalInternet.with(link: kind.link) { internet in
      if let override = kind.override {
        #expect(try await internet.daemon.pathctl("override", "set", override, "yes").status == 0)
      }
      let others = kind.allowing.split(separator: " ").filter { $0 != kind.testDescription }.joined(separator: " ")
      try internet.directory.write("validation.conf", LocalInternet.configuration(alsoOver: others))
      let refused = try internet.startValidator()
      try await internet.daemon.waitForSubscribers(1)
      let outcome = try await internet.validateOnce()
      #expect(outcome.status == 69)
      #expect(outcome.complaints.contains("of this kind: \(kind.testDescription). 'AlsoOver=\(kind.testDescription)'"))
      try await internet.network.ip("address add 192.0.2.77/24 dev eth0", "address del 192.0.2.77/24 dev eth0")
      try await Self.rest()
      #expect(internet.seen("packet").isEmpty && internet.seen("tunnelled").isEmpty)
      try await refused.killAndWait()

      try internet.directory.write("validation.conf", LocalInternet.configuration(alsoOver: kind.allowing))
      let validator = try internet.startValidator()
      let word = kind.link == .tunnel ? "tunnelled" : "request"
      _ = try await internet.servers.output.wait(lineWith: word)
      validator.kill()
    }
  }
}
