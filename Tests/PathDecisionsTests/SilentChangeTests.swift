import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Changes without a message")
struct SilentChangeTests {
  /// `eth0` and `eth1` with IPv6 default routes as given.
  private static func kernel(_ change: (inout RouteSpec, inout RouteSpec) -> Void) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "2001:db8:1::2/64")
    kernel.install(.up(3, "eth1"), "2001:db8:2::2/64")
    var first = RouteSpec("::/0", .via("fe80::1", "eth0"), metric: 100)
    var second = RouteSpec("::/0", .via("fe80::1", "eth1"), metric: 200)
    change(&first, &second)
    kernel.addRoute(first)
    kernel.addRoute(second)
    return kernel
  }

  private static func wait(_ change: (inout RouteSpec, inout RouteSpec) -> Void) throws -> Duration? {
    var kernel = kernel(change)
    return try kernel.evaluate().reevaluateAfter
  }

  @Test func `routes that last need no timer`() throws {
    #expect(try Self.wait { _, _ in } == nil)
  }

  @Test func `a route that expires is checked just after its end`() throws {
    #expect(try Self.wait { first, _ in first.expires = 300 } == .milliseconds(3030))
    #expect(try Self.wait { _, second in second.expires = 150 } == .milliseconds(1530))
  }

  @Test func `routers that are followed suffice for themselves and for no path, and for no others`() {
    var (followed, other) = (RouterWatch(), RouterWatch())
    followed.current = [.literal("fe80::1")]
    other.rivals = followed.current
    #expect(followed.suffices(for: followed))
    #expect(followed.suffices(for: RouterWatch()))
    #expect(!followed.suffices(for: other))
    #expect(!RouterWatch().suffices(for: followed))
  }

  @Test func `a followed router suffices for fewer in use, and not where it stops or starts to be a rival`() {
    let (first, second) = (IPAddress.literal("fe80::1"), IPAddress.literal("fe80::2"))
    let followed = RouterWatch(current: [first, second])
    #expect(followed.suffices(for: RouterWatch(current: [second])))
    #expect(!followed.suffices(for: RouterWatch(current: [second], rivals: [first])))
    #expect(!RouterWatch(current: [first], rivals: [second]).suffices(for: RouterWatch(current: [first])))
  }

  @Test func `failures of former routers are followed, too, up to the limit and each once`() {
    let (first, second) = (IPAddress.literal("fe80::1"), IPAddress.literal("fe80::2"))
    let next = RouterWatch(current: [second])
    #expect(next.following(RouterWatch(current: [first, second], rivals: [first])).current == [second, first])
    #expect(next.following(RouterWatch()) == next)
    let many = (1...200).map { IPAddress.literal("192.0.2.\($0)") }
    #expect(next.following(RouterWatch(current: many)).current.count == RouterWatch.limit)
    #expect(RouterWatch(current: many).following(next).current == many)
  }

  @Test func `the router of an IPv6 route over a dead link is followed, as its failure moves the kernel on`() throws {
    var kernel = Self.kernel { _, second in second.metric = 300 }
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.status == .unsatisfied)
    #expect(evaluation.routers.current == [.literal("fe80::1")])
  }

  @Test func `a better router of IPv6 that was passed over is a rival, whatever route is in use`() throws {
    for hop in [RouteSpec.Hop.via("fe80::2", "eth1"), .via(nil, "eth1")] {
      var kernel = Self.kernel { $1 = RouteSpec("::/0", hop, metric: 200) }
      kernel.interfacesWithFailedRouter = [kernel.index(of: "eth0")]
      let evaluation = try kernel.evaluate()
      #expect(evaluation.path.interfaces.map(\.name) == ["eth1", "eth0"])
      #expect(evaluation.routers.rivals.contains(.literal("fe80::1")))
      #expect(evaluation.reevaluateAfter == .seconds(30))
    }
  }

  @Test func `of several expiries the first applies`() throws {
    #expect(
      try Self.wait { first, second in
        first.expires = 60_000
        second.expires = 500
      } == .milliseconds(5030))
  }

  @Test func `a lifetime of zero is none`() throws {
    #expect(try Self.wait { first, _ in first.expires = 0 } == nil)
  }

  @Test func `equal routers change places, so they are followed and compared regularly`() throws {
    var kernel = Self.kernel { $1.metric = 100 }
    let evaluation = try kernel.evaluate()
    #expect(evaluation.reevaluateAfter == .seconds(30))
    #expect(evaluation.routers.rivals.contains(.literal("fe80::1")))
    #expect(evaluation.routers.current.isEmpty)
  }

  @Test func `routers that are not equal keep their places, and only a failure of the current one matters`() throws {
    var kernel = Self.kernel { _, _ in }
    let evaluation = try kernel.evaluate()
    #expect(evaluation.reevaluateAfter == nil)
    #expect(evaluation.routers.current == [.literal("fe80::1")])
    #expect(evaluation.routers.rivals.isEmpty)
  }

  @Test func `routes of different tables or prefixes are no rivals`() throws {
    var kernel = FakeKernel.two
    kernel.addRoute(RouteSpec("17.0.0.0/8", .via("192.0.2.1", "eth0"), metric: 100))
    #expect(try kernel.evaluate().routers.rivals.isEmpty)
  }

  @Test func `an expiry that is nearer than the next look wins, and a later one does not`() throws {
    func wait(_ expires: Int32) throws -> Duration? {
      try Self.wait { first, second in
        second.metric = 100
        first.expires = expires
      }
    }
    #expect(try wait(1000) == .milliseconds(10_030))
    #expect(try wait(180_000) == .seconds(30))
  }

  @Test func `the longest lifetime does not overflow`() throws {
    #expect(try Self.wait { first, _ in first.expires = Int32.max } == .milliseconds(10 * Int(Int32.max) + 30))
  }
}
