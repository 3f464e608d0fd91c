import PathModel

extension ScenarioTable {
  // MARK: Routes with several legs

  /// Each scenario has both orders of the legs. The hash of a destination chooses a leg by its place in the route, so
  /// the two orders lead each destination over different interfaces.
  package static let multipath = [
    multipathIPv4("a multipath route is usable as long as one leg is", legs[0], legs[1]),
    multipathIPv4("a multipath route is usable as long as one leg is, in the other order too", legs[1], legs[0]),
    multipathIPv6("an IPv6 multipath route is usable as long as one leg is", legsIPv6[0], legsIPv6[1]),
    multipathIPv6("an IPv6 multipath route is usable as long as one leg is, in any order", legsIPv6[1], legsIPv6[0]),
  ]

  /// An interface and its router.
  private typealias Leg = (name: String, gateway: String)
  private static let legs = [Leg("eth0", "192.0.2.1"), Leg("eth1", "198.51.100.1")]
  private static let legsIPv6 = [Leg("eth0", "2001:db8:1::1"), Leg("eth1", "2001:db8:2::1")]

  private static func multipathIPv4(_ description: String, _ first: Leg, _ second: Leg) -> Scenario {
    let both = Scenario.Step.expect(.online(first.name, second.name, via: [first.gateway, second.gateway]))
    return Scenario(
      description,
      card("eth0", 10, "192.0.2.2/24") + card("eth1", 11, "198.51.100.2/24") + [
        .addRoute(RouteSpec("default", .via(first.gateway, first.name), .via(second.gateway, second.name))),
        both,
        .carrier(first.name, false), .expect(.online(second.name, via: [second.gateway])),
        .carrier(first.name, true), both,
        .setDown(second.name), .expect(.online(first.name, via: [first.gateway])),
        .carrier(first.name, false), .expect(.offline(.noCarrier)),
        .carrier(first.name, true), .setUp(second.name), both,
        .setDown(first.name), .setDown(second.name), .expect(.offline(.noInterface)),
      ])
  }

  /// The kernel reports the legs of IPv6 in the order of their interfaces.
  private static func multipathIPv6(_ description: String, _ first: Leg, _ second: Leg) -> Scenario {
    func online(_ names: [String], _ gateways: [String]) -> Scenario.Step {
      var expected = Expectation.online(via: gateways, ipv4: false, ipv6: true)
      expected.interfaces = names
      return .expect(expected)
    }
    let both = online(legsIPv6.map(\.name), legsIPv6.map(\.gateway))
    return Scenario(
      description,
      card("eth0", 10, "2001:db8:1::2/64") + card("eth1", 11, "2001:db8:2::2/64") + [
        .addRoute(RouteSpec("::/0", .via(first.gateway, first.name), .via(second.gateway, second.name))),
        both,
        .carrier(second.name, false), online([first.name], [first.gateway]),
        .carrier(second.name, true), both,
        .carrier(first.name, false), online([second.name], [second.gateway]),
        .carrier(first.name, true), .carrier(second.name, false), online([first.name], [first.gateway]),
        .setDown(first.name), .expect(.offline(.noCarrier)),
      ])
  }
}
