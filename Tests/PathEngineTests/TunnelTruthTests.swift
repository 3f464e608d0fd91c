import KernelPath
import KernelTestSupport
import PathEngine
import PathModel
import PathTestSupport
import SystemIO
import Testing

/// Answers about tunnels, VRFs, pairs, sinks and bridges are compared with the cable by which a packet really leaves.
@Suite("The way of tunnels and the packets", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct TunnelTruthTests {
  private static let bursts = Environment.value("PATHMONITOR_BURSTS").flatMap(Int.init) ?? 1_000
  private static let burstsPerBeginning = 10
  private static let seed = Environment.value("PATHMONITOR_SEED").flatMap(UInt64.init) ?? 2026
  private static let minutes = Environment.value("PATHMONITOR_MINUTES").flatMap(Int.init) ?? 10

  @Test(.timeLimit(.minutes(minutes)), arguments: [seed])
  func `after random changes the answers agree with the packets of tunnels`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      let stage = try TunnelStage(namespace)
      defer { stage.close() }
      var random = SeededGenerator(seed: seed)
      var history: [RoutingCommand] = []
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
      let ways = stage.ways.map { $0?.description ?? "none" }.sorted().joined(separator: ", ")
      #expect(stage.ways.count >= 5, "seed \(seed) had only these ways: \(ways)")
      #expect(stage.missingWays.isEmpty, "no packet took one of these ways: \(stage.missingWays)")
      print("\(Self.bursts) bursts of seed \(seed) agree. Packets have taken these ways: \(ways)")
    }
  }
}

/// A namespace with two tunnels, a bridge that has a cable and a sink, a bridge that a third tunnel feeds beside a
/// container, the pair of another container, and two cables. If the kernel makes them, there are a VRF with a cable and
/// a tunnel of a kind that the table of kinds does not list. The stage compares the path with the frames at the other
/// ends of the cables.
private final class TunnelStage {
  /// The way that a packet has taken out of the machine.
  struct Way: Hashable, CustomStringConvertible {
    enum Tunnel: String {
      case tunnel
      case unlisted = "unlisted tunnel"
    }
    var link: String
    var tunnel: Tunnel?
    /// The link of the namespace by which the path goes on: the cable of the VRF has no routes of its own.
    var hop: String { link == "v0" ? "red" : link }
    var description: String { (tunnel.map { "\($0.rawValue) over " } ?? "") + (link == "v0" ? "VRF" : link) }
  }

  /// The links whose other ends are in the far namespace, with the addresses of their near ends. The cable of the
  /// bridge has none: the bridge sends its frames.
  private static let ends = ["c0": 0, "c1": 1, "br0": 2, "g0": 3, "v0": 5]
  /// The port of VXLAN, to which a tunnel sends its packets.
  private static let tunnelPort: UInt16 = 4_789

  private static func hardwareAddress(_ number: Int) -> String { "02:00:00:00:02:0\(number)" }

  private let namespace: TestNamespace
  private let answers: PathAnswers
  private let capture: FrameCapture
  private var port: UInt16 = 20_000
  /// Whether the kernel has made the VRF.
  private let hasVRF: Bool
  /// Whether the kernel has made the tunnel of an unlisted kind.
  private let hasUnlistedTunnel: Bool
  /// The ways that packets have taken so far; `nil` when none has left.
  private(set) var ways: Set<Way?> = []

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
    try namespace.batch([
      "link add red index 24 type vrf table 100",
      "link add v0 index 15 address \(Self.hardwareAddress(5)) type veth peer name v0 netns \(far) index 115",
      "link set v0 arp off addrgenmode none", "link set v0 master red", "address add 192.0.6.2/24 dev v0",
      // Without an address of its own, a VRF without ports sends packets from none, to which nothing can reply.
      "address add 10.11.0.1/32 dev red",
    ])
    UnlistedTunnel.add("u0", index: 33, server: [203, 0, 113, 5])
    try namespace.batch(["link set u0 addrgenmode none", "address add 10.10.0.2/24 dev u0"])
    hasVRF = SystemInterface.index(of: "red") != nil
    hasUnlistedTunnel = SystemInterface.index(of: "u0") != nil
    capture = try FrameCapture(namespace)
    answers = try PathAnswers()
  }

  func close() { answers.close() }

  private static let cables = ["c0", "c1", "c2", "g0", "g1", "v0"]
  private static let links = cables + ["br0", "br1", "s0", "d0", "t0", "t1", "t2", "red", "u0"]
  private static let defaults = [
    "default dev d0 metric 4", "default dev t0 metric 5", "default dev t1 metric 6",
    "default via 192.0.2.1 dev c0 metric 10", "default via 192.0.3.1 dev c1 metric 11",
    "default via 192.0.4.1 dev br0 metric 12", "default via 10.44.0.2 dev g0 metric 13",
    "default via 192.0.5.1 dev br1 metric 7", "default dev red metric 8", "default dev u0 metric 9",
  ]
  private static let serverRoutes = [
    "203.0.113.5 via 192.0.2.1 dev c0", "203.0.113.5 via 192.0.3.1 dev c1", "203.0.113.5 via 192.0.4.1 dev br0",
    "203.0.113.5 via 192.0.5.1 dev br1", "unreachable 203.0.113.5", "203.0.113.5 dev red",
  ]
  private static let routesOfVRF = [
    "default via 192.0.6.1 dev v0 table 100", "unreachable default table 100 metric 4278198272",
  ]

  /// The commands from which the changes are drawn. Many of them fail, and on some kernels all about the VRF.
  static let commands: [RoutingCommand] =
    (links + links).map { RoutingCommand(.near, "link set \($0) up") }
    + links.map { RoutingCommand(.near, "link set \($0) down") }
    + cables.flatMap { name in ["up", "down"].map { RoutingCommand(.far, "link set \(name) \($0)") } }
    + (defaults + defaults + serverRoutes + routesOfVRF).map { RoutingCommand(.near, "route replace \($0)") }
    + (defaults + serverRoutes + routesOfVRF).map { RoutingCommand(.near, "route delete \($0)") }
    + ["s0 master br0", "s0 nomaster", "c2 nomaster", "c2 master br0", "v0 nomaster", "v0 master red"]
    .map { RoutingCommand(.near, "link set \($0)") }

  /// The commands that lead from anywhere to links that are all up, a route to the server, and one default route.
  static let beginning: [RoutingCommand] =
    (defaults + serverRoutes + routesOfVRF).map { RoutingCommand(.near, "route delete \($0)") }
    + cables.map { RoutingCommand(.far, "link set \($0) up") }
    + links.map { RoutingCommand(.near, "link set \($0) up") }
    + ["c2 master br0", "s0 nomaster", "v0 master red"].map { RoutingCommand(.near, "link set \($0)") }
    + [routesOfVRF[0], serverRoutes[0], "default via 192.0.2.1 dev c0 metric 10"]
    .map { RoutingCommand(.near, "route replace \($0)") }

  /// The ways over links that only some kernels make, as far as no packet has taken them.
  var missingWays: [Way] {
    var wanted: [Way] = []
    if hasVRF { wanted += [Way(link: "v0"), Way(link: "v0", tunnel: .tunnel)] }
    if hasUnlistedTunnel { wanted.append(Way(link: "c0", tunnel: .unlisted)) }
    if hasVRF && hasUnlistedTunnel { wanted.append(Way(link: "v0", tunnel: .unlisted)) }
    return wanted.filter { !ways.contains($0) }
  }

  /// The neighbours of bridges. A bridge that was down has forgotten its own.
  private static let neighbours = [("br0", 4), ("br1", 5)].map { bridge, network in
    RoutingCommand(.near, "neighbour replace 192.0.\(network).1 lladdr 02:00:00:00:09:09 dev \(bridge) nud permanent")
  }

  func run(_ commands: [RoutingCommand]) throws { try namespace.run(commands + Self.neighbours) }

  /// The wrong answers, in words; `nil` when all are right, or become right in time.
  func contradiction() throws -> String? {
    try answers.contradiction(within: .seconds(4)) {
      let way = send()
      for (source, path) in try answers.present() {
        if let wrong = Self.contradiction(in: path, way) { return "\(source): \(wrong)" }
      }
      ways.insert(way)
      return nil
    }
  }

  /// Sends packets to the first probe, and returns the link by which the first of them has left.
  private func send() -> Way? {
    _ = capture.drain()
    port = port == 60_000 ? 20_000 : port + 1
    ConnectionAttempt.sendPackets(2, to: ProbeAddresses.standard.ipv4[0], port: port)
    // A softirq delivers frames, which may be late on a busy machine.
    for patience in [Duration.zero, .milliseconds(5), .milliseconds(40)] {
      for frame in capture.drain(within: patience) {
        let tunnel = Self.tunnel(to: frame.destinationPort)
        let address = frame.sourceAddress.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
        guard tunnel != nil || frame.destinationPort == port,
          let link = Self.ends.first(where: { Self.hardwareAddress($0.value) == address.joined(separator: ":") })?.key
        else { continue }
        return Way(link: link, tunnel: tunnel)
      }
    }
    return nil
  }

  private static func tunnel(to port: UInt16) -> Way.Tunnel? {
    switch port {
    case tunnelPort: .tunnel
    case UnlistedTunnel.port: .unlisted
    default: nil
    }
  }

  private static func contradiction(in path: NetworkPath, _ way: Way?) -> String? {
    let first = path.interfaces.first
    let said = "\(path) on \(first?.underlying ?? [])"
    guard let way else {
      // The path cannot know the server of the unlisted tunnel.
      let isUnknown = first?.name == "u0" || first?.underlying == ["u0"]
      return path.supportsIPv4 && !isUnknown ? "\(said), but no packet leaves" : nil
    }
    let wrong = "\(said), but packets leave by \(way)"
    guard path.supportsIPv4, let first else { return wrong }
    guard let tunnel = way.tunnel else {
      // The cable of the VRF is the way by the VRF's own routes.
      return first.name == way.hop && (way.hop == way.link || first.underlying == [way.link]) ? nil : wrong
    }
    // The bridge has a container beside its tunnel, so that the path makes no promise.
    if first.name == "br1" { return first.underlying == ["t2"] ? nil : wrong }
    guard ["t0", "t1", "u0"].contains(first.name), path.usesTunnel else { return wrong }
    if first.name == "u0" { return tunnel == .unlisted ? nil : wrong }
    // A tunnel in a tunnel names the one below it.
    if [["t0"], ["t1"], ["br1"], ["u0"]].contains(first.underlying) { return nil }
    return first.underlying == [way.hop] ? nil : wrong
  }
}
