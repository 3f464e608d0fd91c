import PathModel

extension ScenarioTable {
  // MARK: Addresses

  static let addresses = [
    Scenario(
      "a machine comes online step by step, and each step names what is missing next",
      [
        .expect(.offline(.noInterface)),
        .addLink(name: "eth0", index: 10, kind: .ethernet), .expect(.offline(.noInterface)),
        .setUp("eth0"), .expect(.offline(.noAddress)),
        .addAddress("192.0.2.2/24", "eth0"), .expect(.offline(.noRoute)),
        .addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"))), oneOnline,
      ]),
    Scenario(
      "with the last IPv4 address the default route goes without a word",
      one + [
        .removeAddress("192.0.2.2/24", "eth0"), .expect(.offline(.noAddress)),
        .addAddress("192.0.2.2/24", "eth0"), .expect(.offline(.noRoute)),
      ]),
    Scenario(
      "as long as another address stays, so does the default route",
      one + [
        .addAddress("203.0.113.2/24", "eth0"), .removeAddress("192.0.2.2/24", "eth0"), oneOnline,
      ]),
    Scenario(
      "a default route that prefers an address goes with it",
      card("eth0", 10, "192.0.2.2/24") + [
        .addAddress("203.0.113.2/24", "eth0"),
        .addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), source: "203.0.113.2")), oneOnline,
        .removeAddress("203.0.113.2/24", "eth0"), .expect(.offline(.noRoute)),
      ]),
    Scenario(
      "an IPv4 link-local address does not get beyond the link",
      card("eth0", 10, "169.254.3.4/16") + [
        .addRoute(RouteSpec("default", .via(nil, "eth0"))), .expect(.offline(.noAddress)),
        // Without a router to be beside, the kernel keeps to the address that came first.
        .addAddress("192.0.2.2/24", "eth0"), .expect(.offline(.noAddress)),
        .addRoute(RouteSpec("0.0.0.0/1", .via("192.0.2.1", "eth0"))),
        .addRoute(RouteSpec("128.0.0.0/1", .via("192.0.2.1", "eth0"))), oneOnline,
      ]),
    Scenario(
      "a default route is of no use without any address",
      [.addLink(name: "eth0", index: 10, kind: .ethernet), .setUp("eth0")] + [
        .addRoute(RouteSpec("default", .via(nil, "eth0"))), .expect(.offline(.noAddress)),
      ]),
    Scenario(
      "an address on the loopback device serves an interface without one",
      [
        .addLink(name: "eth0", index: 10, kind: .ethernet), .setUp("eth0"), .addAddress("192.0.2.9/32", "lo"),
        .addRoute(RouteSpec("default", .via(nil, "eth0"))), .expect(.online("eth0")),
        .removeAddress("192.0.2.9/32", "lo"), .expect(.offline(.noAddress)),
      ]),
  ]

  // MARK: Families

  private static let oneIPv6 = card("eth0", 10, "2001:db8:1::2/64", via: "2001:db8:1::1")
  private static let both: [Scenario.Step] =
    one + [
      .addAddress("2001:db8:1::2/64", "eth0"), .addRoute(RouteSpec("::/0", .via("2001:db8:1::1", "eth0"))),
      .expect(.online("eth0", via: ["192.0.2.1", "2001:db8:1::1"], ipv6: true)),
    ]

  static let families = [
    Scenario(
      "IPv6 alone is a path",
      oneIPv6 + [
        .expect(.online("eth0", via: ["2001:db8:1::1"], ipv4: false, ipv6: true)),
        .carrier("eth0", false), .expect(.offline(.noCarrier)),
        .carrier("eth0", true), .expect(.online("eth0", via: ["2001:db8:1::1"], ipv4: false, ipv6: true)),
        .setDown("eth0"), .expect(.offline(.noInterface)),
      ]),
    Scenario(
      "an IPv6 default route is of no use with a link-local address alone",
      card("eth0", 10, "2001:db8:1::2/64") + [
        .addRoute(RouteSpec("::/0", .via("fe80::1", "eth0"))),
        .expect(.online("eth0", via: ["fe80::1%eth0"], ipv4: false, ipv6: true)),
        .removeAddress("2001:db8:1::2/64", "eth0"), .expect(.offline(.noAddress)),
      ]),
    Scenario(
      "a path with both families that loses IPv4 keeps IPv6",
      both + [
        .removeAddress("192.0.2.2/24", "eth0"),
        .expect(.online("eth0", via: ["2001:db8:1::1"], ipv4: false, ipv6: true)),
      ]),
    Scenario(
      "a path with both families that loses IPv6 keeps IPv4",
      both + [
        .deleteRoute(RouteSpec("::/0", .via("2001:db8:1::1", "eth0"))), oneOnline,
        .addRoute(RouteSpec("::/0", .via("2001:db8:1::1", "eth0"))),
        .expect(.online("eth0", via: ["192.0.2.1", "2001:db8:1::1"], ipv6: true)),
        .removeAddress("2001:db8:1::2/64", "eth0"), oneOnline,
      ]),
    Scenario(
      "IPv4 over an IPv6 router names that router",
      card("eth0", 10, "192.0.2.2/32") + [
        .addRoute(RouteSpec("default", .via("fe80::1", "eth0"))), .expect(.online("eth0", via: ["fe80::1%eth0"])),
      ]),
    Scenario(
      "each family may have an uplink of its own, and IPv4's comes first",
      one + card("eth1", 11, "2001:db8:2::2/64", via: "2001:db8:2::1") + [
        .expect(.online("eth0", "eth1", via: ["192.0.2.1", "2001:db8:2::1"], ipv6: true)),
        .carrier("eth0", false),
        .expect(.online("eth1", via: ["2001:db8:2::1"], ipv4: false, ipv6: true)),
      ]),
  ]
}
