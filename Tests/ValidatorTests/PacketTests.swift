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

  /// Has an address come and go, which leaves the network as it is, and waits for as long as a packet could take.
  private static func rest(_ internet: LocalInternet) async throws {
    try await internet.network.ip("address add 192.0.2.77/24 dev eth0", "address del 192.0.2.77/24 dev eth0")
    try await Task.sleep(for: .seconds(3))
  }

  @Test func `without the validator, and without hosts, none is sent however often the path changes`() async throws {
    try await LocalInternet.with { internet in
      try await Self.flap(internet)
      try internet.directory.write("validation.conf", LocalInternet.hostless)
      let validator = try internet.startValidator()
      try await internet.daemon.waitForSubscribers(1)
      try await Self.flap(internet)
      try await Self.rest(internet)
      #expect(internet.seen("packet").isEmpty)
      validator.kill()
    }
  }

  @Test func `each host is asked once by each family, and nobody while the network is validated`() async throws {
    try await LocalInternet.judged(hasIPv6: true) { internet, _, _ in
      try await Self.rest(internet)
      let places = ["203.0.113.1", "2001:db8:1::1", "203.0.113.2", "2001:db8:1::2"]
      #expect(internet.requests.sorted() == places.flatMap { ["\($0) 80", "\($0) 443"] }.sorted())
      // For each of them, TCP, and UDP to the name server. By IPv6, libcurl asks for both kinds of addresses.
      #expect(internet.seen("packet 6").count == 8 && internet.seen("packet 17").count == 8)
      #expect(Set(internet.seen("dns")) == ["dns a.example", "dns b.example"] && internet.seen("dns").count <= 16)
      #expect(internet.seen("packet").count == 16, "\(internet.servers.output.lines)")
    }
  }

  @Test(
    "over a path of this kind, none is sent unless it is allowed",
    arguments: [("container", ""), ("metered", "container"), ("constrained", "container"), ("tunnel", "")])
  func kind(_ kind: String, _ others: String) async throws {
    let link = kind == "tunnel" ? LocalInternet.Link.tunnel : .cable
    try await LocalInternet.with(link: link) { internet in
      if !others.isEmpty { #expect(try await internet.daemon.pathctl("override", "set", kind, "yes").status == 0) }
      try internet.directory.write("validation.conf", LocalInternet.configuration(alsoOver: others))
      let refused = try internet.startValidator()
      try await internet.daemon.waitForSubscribers(1)
      let outcome = try await internet.validateOnce()
      #expect(outcome.status == 69)
      #expect(outcome.complaints.contains("of this kind: \(kind). 'AlsoOver=\(kind)'"))
      try await Self.rest(internet)
      #expect(internet.seen("packet").isEmpty && internet.seen("tunnelled").isEmpty)
      try await refused.killAndWait()

      try internet.directory.write("validation.conf", LocalInternet.configuration(alsoOver: "\(others) \(kind)"))
      let validator = try internet.startValidator()
      try await internet.servers.output.wait(lineWith: link == .tunnel ? "tunnelled" : "request")
      validator.kill()
    }
  }
}
