import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// Links and addresses from the kernel's messages always equal those of a fresh reading.
@Suite("Following the kernel", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelFollowingTests {
  /// A kernel that follows a namespace whose cable `eth0` has an address of each family.
  private struct Follower {
    let kernel: Kernel
    let namespace: TestNamespace

    /// Changes the namespace, and expects that the kernel's links and addresses equal those of a fresh reading.
    func follow(_ commands: String..., at location: SourceLocation = #_sourceLocation) throws {
      for command in commands { try namespace.ip(command) }
      #expect(try kernel.difference(fromFreshWithin: .seconds(3)) == nil, sourceLocation: location)
    }

    func followFar(_ command: String, at location: SourceLocation = #_sourceLocation) throws {
      try namespace.ipFar(command)
      try follow(at: location)
    }

    subscript(name: String) -> KernelState.Interface? { kernel.state.interfaces.first { $0.link.name == name } }
  }

  private static func run(
    parameter: String? = nil, _ body: @escaping @Sendable (Follower) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      if let parameter { try namespace.setParameter(parameter) }
      try makeCable(namespace)
      let follower = Follower(kernel: try Kernel(probes: .standard), namespace: namespace)
      // The kernel announces some time after the commands that the cable is in.
      let isUp = try becomesTrue(watching: follower.kernel.eventDescriptor) {
        _ = try follower.kernel.drain()
        return follower["eth0"]?.link.operationalState == .up
      }
      try #require(isUp)
      try follower.follow()
      try body(follower)
    }
  }

  private static func makeCable(_ namespace: TestNamespace) throws {
    try namespace.addCable("eth0")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip("address add 2001:db8::2/64 dev eth0 nodad")
  }

  @Test(arguments: [2 << 20, nil] as [Int32?])
  func `at the start all links and addresses are known, with an event socket or without`(buffer: Int32?) async throws {
    try await TestNamespace.run { namespace in
      try Self.makeCable(namespace)
      for command in [
        "link property add dev eth0 altname enp0s31f6 altname uplink-to-the-office", "tuntap add dev tun0 mode tun",
        "link add mv0 link eth0 type macvlan",
      ] {
        try namespace.ip(command)
      }
      let kernel = try Kernel(probes: .standard, receiveBuffer: buffer)
      #expect((kernel.eventDescriptor == nil) == (buffer == nil))
      let links = kernel.state.interfaces.map(\.link)
      #expect(links.map(\.name) == ["lo", "eth0", "tun0", "mv0"])
      #expect(links.map(\.kind) == [nil, "veth", "tun", "macvlan"])
      #expect(links.map(\.isLoopback) == [true, false, false, false] && links[0].mtu == 65_536)
      #expect(links[1].alternativeNames == ["enp0s31f6", "uplink-to-the-office"])
      #expect(links[2].hardwareType == HardwareType.none && links[2].flags.contains(.pointToPoint))
      #expect(links[2].hardwareAddress.isEmpty && links[3].parentIndex == links[1].index)
      let eth0 = kernel.state.interfaces[1]
      #expect(eth0.hasUsableIPv4Address && eth0.hasUsableIPv6Address)
      #expect(eth0.addresses.first?.text == "192.0.2.2/24")
      let refusals = kernel.notes.filter {
        $0.contains("not filtered") || $0.contains("announced") || $0.contains("strict")
      }
      #expect(refusals.isEmpty)
    }
  }

  @Test(arguments: [
    ["link set eth0 name wan0"],
    ["link property add dev eth0 altname enp0s31f6 altname uplink-to-the-office"],
    ["link property add dev eth0 altname enp0s31f6", "link property del dev eth0 altname enp0s31f6"],
    ["link set eth0 mtu 1400", "link set eth0 address 02:00:00:00:00:99"],
    ["link set eth0 down"],
    ["link set eth0 down", "link set eth0 up"],
    ["link delete eth0"],
    ["link delete eth0", "link add eth0 type veth peer name other", "address add 192.0.2.9/24 dev eth0"],
    ["address add 192.0.2.3/24 dev eth0", "address delete 192.0.2.2/24 dev eth0"],
    ["address add 192.0.2.3/24 dev eth0", "address change 192.0.2.3/24 dev eth0 valid_lft 500 preferred_lft 0"],
    ["address add 2001:db8::3/64 dev eth0", "address delete 2001:db8::2/64 dev eth0"],
    ["address change 2001:db8::2/64 dev eth0 valid_lft 500 preferred_lft 0"],
    ["address flush dev eth0"],
    // The address does not appear twice.
    [
      "address add 2001:db8:9::1 peer 2001:db8:9::2/128 dev eth0 nodad",
      "address change 2001:db8:9::1 peer 2001:db8:9::3/128 dev eth0",
    ],
    ["link add mv0 link eth0 type macvlan", "link set mv0 up", "link delete eth0"],
    ["link add vx0 type vxlan id 7 dev eth0 remote 192.0.2.9 dstport 4789", "link set vx0 up"],
    ["tuntap add dev tun0 mode tun", "link set tun0 up", "link delete tun0"],
  ])
  func `after a change the links and addresses equal those of a fresh reading`(commands: [String]) async throws {
    try await Self.run { follower in
      for command in commands { try follower.namespace.ip(command) }
      try follower.follow()
    }
  }

  @Test func `each kind of news arrives, and that about routes of one family alone names it`() async throws {
    try await Self.run { follower in
      let routes: [([String], IPAddress.Family?)] = [
        (["route add default via 192.0.2.1 dev eth0"], .ipv4), (["route delete default"], .ipv4),
        (["-6 route add default via 2001:db8::1 dev eth0"], .ipv6), (["-6 route delete default"], .ipv6),
        (["rule add pref 100 lookup 100"], nil), (["-6 rule add pref 100 lookup 100"], nil),
        (["link set eth0 mtu 1400"], nil), (["address add 192.0.2.7/24 dev eth0"], nil),
        (["nexthop add id 9 via 192.0.2.1 dev eth0"], nil),
        (["route add default via 192.0.2.1 dev eth0", "-6 route add default via 2001:db8::1 dev eth0"], nil),
      ]
      for (commands, family) in routes {
        for command in commands { try follower.namespace.ip(command) }
        let news = try follower.kernel.drain()
        #expect(news.messages > 0 && news.family == family, "\(commands)")
      }
      for family in ["ipv4", "ipv6"] {
        try follower.namespace.setParameter("net.\(family).conf.eth0.ignore_routes_with_linkdown=1")
        #expect(try follower.kernel.drain().messages > 0, "the settings of \(family)")
      }
    }
  }

  @Test func `pulling and plugging the cable is followed`() async throws {
    try await Self.run { follower in
      for (state, obstacle) in [("down", LinkObstacle.noCarrier), ("up", nil)] {
        try follower.namespace.ipFar("link set eth0 \(state)")
        let isFollowed = try becomesTrue(watching: follower.kernel.eventDescriptor) {
          _ = try follower.kernel.drain()
          return follower["eth0"]?.link.obstacle == obstacle
        }
        #expect(isFollowed)
        try follower.follow()
      }
    }
  }

  @Test func `a link that moves to another namespace is removed, and added when it comes back`() async throws {
    try await Self.run { follower in
      try follower.follow(
        "link add eth1 index 77 type veth peer name eth1p", "address add 192.0.3.2/24 dev eth1",
        "link set eth1 netns \(follower.namespace.far)")
      #expect(follower.kernel.state[77] == nil)
      try follower.followFar("link set eth1 netns \(follower.namespace.near)")
      #expect(follower["eth1"] != nil)
    }
  }

  @Test func `a link whose lower link moves away and comes back names its lower link again`() async throws {
    try await Self.run { follower in
      try follower.follow(
        "link add low0 index 66 type veth peer name low1", "link add mv0 index 80 link low0 type macvlan")
      #expect(follower.kernel.state[80]?.link.parentIndex == 66)
      // The kernel sends a message about the upper link while the lower one is away because of the second change.
      try follower.follow(
        "link set low0 netns \(follower.namespace.far)", "link set mv0 address 02:00:00:00:00:50")
      #expect(follower.kernel.state[80]?.link.parentIndex == nil)
      try follower.followFar("link set low0 netns \(follower.namespace.near)")
      #expect(follower.kernel.state[80]?.link.parentIndex == 66)
    }
  }

  @Test func `a port that leaves its bridge stays a link`() async throws {
    try await Self.run { follower in
      try follower.follow("link add br0 index 90 type bridge", "link set br0 up", "link set eth0 master br0")
      let port = try #require(follower["eth0"])
      #expect(port.link.masterIndex == 90)
      try follower.follow("link set eth0 nomaster")
      let released = try #require(follower["eth0"])
      #expect(released.link.masterIndex == nil)
      #expect(released.addresses == port.addresses)
    }
  }

  @Test func `a port that spanning tree blocks is known as that until it forwards`() async throws {
    try await Self.run { follower in
      try follower.follow("link add br0 type bridge stp_state 1", "link set br0 up", "link set eth0 master br0")
      #expect(follower["eth0"]?.link.isBlockedPort == true, "it listens")
      try follower.follow("link set br0 type bridge stp_state 0", "link set br0 down", "link set br0 up")
      #expect(follower["eth0"]?.link.isBlockedPort == false)
      try follower.follow("link set br0 type bridge stp_state 1", "link set eth0 down")
      try follower.follow("link set eth0 nomaster")
      #expect(follower["eth0"]?.link.isBlockedPort == false, "it is no port any more")
    }
  }

  @Test func `an address that stays while its link is down is tentative again`() async throws {
    try await Self.run(parameter: "net.ipv6.conf.all.keep_addr_on_down=1") { follower in
      for command in ["address add 2001:db8::7/64 dev eth0 nodad", "link set eth0 down", "link set eth0 up"] {
        try follower.follow(command)
      }
    }
  }

  @Test(arguments: [0, 1])
  func `the removal of a first address removes the second ones, or promotes one of them`(promotes: Int) async throws {
    try await Self.run(parameter: "net.ipv4.conf.all.promote_secondaries=\(promotes)") { follower in
      try follower.follow("address add 192.0.2.3/24 dev eth0", "address delete 192.0.2.2/24 dev eth0")
      let ipv4 = follower["eth0"]?.addresses.filter { $0.address.family == .ipv4 }
      #expect(ipv4?.map(\.text) == (promotes == 1 ? ["192.0.2.3/24"] : []))
    }
  }

  @Test func `a change while a kernel starts is not lost`() async throws {
    try await Self.run { follower in
      for number in 0..<20 {
        let addresses = (0..<10).map { "198.51.100.\(number * 10 + $0)/32 dev eth0" }
        try follower.namespace.batch(addresses.map { "address add \($0)" })
        let late = Follower(kernel: try Kernel(probes: .standard), namespace: follower.namespace)
        try follower.namespace.batch(addresses[..<5].map { "address delete \($0)" })
        try late.follow()
      }
      try follower.follow()
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [RandomOperations.seed])
  func `after random changes the kernel that follows equals a fresh one`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      var operations = RandomOperations(seed: seed)
      try namespace.batch(operations.preparation(in: namespace))
      let kernel = try Kernel(probes: .standard)
      var paths: Set<NetworkPath> = []
      for burst in 0..<100 {
        let far = (0..<3).map { _ in operations.nextFar(in: namespace) }
        let near = (0..<17).map { _ in operations.next(in: namespace) }
        try namespace.batch(far, inFar: true)
        try namespace.batch(near)
        // The kernel's link watch takes up to a second from one layer of links to the next.
        guard let difference = try kernel.difference(fromFreshWithin: .seconds(5)) else {
          paths.insert(try kernel.evaluatedPath())
          continue
        }
        Issue.record("seed \(seed), burst \(burst): \(difference)\nAfter \(far)\n\(near.joined(separator: "\n"))")
        return
      }
      #expect(paths.count > 10, "the operations of seed \(seed) change too little to be worth anything")
    }
  }
}
