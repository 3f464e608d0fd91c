import PathModel

/// Situations that programs of this kind are known to get wrong, each described once for both kernels.
package enum ScenarioTable {
  /// All scenarios.
  package static let all = cables + uplinks + multipath + addresses + families + policies + tunnels + devices

  /// A network card with an address, and a default route where a router is named.
  static func card(
    _ name: String, _ index: Int32, _ address: Prefix, via gateway: String? = nil, metric: UInt32? = nil
  ) -> [Scenario.Step] {
    let everything: Prefix = address.address.family == .ipv4 ? "0.0.0.0/0" : "::/0"
    return [.addLink(name: name, index: index, kind: .ethernet), .setUp(name), .addAddress(address, name)]
      + (gateway.map { [.addRoute(RouteSpec(everything, .via($0, name), metric: metric))] } ?? [])
  }

  /// `eth0`, 192.0.2.2/24 with the router 192.0.2.1.
  package static let one = card("eth0", 10, "192.0.2.2/24", via: "192.0.2.1")
  /// `eth0` with metric 100 and `eth1` with metric 200.
  package static let two =
    card("eth0", 10, "192.0.2.2/24", via: "192.0.2.1", metric: 100)
    + card("eth1", 11, "198.51.100.2/24", via: "198.51.100.1", metric: 200)
  /// The expectation for `one`.
  static let oneOnline = Scenario.Step.expect(.online("eth0", via: ["192.0.2.1"]))
  /// The expectation for `two`.
  static let twoOnline = Scenario.Step.expect(.online("eth0", "eth1", via: ["192.0.2.1", "198.51.100.1"]))

  // MARK: Cables

  static let cables = [
    Scenario(
      "a pulled cable is an outage that ends when it is put back",
      one + [
        oneOnline, .carrier("eth0", false), .expect(.offline(.noCarrier)), .carrier("eth0", true), oneOnline,
      ]),
    Scenario(
      "a route over a pulled cable still wins, unless the kernel is told to ignore it",
      two + [
        twoOnline,
        .carrier("eth0", false), .expect(.offline(.linkDownRoute, "eth1", via: ["198.51.100.1"])),
        .sysctl(ignoreRoutesWithLinkDown: true), .expect(.online("eth1", via: ["198.51.100.1"])),
        .carrier("eth0", true), twoOnline,
        .carrier("eth0", false), .expect(.online("eth1", via: ["198.51.100.1"])),
        .sysctl(ignoreRoutesWithLinkDown: false), .expect(.offline(.linkDownRoute, "eth1", via: ["198.51.100.1"])),
      ]),
    Scenario(
      "a pulled spare cable takes away the spare only",
      two + [
        .carrier("eth1", false), .expect(.online("eth0", via: ["192.0.2.1"])), .carrier("eth1", true), twoOnline,
      ]),
    Scenario(
      "a link that is set down loses its default route without a word, and does not get it back",
      one + [
        .setDown("eth0"), .expect(.offline(.noInterface)),
        .setUp("eth0"), .expect(.offline(.noRoute)),
        .addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"))), oneOnline,
      ]),
  ]

  // MARK: Several uplinks

  static let uplinks = [
    Scenario(
      "of two uplinks the one with the lower metric carries the traffic",
      two + [
        twoOnline,
        .deleteRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 100)),
        .expect(.online("eth1", via: ["198.51.100.1"])),
        .addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 300)),
        .expect(.online("eth1", "eth0", via: ["198.51.100.1", "192.0.2.1"])),
      ]),
    Scenario(
      "a metric of 0 beats all others",
      two + [
        .addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"))),
        .expect(.online("eth1", "eth0", via: ["198.51.100.1", "192.0.2.1"])),
      ]),
    Scenario(
      "the path moves over when the preferred link is set down",
      two + [
        .setDown("eth0"), .expect(.online("eth1", via: ["198.51.100.1"])),
        .setUp("eth0"), .expect(.online("eth1", via: ["198.51.100.1"])),
      ]),
    Scenario(
      "most probes decide, not a host route to one of them",
      two + [
        .addRoute(RouteSpec("193.0.14.129/32", .via("198.51.100.1", "eth1"))), twoOnline,
        .addRoute(RouteSpec("202.12.27.33/32", .via("198.51.100.1", "eth1"))),
        .expect(.online("eth1", "eth0", via: ["198.51.100.1", "192.0.2.1"])),
      ]),
    Scenario(
      "a route to a part of the Internet is a path when it covers most probes",
      card("eth0", 10, "192.0.2.2/24") + [
        .addRoute(RouteSpec("0.0.0.0/1", .via("192.0.2.1", "eth0"))),
        .expect(.offline(.noRoute, "eth0", via: ["192.0.2.1"])),
        .addRoute(RouteSpec("128.0.0.0/1", .via("192.0.2.1", "eth0"))), oneOnline,
        .deleteRoute(RouteSpec("0.0.0.0/1", .via("192.0.2.1", "eth0"))), oneOnline,
      ]),
  ]
}
