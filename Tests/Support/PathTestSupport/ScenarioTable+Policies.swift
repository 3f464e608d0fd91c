import PathDecisions
import PathModel

extension ScenarioTable {
  // MARK: Rules and routes that forbid

  static let policies = [
    Scenario(
      "a default route that only a rule leads to is a path until the rule is flushed",
      card("eth0", 10, "192.0.2.2/24") + [
        .addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), table: 100)), .expect(.offline(.noRoute)),
        .addRule(RuleSpec(1000, .lookup(table: 100))), oneOnline,
        .deleteRule(RuleSpec(1000, .lookup(table: 100))), .expect(.offline(.noRoute)),
      ]),
    Scenario(
      "a rule for marked packets does not concern an ordinary program",
      two + [
        .addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), table: 100)),
        .addRule(RuleSpec(1000, .lookup(table: 100), mark: 7)), twoOnline,
        .addRule(RuleSpec(1001, .lookup(table: 100))),
        .expect(.online("eth1", "eth0", via: ["198.51.100.1", "192.0.2.1"])),
      ]),
    Scenario(
      "a rule may prohibit all there is",
      one + [
        .addRule(RuleSpec(100, .prohibit)), .expect(.offline(.prohibited)),
        .deleteRule(RuleSpec(100, .prohibit)), oneOnline,
        .addRule(RuleSpec(100, .blackhole)), .expect(.offline(.prohibited)),
      ]),
    Scenario(
      "a rule that says unreachable is answered as if there were no route",
      one + [.addRule(RuleSpec(100, .unreachable)), .expect(.offline(.noRoute))]),
    Scenario(
      "a default route that forbids wins by its metric, for bound sockets too",
      card("eth0", 10, "192.0.2.2/24", via: "192.0.2.1", metric: 100) + [
        .addRoute(RouteSpec(RouteType.unreachable, "default", metric: 50)), .expect(.offline(.prohibited)),
        .deleteRoute(RouteSpec(RouteType.unreachable, "default", metric: 50)), oneOnline,
        .addRoute(RouteSpec(RouteType.blackhole, "default", metric: 50)), .expect(.offline(.prohibited)),
        .deleteRoute(RouteSpec(RouteType.blackhole, "default", metric: 50)),
        .addRoute(RouteSpec(RouteType.prohibit, "default", metric: 150)), oneOnline,
      ]),
    Scenario(
      "an IPv6 default route that forbids does not concern bound sockets",
      card("eth0", 10, "2001:db8:1::2/64", via: "2001:db8:1::1", metric: 1024) + [
        .addRoute(RouteSpec(RouteType.unreachable, "::/0", metric: 50)),
        .expect(.offline(.prohibited, "eth0", via: ["2001:db8:1::1"])),
      ]),
    Scenario(
      "a throw route sends the search on to the next table",
      one + [
        .addRoute(RouteSpec(RouteType.throw, "default", table: 100)), .addRule(RuleSpec(1000, .lookup(table: 100))),
        oneOnline,
      ]),
    Scenario(
      "a kill switch that leads everything to a device that discards it is told as such",
      card("eth0", 10, "192.0.2.2/24", via: "192.0.2.1", metric: 100) + [
        .addLink(name: "leak0", index: 20, kind: .sink), .setUp("leak0"), .addAddress("100.64.0.2/32", "leak0"),
        .addRoute(RouteSpec("default", .via(nil, "leak0"), metric: 50)),
        .expect(.offline(.sinkInterface, "eth0", via: ["192.0.2.1"])),
        .deleteLink("leak0"), oneOnline,
      ]),
  ]

  // MARK: Tunnels

  private static let tunnel: [Scenario.Step] = [
    .addLink(name: "tun0", index: 20, kind: .tunnel), .setUp("tun0"), .addAddress("10.8.0.2/24", "tun0"),
  ]
  private static func throughTunnel(via gateways: [String]) -> Scenario.Step {
    .expect(.online("tun0", "eth0", via: gateways, type: .other, usesTunnel: true))
  }

  static let tunnels = [
    Scenario(
      "two halves of the Internet over a tunnel beat the default route, which stays usable for the tunnel itself",
      one + tunnel + [
        oneOnline,
        .addRoute(RouteSpec("0.0.0.0/1", .via("10.8.0.1", "tun0"))),
        .addRoute(RouteSpec("128.0.0.0/1", .via("10.8.0.1", "tun0"))),
        .addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0"))),
        throughTunnel(via: ["10.8.0.1", "192.0.2.1"]),
        .deleteLink("tun0"), oneOnline,
      ]),
    Scenario(
      "a tunnel for all unmarked packets is the path, and the default route below it stays usable",
      one + tunnel + [
        .addRoute(RouteSpec("default", .via(nil, "tun0"), table: 51_820)),
        .addRule(RuleSpec(32_765, .lookup(table: 51_820), mark: 0xca6c, isInverted: true)),
        .addRule(RuleSpec(32_764, .lookup(table: 254), suppressedPrefixLength: 0)),
        throughTunnel(via: ["192.0.2.1"]),
        .setDown("tun0"), oneOnline,
      ]),
    Scenario(
      "an exit node in a table of its own is the path",
      one + tunnel + [
        .addRoute(RouteSpec("default", .via(nil, "tun0"), table: 52)),
        .addRule(RuleSpec(5270, .lookup(table: 52))), throughTunnel(via: ["192.0.2.1"]),
        .deleteRule(RuleSpec(5270, .lookup(table: 52))), oneOnline,
      ]),
    Scenario(
      "a tunnel with routes to a few networks is not the path",
      one + tunnel + [
        .addRoute(RouteSpec("10.0.0.0/8", .via("10.8.0.1", "tun0"))),
        .addRoute(RouteSpec("1.1.1.1/32", .via("10.8.0.1", "tun0"))), oneOnline,
      ]),
    Scenario(
      "a tunnel may be the only uplink",
      tunnel + [
        .addRoute(RouteSpec("default", .via("10.8.0.1", "tun0"))),
        .expect(.online("tun0", via: ["10.8.0.1"], type: .other, usesTunnel: true)),
      ]),
  ]

  // MARK: Devices

  static let devices = [
    Scenario(
      "a bridge is as good as its port",
      [
        .addLink(name: "br0", index: 30, kind: .bridge), .addLink(name: "eth0", index: 10, kind: .ethernet),
        .attach("eth0", to: "br0"), .setUp("eth0"), .setUp("br0"), .addAddress("192.0.2.2/24", "br0"),
        .addRoute(RouteSpec("default", .via("192.0.2.1", "br0"))), .expect(.online("br0", via: ["192.0.2.1"])),
        .carrier("eth0", false), .expect(.offline(.noCarrier)),
        .carrier("eth0", true), .expect(.online("br0", via: ["192.0.2.1"])),
        .detach("eth0"), .expect(.offline(.noCarrier)),
      ]),
    Scenario(
      "a bridge for containers is no uplink, and its ports come and go unnoticed",
      one + [
        .addLink(name: "docker0", index: 30, kind: .bridge), .setUp("docker0"),
        .addAddress("172.17.0.1/16", "docker0"), oneOnline,
        .addLink(name: "veth1", index: 31, kind: .ethernet), .attach("veth1", to: "docker0"), .setUp("veth1"),
        oneOnline,
        .detach("veth1"), oneOnline, .deleteLink("veth1"), oneOnline,
        .deleteRoute(RouteSpec("default", .via("192.0.2.1", "eth0"))), .expect(.offline(.noRoute)),
      ]),
    Scenario(
      "an interface may be renamed while it carries the traffic",
      one + [
        oneOnline, .rename("eth0", to: "uplink0"), .expect(.online("uplink0", via: ["192.0.2.1"])),
        .carrier("uplink0", false), .expect(.offline(.noCarrier)),
      ]),
    Scenario(
      "an interface that is taken away leaves the path to the next",
      two + [
        .deleteLink("eth0"), .expect(.online("eth1", via: ["198.51.100.1"])),
        .deleteLink("eth1"), .expect(.offline(.noInterface)),
      ]),
  ]
}
