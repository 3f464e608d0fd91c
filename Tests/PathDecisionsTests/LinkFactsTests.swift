import PathDecisions
import PathTestSupport
import Testing

@Suite("Link facts")
struct LinkFactsTests {
  /// Flags, carrier and operational state, with the resulting usability.
  @Test(
    arguments: [
      ([], true, .up, .administrativelyDown), ([], nil, .unknown, .administrativelyDown),
      ([.lowerUp, .running], true, .up, .administrativelyDown), ([.up, .lowerUp, .running], true, .up, nil),
      // The driver does not maintain the state: tunnels, ifb, fresh bridges.
      ([.up, .lowerUp], true, .unknown, nil),
      // The running flag lags behind: it neither makes nor breaks a link.
      ([.up, .lowerUp], true, .up, nil), ([.up, .running], false, .unknown, .noCarrier),
      ([.up], false, .down, .noCarrier), ([.up], nil, .down, .noCarrier), ([.up], nil, .up, .noCarrier),
      // Either sign of a carrier is enough.
      ([.up], true, .up, nil), ([.up, .lowerUp], nil, .up, nil), ([.up, .lowerUp], false, .up, nil),
      // The first message after setting up has a carrier, but the state is still DOWN.
      ([.up, .lowerUp], true, .down, .noCarrier), ([.up, .lowerUp], true, .lowerLayerDown, .noCarrier),
      ([.up, .lowerUp], true, .notPresent, .noCarrier), ([.up, .lowerUp], true, .testing, .noCarrier),
      ([.up, .lowerUp], true, OperationalState(rawValue: 77), .noCarrier),
      // Associated, but the WPA handshake or 802.1X is pending.
      ([.up, .lowerUp], true, .dormant, .dormant), ([.up], false, .dormant, .dormant),
    ] as [(LinkFlags, Bool?, OperationalState, LinkObstacle?)])
  func `a link is usable when it is up, has a carrier, and its state is UP or UNKNOWN`(
    flags: LinkFlags, hasCarrier: Bool?, state: OperationalState, obstacle: LinkObstacle?
  ) {
    let link = LinkFacts(index: 2, name: "eth0", flags: flags, operationalState: state, hasCarrier: hasCarrier)
    #expect(link.obstacle == obstacle)
  }

  @Test func `states are named as iproute2 names them, unknown ones by number`() {
    let names = (0..<8).map { OperationalState(rawValue: $0).name }
    #expect(names == ["UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP", "7"])
  }
}
