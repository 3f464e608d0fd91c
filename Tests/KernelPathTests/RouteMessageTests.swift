import KernelPath
import PathDecisions
import PathModel
import Testing

@Suite("Route messages")
struct RouteMessageTests {
  private static let firstRouter = IPAddress(ipv4: 0xc000_0201)

  @Test func `an IPv4 resolution has the interface, the router and the source that would be used`() throws {
    let route = try #require(CapturedMessage.resolveIPv4.route)
    #expect(route.type == RouteType.unicast)
    #expect(route.prefixLength == 32)
    #expect(route.source == IPAddress("192.0.2.2"))
    #expect(route.legs == [RouteLeg(interfaceIndex: 10, gateway: Self.firstRouter)])
    #expect(route.isCloned)
    #expect(route.expires == nil)
  }

  @Test func `an IPv4 match has the matched prefix and metric`() throws {
    let route = try #require(CapturedMessage.matchIPv4.route)
    #expect(
      route
        == RouteFacts(metric: 100, legs: [RouteLeg(interfaceIndex: 10, gateway: Self.firstRouter)]))
  }

  @Test func `an IPv6 resolution and match agree but for the source`() throws {
    let resolution = try #require(CapturedMessage.resolveIPv6.route)
    let leg = RouteLeg(interfaceIndex: 10, gateway: IPAddress("2001:db8::1"))
    #expect(resolution.source == IPAddress("2001:db8::2"))
    #expect(resolution.legs == [leg])
    let match = try #require(CapturedMessage.matchIPv6.route)
    #expect(match.source == nil)
    #expect(match.metric == 512)
    #expect(match.prefixLength == 0)
    #expect(match.legs == [leg])
  }

  @Test func `a multipath route has a leg for each next hop`() throws {
    let ipv4 = try #require(CapturedMessage.matchMultipathIPv4.route)
    #expect(ipv4.table == 100)
    #expect(
      ipv4.legs == [
        RouteLeg(interfaceIndex: 10, gateway: Self.firstRouter),
        RouteLeg(interfaceIndex: 20, gateway: IPAddress("192.0.3.1")),
      ])
    let ipv6 = try #require(CapturedMessage.matchMultipathIPv6.route)
    #expect(ipv6.metric == 20)
    #expect(Set(ipv6.legs.map(\.interfaceIndex)) == [10, 20])
    #expect(Set(ipv6.legs.map(\.gateway)) == [IPAddress("2001:db8::1"), IPAddress("2001:db8:3::1")])
  }

  @Test func `a leg whose link lost its carrier is marked`() throws {
    let route = try #require(CapturedMessage.matchMultipathLinkDown.route)
    #expect(route.legs.map(\.isLinkDown) == [true, false])
    #expect(route.legs.map(\.isDead) == [false, false])
  }

  @Test func `an IPv4 route over an IPv6 router names it`() throws {
    let router = IPAddress("fe80::1")
    #expect(CapturedMessage.matchViaIPv6.route?.legs == [RouteLeg(interfaceIndex: 10, gateway: router)])
    let resolution = try #require(CapturedMessage.resolveViaIPv6.route)
    #expect(resolution.legs == [RouteLeg(interfaceIndex: 10, gateway: router)])
    #expect(resolution.source == IPAddress("192.0.2.2"))
    let multipath = try #require(CapturedMessage.matchMultipathViaIPv6.route)
    #expect(multipath.legs.map(\.gateway) == [router, IPAddress("fe80::2")])
  }

  @Test func `a route by a next-hop object has the object's leg`() throws {
    let route = try #require(CapturedMessage.matchNextHopObject.route)
    #expect(route.prefixLength == 24)
    #expect(route.legs == [RouteLeg(interfaceIndex: 10, gateway: Self.firstRouter)])
  }

  @Test func `an address of this machine is a local route of the table local`() throws {
    let route = try #require(CapturedMessage.matchLocal.route)
    #expect(route.type == RouteType.local)
    #expect(route.table == 255)
  }

  @Test func `an advertised route has an end in its match, in hundredths of a second`() throws {
    let match = try #require(CapturedMessage.matchAdvertised.route)
    #expect((179_000...180_000).contains(try #require(match.expires)))
    #expect(try #require(CapturedMessage.resolveAdvertised.route).expires == nil)
  }

  @Test func `a missing router is a refusal with the errno of connect`() {
    #expect(CapturedMessage.errorOfBlackhole.errorNumber == 22)
    #expect(CapturedMessage.errorOfUnreachable.errorNumber == 113)
    #expect(CapturedMessage.errorOfProhibit.errorNumber == 13)
    #expect(CapturedMessage.errorOfUnreachableIPv6.errorNumber == 113)
    #expect(CapturedMessage.dumpEnd.errorNumber == 0)
  }

  @Test(arguments: [Int32(1), .max, .min])
  func `a number that is no errno is none, and does not trap`(code: Int32) throws {
    let bytes = MessageBuilder.message(2, MessageBuilder.bytes(code))
    #expect(CapturedMessage(bytes: bytes).errorNumber == 0)
  }

  @Test func `a notification has the prefix it is about`() throws {
    let route = try #require(CapturedMessage.routeAdded.route)
    #expect(route.prefixLength == 24)
    #expect(route.metric == 5)
    #expect(CapturedMessage.routeDeleted.route == route)
  }

  @Test func `a table above 255 is taken from the attribute`() throws {
    let attributes = MessageBuilder.attribute(15, UInt32(51_820)) + MessageBuilder.attribute(4, UInt32(3))
    let payload = MessageBuilder.routeHeader(family: 2, prefixLength: 0) + attributes
    let route = try #require(CapturedMessage(bytes: MessageBuilder.message(24, payload)).route)
    #expect(route.table == 51_820)
    #expect(route.legs == [RouteLeg(interfaceIndex: 3)])
  }
}
