import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("The kernel's answers", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelAnswerTests {
  private static let router = IPAddress(ipv4: 0xc000_0201)
  private static let probe = IPAddress(ipv4: 0xc100_0e81)

  @Test func `many questions are answered in their order, each by itself`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      let unknown = IPAddress(ipv4: 0xcb00_7101)
      try namespace.ip("route add blackhole 203.0.113.0/24")
      let queries = (0..<100).map {
        RouteQuery(destination: $0 % 3 == 0 ? unknown : Self.probe, kind: $0 % 2 == 0 ? .match : .resolve)
      }
      let answers = try kernel.answers(to: queries)
      #expect(answers.count == queries.count)
      for (query, answer) in zip(queries, answers) {
        switch answer {
        case .refused(let errorNumber):
          #expect(query.destination == unknown)
          #expect(errorNumber == 22)
        case .route(let route):
          #expect(query.destination == Self.probe)
          #expect(route.legs == [RouteLeg(interfaceIndex: 10, gateway: Self.router)])
          #expect(route.source == (query.kind == .resolve ? IPAddress("192.0.2.2") : nil))
          #expect(route.metric == (query.kind == .match ? 100 : 0))
        }
      }
    }
  }

  @Test func `an empty batch of questions has no answers, and is not sent`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      #expect(try kernel.answers(to: []).isEmpty)
    }
  }

  @Test func `a question bound to an interface is answered for that interface only`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try namespace.ip("link add eth1 index 20 type veth peer name eth1p")
      let answers = try kernel.answers(
        to: [10, 20].map {
          RouteQuery(destination: Self.probe, kind: .match, interfaceIndex: $0)
        })
      #expect(answers.map { if case .route = $0 { true } else { false } } == [true, false])
    }
  }

  @Test func `a question as another user follows that user's rules`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try namespace.ip("rule add pref 100 uidrange 12345-12345 prohibit")
      _ = try kernel.drain()
      let answers = try kernel.answers(
        to: [nil, 12_345].map {
          RouteQuery(destination: Self.probe, kind: .match, user: $0)
        })
      #expect(answers.last == .refused(errorNumber: 13))
      #expect(answers.first != answers.last)
    }
  }

  @Test(arguments: ["blackhole", "unreachable", "prohibit", "throw"])
  func `each kind of refusal has the errno that connect would give`(kind: String) async throws {
    let expected: [String: Int32] = ["blackhole": 22, "unreachable": 113, "prohibit": 13, "throw": 101]
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try namespace.ip("route add \(kind) 193.0.14.0/24")
      try namespace.ip("route delete default")
      _ = try kernel.drain()
      let answer = try kernel.answers(to: [RouteQuery(destination: Self.probe, kind: .match)])
      #expect(answer == [.refused(errorNumber: expected[kind] ?? 0)])
    }
  }

  @Test func `each answer is that of the moment, also where no message announces its change`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      let host = RouteQuery(destination: IPAddress(ipv4: 0xcb00_7101), kind: .match)
      guard case .route? = try kernel.answers(to: [host]).first else {
        Issue.record("there is no route to begin with")
        return
      }
      // The last messages about the link come up to a second after it is up.
      while isReadable(kernel.eventDescriptor, within: .milliseconds(1_100)) { _ = try kernel.drain() }
      try namespace.ip("route add unreachable 203.0.113.0/24")
      #expect(try kernel.drain().messages == 0)
      #expect(try kernel.answers(to: [host]) == [.refused(errorNumber: 113)])
    }
  }

  private static func start(in namespace: TestNamespace) throws -> Kernel {
    try namespace.ip("link add eth0 index 10 type veth peer name eth0 netns \(namespace.far)")
    // Duplicate detection of a link-local address would send a message seconds later.
    try namespace.ip("link set eth0 addrgenmode none")
    try namespace.ip("link set eth0 up")
    try namespace.ipFar("link set eth0 up")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip("route add default via 192.0.2.1 metric 100")
    let kernel = try Kernel(probes: .standard)
    #expect(try kernel.difference(fromFreshWithin: .seconds(20)) == nil)
    return kernel
  }
}
