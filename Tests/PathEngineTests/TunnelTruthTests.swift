import KernelPath
import KernelTestSupport
import PathEngine
import PathModel
import PathTestSupport
import SystemIO
import Testing

/// Answers about tunnels, pairs, sinks and bridges are compared with the cable by which a packet really leaves.
@Suite("The way of tunnels and the packets", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct TunnelTruthTests {
  private static let bursts = Environment.value("PATHMONITOR_BURSTS").flatMap(Int.init) ?? 1_000
  private static let burstsPerBeginning = 10
  private static let seed = Environment.value("PATHMONITOR_SEED").flatMap(UInt64.init) ?? 2026

  @Test(.timeLimit(.minutes(10)), arguments: [seed])
  func `after random changes the answers agree with the packets of tunnels`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      let stage = try TunnelStage(namespace)
      defer { stage.close() }
      var random = SeededGenerator(seed: seed)
      var history: [TunnelStage.Command] = []
      for burst in 0..<Self.bursts {
        if burst % Self.burstsPerBeginning == 0 {
          history = TunnelStage.beginning
          try stage.run(TunnelStage.beginning)
        } else {
          let commands = (0..<3).map { _ in random.pick(TunnelStage.commands) }
          history += commands
          try stage.run(commands)
        }
        guard let contradiction = try stage.contradiction() else { continue }
        Issue.record(
          """
          seed \(seed), burst \(burst): \(contradiction)
          after \(history.map(\.description).joined(separator: "\n"))
          """)
        return
      }
      #expect(stage.ways.count >= 5, "seed \(seed) had only these ways: \(stage.ways.sorted())")
    }
  }
}

/// A namespace with two tunnels, a bridge that has a cable and a sink, a bridge that a third tunnel feeds beside a
/// container, the pair of another container, and two cables. It compares the path with the frames at the other ends of
/// the cables.
private final class TunnelStage {
  struct Command: Hashable, CustomStringConvertible {
    var text: String
    var isFar = false
    var description: String { "ip \(isFar ? "-n far " : "")\(text)" }
  }

  /// The links whose other ends are in the far namespace, with the addresses of their near ends. The cable of the
  /// bridge has none: the bridge sends its frames.
  private static let ends = ["c0": 0, "c1": 1, "br0": 2, "g0": 3]
  /// The port of VXLAN, to which a tunnel sends its packets.
  private static let tunnelPort: UInt16 = 4_789
  private static let patience = Duration.seconds(4)

  private static func hardwareAddress(_ number: Int) -> String { "02:00:00:00:02:0\(number)" }

  private let namespace: TestNamespace
  private let loop: EventLoop
  private let engine: PathEngine
  private let capture: FrameCapture
  private var latest: NetworkPath?
  private var port: UInt16 = 20_000
  /// The ways that packets have taken so far, in words.
  private(set) var ways: Set<String> = []

  init(_ namespace: TestNamespace) throws {
    self.namespace = namespace
    let far = namespace.far
    try namespace.batch([
      "link add c0 index 10 address \(Self.hardwareAddress(0)) type veth peer name c0 netns \(far) index 110",
      "link add c1 index 11 address \(Self.hardwareAddress(1)) type veth peer name c1 netns \(far) index 111",
      "link add c2 index 12 type veth peer name c2 netns \(far) index 112",
      "link add g0 index 13 address \(Self.hardwareAddress(3)) type veth peer name g0 netns \(far) index 113",
      "link add br0 index 20 address \(Self.hardwareAddress(2)) type bridge",
      "link add s0 index 21 type ifb", "link add d0 index 22 type ifb",
      "link add t0 index 30 type vxlan id 7 remote 203.0.113.5 dstport \(Self.tunnelPort)",
      "link add t1 index 31 type vxlan id 8 remote 192.0.3.9 dstport \(Self.tunnelPort)",
      "link set c2 master br0", "link add br1 index 23 address \(Self.hardwareAddress(4)) type bridge",
      "link add t2 index 32 type vxlan id 9 remote 203.0.113.5 dstport \(Self.tunnelPort)", "link set t2 master br1",
      "link add g1 index 14 type veth peer name g1 netns \(far) index 114", "link set g1 master br1",
    ])
    // Packets need no neighbours, so no program has to answer. A bridge needs one to send at all.
    try namespace.batch(["c0", "c1", "g0", "t0", "t1", "d0"].map { "link set \($0) arp off addrgenmode none" })
    try namespace.batch(["s0", "c2", "br0", "br1", "t2", "g1"].map { "link set \($0) addrgenmode none" })
    try namespace.batch([
      "address add 192.0.2.2/24 dev c0", "address add 192.0.3.2/24 dev c1", "address add 192.0.4.2/24 dev br0",
      "address add 10.44.0.1/24 dev g0", "address add 10.45.0.1/24 dev d0", "address add 10.8.0.2/24 dev t0",
      "address add 10.9.0.2/24 dev t1", "address add 192.0.5.2/24 dev br1",
    ])
    try namespace.batch(["c0", "c1", "c2", "g0", "g1"].map { "link set \($0) up" }, inFar: true)
    capture = try FrameCapture(namespace)
    loop = try EventLoop()
    engine = try PathEngine(loop: loop)
    _ = engine.subscribe(.immediate) { [unowned self] in latest = $0 }
  }

  func close() { engine.stop() }

  private static let links = ["c0", "c1", "c2", "g0", "g1", "br0", "br1", "s0", "d0", "t0", "t1", "t2"]
  private static let defaults = [
    "default dev d0 metric 4", "default dev t0 metric 5", "default dev t1 metric 6",
    "default via 192.0.2.1 dev c0 metric 10", "default via 192.0.3.1 dev c1 metric 11",
    "default via 192.0.4.1 dev br0 metric 12", "default via 10.44.0.2 dev g0 metric 13",
    "default via 192.0.5.1 dev br1 metric 7",
  ]
  private static let serverRoutes = [
    "203.0.113.5 via 192.0.2.1 dev c0", "203.0.113.5 via 192.0.3.1 dev c1", "203.0.113.5 via 192.0.4.1 dev br0",
    "203.0.113.5 via 192.0.5.1 dev br1", "unreachable 203.0.113.5",
  ]

  /// The commands from which the changes are drawn. Many of them fail.
  static let commands: [Command] =
    (links + links).map { Command(text: "link set \($0) up") } + links.map { Command(text: "link set \($0) down") }
    + ["c0", "c1", "c2", "g0", "g1"].flatMap { name in
      ["up", "down"].map { Command(text: "link set \(name) \($0)", isFar: true) }
    }
    + (defaults + defaults + serverRoutes).map { Command(text: "route replace \($0)") }
    + (defaults + serverRoutes).map { Command(text: "route delete \($0)") }
    + ["link set s0 master br0", "link set s0 nomaster", "link set c2 nomaster", "link set c2 master br0"]
    .map { Command(text: $0) }

  /// The commands that lead from anywhere to links that are all up, a route to the server, and one default route.
  static let beginning: [Command] =
    (defaults + serverRoutes).map { Command(text: "route delete \($0)") }
    + ["c0", "c1", "c2", "g0", "g1"].map { Command(text: "link set \($0) up", isFar: true) }
    + links.map { Command(text: "link set \($0) up") }
    + [
      "link set c2 master br0", "link set s0 nomaster",
      "route replace 203.0.113.5 via 192.0.2.1 dev c0", "route replace default via 192.0.2.1 dev c0 metric 10",
    ].map { Command(text: $0) }

  func run(_ commands: [Command]) throws {
    for command in commands { try namespace.batch([command.text], inFar: command.isFar) }
    // A bridge that was down has forgotten its neighbour.
    for (bridge, network) in [("br0", 4), ("br1", 5)] {
      try namespace.batch(["neighbour replace 192.0.\(network).1 lladdr 02:00:00:00:09:09 dev \(bridge) nud permanent"])
    }
  }

  /// The wrong answers, in words; `nil` when all are right, or become right in time.
  func contradiction() throws -> String? {
    var found: String?
    let isRight = try loop.run(within: Self.patience) {
      found = try contradictionNow()
      return found == nil
    }
    return isRight ? nil : found
  }

  private func contradictionNow() throws -> String? {
    let way = send()
    let direct = try PathReader(isFollowing: false).path()
    for (source, path) in [
      ("asked of the service", engine.freshPath()), ("asked of the kernel", direct), ("the stream", latest ?? .unknown),
    ] {
      if let wrong = Self.contradiction(in: path, way) { return "\(source): \(wrong)" }
    }
    ways.insert(way.map { "\($0.isTunnelled ? "tunnel over " : "")\($0.link)" } ?? "none")
    return nil
  }

  /// Sends packets to the first probe, and returns the link by which the first of them has left.
  private func send() -> (link: String, isTunnelled: Bool)? {
    _ = capture.drain()
    port = port == 60_000 ? 20_000 : port + 1
    ConnectionAttempt.sendPackets(2, to: ProbeAddresses.standard.ipv4[0], port: port)
    // A softirq delivers frames, which may be late on a busy machine.
    for patience in [Duration.zero, .milliseconds(5), .milliseconds(40)] {
      for frame in capture.drain(within: patience) {
        let isTunnelled = frame.destinationPort == Self.tunnelPort
        let address = frame.sourceAddress.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
        guard isTunnelled || frame.destinationPort == port,
          let link = Self.ends.first(where: { Self.hardwareAddress($0.value) == address.joined(separator: ":") })?.key
        else { continue }
        return (link, isTunnelled)
      }
    }
    return nil
  }

  private static func contradiction(in path: NetworkPath, _ way: (link: String, isTunnelled: Bool)?) -> String? {
    guard let way else {
      return path.supportsIPv4 ? "\(path), but no packet leaves" : nil
    }
    let said = "\(path) on \(path.interfaces.first?.underlying ?? [])"
    guard path.supportsIPv4, let first = path.interfaces.first else { return "\(said), but packets leave by \(way)" }
    if !way.isTunnelled { return first.name == way.link ? nil : "\(said), but packets leave by \(way)" }
    // The bridge has a container beside its tunnel, so that the path makes no promise.
    if first.name == "br1" { return first.underlying == ["t2"] ? nil : "\(said), but packets leave by \(way)" }
    guard ["t0", "t1"].contains(first.name), path.usesTunnel else { return "\(said), but packets leave by \(way)" }
    // A tunnel in a tunnel names the one below it.
    if [["t0"], ["t1"], ["br1"]].contains(first.underlying) { return nil }
    return first.underlying == [way.link] ? nil : "\(said), but its packets leave by \(way)"
  }
}
