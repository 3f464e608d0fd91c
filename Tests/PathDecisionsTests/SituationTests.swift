import PathModel
import PathTestSupport
import Testing

@testable import PathDecisions

@Suite("A situation, and news of it")
struct SituationTests {
  private static let router = RoutingFacts.Neighbour(.literal("192.0.2.1"), on: 2)
  private static let eth0 = LinkFacts.up(2, "eth0")
  private static let report = ValidationReport(
    interfaceIndex: 2, wireless: nil, gateways: [router.address], PathValidation(state: .validated))

  /// `eth0` with a router that answers, and the validator's report on its network.
  private static var known: Situation {
    var situation = Situation()
    situation.apply(.link(eth0), at: 1)
    situation.apply(.rules(PolicyRules([])), at: 1)
    situation.apply(.watched([router]), at: 1)
    situation.apply(.router(NeighbourFacts(router, .reachable, hardwareAddress: [2, 0, 0, 0, 0, 1])), at: 2)
    situation.apply(.report(report), at: 3)
    return situation
  }

  private static func link(_ change: (inout LinkFacts) -> Void) -> Situation.News {
    var link = eth0
    change(&link)
    return .link(link)
  }

  /// News, and whether the network of `eth0` may be another one after it.
  private static let news: [(String, Situation.News, losesNetwork: Bool)] = [
    ("another size of packets", link { $0.mtu = 1_400 }, false),
    ("a link that is switched off", link { $0.flags.remove(.up) }, true),
    ("a carrier that was gone for a moment", link { $0.carrierChanges = 9 }, true),
    ("another link", .link(.up(3, "eth1")), false),
    ("no link", .everyLink(KernelState()), false),
    ("rules to read", .rules(nil), false),
    ("a resolver", .resolver(.servers(["192.0.2.53"])), false),
    (
      "a lease", .leases([2: [LeaseFacts(address: .literal("192.0.2.2"), isMetered: true)]], [:], UnreadLeases()), false
    ),
    ("an access point", .wireless([:], accessPoints: [4]), false),
    ("a metered device", .networkManager(["eth0": .yes], [:]), false),
    ("a verdict on a device", .networkManager([:], ["eth0": DeviceConnectivity(ipv4: .full)]), false),
    ("no report", .report(nil), false),
    (
      "another router at the address",
      .router(NeighbourFacts(router, .reachable, hardwareAddress: [2, 0, 0, 0, 0, 9])), true
    ),
    ("sleep", .networksLost([2]), true),
  ]

  @Test func `news changes a situation once, and takes a verdict away where the network may be another one`() {
    for (name, news, losesNetwork) in Self.news {
      var situation = Self.known
      let isNews = situation.apply(news, at: 10)
      #expect(isNews && situation != Self.known, "\(name)")
      #expect((situation.networks.networkLosses[2] == 10) == losesNetwork, "\(name)")
      if losesNetwork { #expect(situation.networks.report == nil, "\(name)") }
      if name != "no report", !losesNetwork { #expect(situation.networks.report == Self.report, "\(name)") }
      // The same router answers again, and a loss is one each time.
      let isNewsAgain = situation.apply(news, at: 10)
      if !losesNetwork || name != "sleep" && !name.contains("router") { #expect(!isNewsAgain, "\(name)") }
    }
  }

  @Test func `a link that goes takes its facts along, and the next one with its index begins anew`() {
    var situation = Self.known
    situation.apply(.linkGone(2), at: 10)
    #expect(situation.state.interfaces.isEmpty)
    #expect(situation.networks.networkLosses.isEmpty && situation.networks.report == nil)
    #expect(situation.networks.routers[Self.router]?.answered == nil)
  }

  @Test func `a wireless network with another name is another network`() throws {
    let (home, hotel) = (try #require(NetworkName([1])), try #require(NetworkName([2])))
    var situation = Self.known
    situation.apply(.wireless([2: home], accessPoints: []), at: 10)
    #expect(situation.networks.networkLosses[2] == 1, "a name that was not known before is no other network")
    situation.apply(.wireless([2: hotel], accessPoints: []), at: 20)
    #expect(situation.networks.networkLosses[2] == 20 && situation.networks.report == nil)
  }

  @Test func `a successor knows what messages alone have told`() {
    var successor = Situation()
    successor.apply(.succession(of: Self.known.networks), at: 10)
    #expect(successor.networks.report == Self.report)
    #expect(successor.networks.routers == Self.known.networks.routers)
  }
}
