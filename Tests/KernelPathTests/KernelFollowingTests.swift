import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import Testing

/// Links and addresses from the kernel's messages always equal those of a fresh reading.
@Suite("Following the kernel", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelFollowingTests {
  private static let patience = Duration.seconds(3)

  /// Changes the namespace, and expects that the kernel's links and addresses equal those of a fresh reading.
  private static func expect(
    _ kernel: Kernel, toFollow commands: String..., in namespace: TestNamespace,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for command in commands { try namespace.ip(command) }
    #expect(try kernel.difference(fromFreshWithin: patience) == nil, sourceLocation: location)
  }

  @Test func `at the start all links and addresses are known, and nothing was refused`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      try namespace.ip("address add 2001:db8::2/64 dev eth0 nodad")
      let kernel = try Kernel(probes: .standard)
      #expect(kernel.state.interfaces.map(\.link.name) == ["lo", "eth0"])
      let eth0 = try #require(kernel.state.interfaces.last)
      #expect(eth0.link.kind == "veth")
      #expect(eth0.hasUsableIPv4Address)
      #expect(eth0.hasUsableIPv6Address)
      #expect(eth0.addresses.first?.text == "192.0.2.2/24")
      let refusals = kernel.notes.filter {
        $0.contains("not filtered") || $0.contains("announced") || $0.contains("strict")
      }
      #expect(refusals.isEmpty)
    }
  }

  @Test func `a kernel without an event socket has the same start`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      let kernel = try Kernel(probes: .standard, receiveBuffer: nil)
      #expect(kernel.eventDescriptor == nil)
      #expect(kernel.state.interfaces.map(\.link.name) == ["lo", "eth0"])
      #expect(try kernel.drain().messages == 0)
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
    ["link add mv0 link eth0 type macvlan", "link set mv0 up", "link delete eth0"],
    ["link add vx0 type vxlan id 7 dev eth0 remote 192.0.2.9 dstport 4789", "link set vx0 up"],
    ["tuntap add dev tun0 mode tun", "link set tun0 up", "link delete tun0"],
  ])
  func `after a change the links and addresses equal those of a fresh reading`(commands: [String]) async throws {
    try await expectFollowing { namespace in
      for command in commands { try namespace.ip(command) }
    }
  }

  @Test func `news about routes of one family names it, and all other news does not`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      let routes: [(String, IPAddress.Family?)] = [
        ("route add default via 192.0.2.1 dev eth0", .ipv4), ("route delete default", .ipv4),
        ("-6 route add default via 2001:db8::1 dev eth0", .ipv6), ("-6 route delete default", .ipv6),
        ("rule add pref 100 lookup 100", nil), ("link set eth0 mtu 1400", nil),
      ]
      for (command, family) in routes {
        try namespace.ip(command)
        let news = try kernel.drain()
        #expect(news.messages > 0, "\(command)")
        #expect(news.family == family, "\(command)")
      }
      try namespace.ip("route add default via 192.0.2.1 dev eth0")
      try namespace.ip("-6 route add default via 2001:db8::1 dev eth0")
      #expect(try kernel.drain().family == nil)
    }
  }

  @Test func `pulling and plugging the cable is followed`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      for state in ["down", "up"] {
        try namespace.ipFar("link set eth0 \(state)")
        let isFollowed = try becomesTrue(watching: kernel.eventDescriptor) {
          _ = try kernel.drain()
          return kernel.state.interfaces.last?.link.obstacle == (state == "up" ? nil : .noCarrier)
        }
        #expect(isFollowed)
        #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
      }
    }
  }

  @Test func `a link that moves to another namespace is removed, and added when it comes back`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try Self.expect(
        kernel, toFollow: "link add eth1 index 77 type veth peer name eth1p", "address add 192.0.3.2/24 dev eth1",
        "link set eth1 netns \(namespace.far)", in: namespace)
      #expect(kernel.state[77] == nil)
      try namespace.ipFar("link set eth1 netns \(namespace.near)")
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
      #expect(kernel.state.interfaces.contains { $0.link.name == "eth1" })
    }
  }

  @Test func `a link whose lower link moves away and comes back names its lower link again`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try Self.expect(
        kernel, toFollow: "link add low0 index 66 type veth peer name low1",
        "link add mv0 index 80 link low0 type macvlan", in: namespace)
      #expect(kernel.state[80]?.link.parentIndex == 66)
      // The kernel sends a message about the upper link while the lower one is away because of the second change.
      try Self.expect(
        kernel, toFollow: "link set low0 netns \(namespace.far)", "link set mv0 address 02:00:00:00:00:50",
        in: namespace)
      #expect(kernel.state[80]?.link.parentIndex == nil)
      try namespace.ipFar("link set low0 netns \(namespace.near)")
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
      #expect(kernel.state[80]?.link.parentIndex == 66)
    }
  }

  @Test func `a port that leaves its bridge stays a link`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try Self.expect(
        kernel, toFollow: "link add br0 index 90 type bridge", "link set br0 up", "link set eth0 master br0",
        in: namespace)
      let port = try #require(kernel.state.interfaces.first { $0.link.name == "eth0" })
      #expect(port.link.masterIndex == 90)
      try Self.expect(kernel, toFollow: "link set eth0 nomaster", in: namespace)
      let released = try #require(kernel.state[port.link.index])
      #expect(released.link.masterIndex == nil)
      #expect(released.addresses == port.addresses)
    }
  }

  @Test func `a port that spanning tree blocks is known as that until it forwards`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try Self.expect(
        kernel, toFollow: "link add br0 index 90 type bridge stp_state 1", "link set br0 up",
        "link set eth0 master br0", in: namespace)
      let index = try #require(kernel.state.interfaces.first { $0.link.name == "eth0" }).link.index
      #expect(kernel.state[index]?.link.isBlockedPort == true, "it listens")
      try Self.expect(
        kernel, toFollow: "link set br0 type bridge stp_state 0", "link set br0 down", "link set br0 up", in: namespace)
      #expect(kernel.state[index]?.link.isBlockedPort == false)
      try Self.expect(kernel, toFollow: "link set br0 type bridge stp_state 1", "link set eth0 down", in: namespace)
      try Self.expect(kernel, toFollow: "link set eth0 nomaster", in: namespace)
      #expect(kernel.state[index]?.link.isBlockedPort == false, "it is no port any more")
    }
  }

  @Test func `an IPv6 address whose peer is changed does not appear twice`() async throws {
    try await expectFollowing { namespace in
      try namespace.ip("address add 2001:db8:9::1 peer 2001:db8:9::2/128 dev eth0 nodad")
      try namespace.ip("address change 2001:db8:9::1 peer 2001:db8:9::3/128 dev eth0")
    }
  }

  @Test func `an address that stays while its link is down is tentative again`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.setParameter("net.ipv6.conf.all.keep_addr_on_down=1")
      let kernel = try Self.start(in: namespace)
      try namespace.ip("address add 2001:db8::7/64 dev eth0 nodad")
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
      try namespace.ip("link set eth0 down")
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
      try namespace.ip("link set eth0 up")
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
    }
  }

  @Test func `the removal of a first address removes the second ones, or promotes one of them`() async throws {
    for promotes in [0, 1] {
      try await TestNamespace.run { namespace in
        try namespace.setParameter("net.ipv4.conf.all.promote_secondaries=\(promotes)")
        let kernel = try Self.start(in: namespace)
        try namespace.ip("address add 192.0.2.3/24 dev eth0")
        try namespace.ip("address delete 192.0.2.2/24 dev eth0")
        #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
        let ipv4 = kernel.state.interfaces.last?.addresses.filter { $0.address.family == .ipv4 }
        #expect(ipv4?.map(\.text) == (promotes == 1 ? ["192.0.2.3/24"] : []))
      }
    }
  }

  @Test func `a change while a kernel starts is not lost`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      for number in 0..<20 {
        try namespace.batch((0..<10).map { "address add 198.51.100.\(number * 10 + $0)/32 dev eth0" })
        let late = try Kernel(probes: .standard)
        try namespace.batch((0..<5).map { "address delete 198.51.100.\(number * 10 + $0)/32 dev eth0" })
        #expect(try late.difference(fromFreshWithin: Self.patience) == nil)
      }
      #expect(try kernel.difference(fromFreshWithin: Self.patience) == nil)
    }
  }

  /// Makes a cable with addresses of both families, lets a kernel follow the change, and compares.
  private func expectFollowing(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping @Sendable (TestNamespace) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Self.start(in: namespace)
      try change(namespace)
      let difference = try kernel.difference(fromFreshWithin: Self.patience)
      #expect(difference == nil, sourceLocation: sourceLocation)
    }
  }

  private static func start(in namespace: TestNamespace) throws -> Kernel {
    try namespace.addCable("eth0")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip("address add 2001:db8::2/64 dev eth0 nodad")
    let kernel = try Kernel(probes: .standard)
    // The kernel announces some time after the commands that the cable is in.
    let isUp = try becomesTrue(watching: kernel.eventDescriptor) {
      _ = try kernel.drain()
      return kernel.state.interfaces.last?.link.operationalState == .up
    }
    try #require(isUp)
    #expect(try kernel.difference(fromFreshWithin: patience) == nil)
    return kernel
  }
}
