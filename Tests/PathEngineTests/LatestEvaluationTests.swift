import KernelPath
import KernelTestSupport
import PathModel
import Testing

@testable import PathDecisions
@testable import PathEngine

/// The latest evaluation is the only memory of the kernel's answers.
@Suite("The latest evaluation", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct LatestEvaluationTests {
  /// A kernel with a cable `eth0` and a default route, and a path that the kernel has confirmed.
  private static func run(
    _ body: @escaping @Sendable (Kernel, UserClassPath, TestNamespace) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      try namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      try namespace.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      let kernel = try Kernel(probes: .standard)
      #expect(try kernel.difference(fromFreshWithin: .seconds(20)) == nil)
      let path = try UserClassPath(of: nil, kernel, .standard)
      // The first evaluation did not know that the traffic leaves over the cable.
      _ = try path.evaluate(kernel, .standard)
      #expect(try !path.evaluate(kernel, .standard))
      try body(kernel, path, namespace)
    }
  }

  @Test func `each fact that an evaluation rests on makes it be evaluated anew`() async throws {
    try await Self.run { kernel, path, namespace in
      let changes: [(String, () throws -> Void)] = [
        ("an address", { try namespace.ip("address add 192.0.2.9/24 dev eth0") }),
        ("a link", { try namespace.ip("link set eth0 mtu 1400") }),
        ("a new link", { try namespace.ip("link add eth1 type veth peer name eth1p") }),
        ("a link that goes", { try namespace.ip("link delete eth1") }),
        ("a rule", { try namespace.ip("rule add pref 100 lookup 100") }),
        ("the settings of a link", { try namespace.setParameter("net.ipv4.conf.eth0.forwarding=1") }),
        ("a network's cost", { kernel.apply(.networkManager(["eth0": .yes], [:])) }),
        (
          "a network's verdict",
          { kernel.apply(.networkManager(["eth0": .yes], ["eth0": DeviceConnectivity(ipv4: .full)])) }
        ),
        ("the resolver configuration", { kernel.apply(.resolver(.servers(["192.0.2.54"]))) }),
        ("an answer", { try namespace.ip("route replace default via 192.0.2.7 dev eth0 metric 100") }),
      ]
      for (name, change) in changes {
        try change()
        _ = try kernel.drain()
        #expect(try path.evaluate(kernel, .standard), "\(name)")
        #expect(try !path.evaluate(kernel, .standard), "\(name)")
      }
    }
  }

  @Test func `a message that tells nothing new lets the evaluation hold`() async throws {
    try await Self.run { kernel, path, namespace in
      // The route covers no sample address, but for the filter it might, and the link is what it was.
      try namespace.ip("route add 192.0.0.0/8 via 192.0.2.1")
      try namespace.ip("link set eth0 mtu 1400")
      try namespace.ip("link set eth0 mtu 1500")
      _ = try kernel.drain()
      _ = try path.evaluate(kernel, .standard)
      try namespace.ip("link set eth0 txqueuelen 7")
      #expect(try kernel.drain().messages > 0)
      #expect(try !path.evaluate(kernel, .standard))
    }
  }

  @Test func `the cause of a lost path is not looked up again while the kernel confirms it and no rule changes`()
    async throws
  {
    try await Self.run { kernel, path, namespace in
      try namespace.ip("rule add pref 100 prohibit")
      _ = try kernel.drain()
      #expect(try path.evaluate(kernel, .standard))
      #expect(path.path.knownDiagnosis?.subject == "rule 100")
      #expect(try !path.evaluate(kernel, .standard))
      #expect(path.path.knownDiagnosis?.subject == "rule 100")
      // The answers of the kernel stay the same.
      try namespace.ip("rule add pref 90 prohibit")
      _ = try kernel.drain()
      #expect(try path.evaluate(kernel, .standard))
      #expect(path.path.knownDiagnosis?.subject == "rule 90")
    }
  }

  @Test func `a cause that rests on the routes in a table is looked up each time`() async throws {
    try await Self.run { kernel, path, namespace in
      try namespace.ip("rule del pref 32766")
      _ = try kernel.drain()
      for _ in 0..<3 {
        #expect(try path.evaluate(kernel, .standard))
        #expect(path.path.knownDiagnosis?.code == .noRuleForMainTable)
      }
    }
  }

  @Test func `a path that was stale is evaluated anew`() async throws {
    try await Self.run { kernel, path, _ in
      path.becomeStale()
      #expect(path.path.knowledge == .stale)
      let isAnew = try path.evaluate(kernel, .standard)
      #expect(isAnew)
      #expect(path.path.knowledge == .known)
      #expect(try !path.evaluate(kernel, .standard))
    }
  }
}
