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

  /// The lifetimes of the routes, whether their metric is equal, and when the path is evaluated again.
  @Test(
    arguments: [
      (nil, nil, false, nil), (300, nil, false, .milliseconds(3030)), (nil, 150, false, .milliseconds(1530)),
      (60_000, 500, false, .milliseconds(5030)), (0, nil, false, nil),
      (.max, nil, false, .milliseconds(10 * Int(Int32.max) + 30)),
      // Equal routers are compared regularly.
      (1000, nil, true, .milliseconds(10_030)), (180_000, nil, true, .seconds(30)),
    ] as [(Int32?, Int32?, Bool, Duration?)])
  func `a path is evaluated again just after the first of its routes expires`(
    one: Int32?, other: Int32?, areEqual: Bool, wait: Duration?
  ) throws {
    var kernel = Self.kernel { first, second in
      (first.expires, second.expires) = (one, other)
      if areEqual { second.metric = first.metric }
    }
    #expect(try kernel.evaluate().reevaluateAfter == wait)
  }

  private static let (first, second) = (IPAddress.literal("fe80::1"), IPAddress.literal("fe80::2"))

  private static func watch(
    _ current: IPAddress..., rivals: [IPAddress] = [], awaited: [IPAddress] = [], answering: [IPAddress] = []
  ) -> RouterWatch {
    var watch = RouterWatch(current: current, rivals: rivals)
    (watch.awaited, watch.answering) = (awaited, answering)
    return watch
  }

  @Test(arguments: [
    // For themselves, for fewer in use and for no path.
    (watch(first, second), watch(first, second), true), (watch(first, second), watch(second), true),
    (watch(first), watch(), true), (watch(), watch(first), false),
    // Not where a router begins or ceases to be a rival.
    (watch(first), watch(rivals: [first]), false), (watch(first, second), watch(second, rivals: [first]), false),
    (watch(first, rivals: [second]), watch(first), false),
    // A path that flips between awaited routers costs no filter, and the answers of others would wake the engine.
    (watch(first, awaited: [first, second]), watch(first, awaited: [first]), true),
    (watch(first, awaited: [first, second]), watch(first, awaited: [first], answering: [second]), false),
    (watch(first), watch(first, awaited: [first]), false),
  ])
  func `routers that are followed suffice for those that others need`(
    followed: RouterWatch, wanted: RouterWatch, suffices: Bool
  ) {
    #expect(followed.suffices(for: wanted) == suffices)
  }

  @Test func `failures of former routers are followed, too, up to the limit and each once`() {
    let next = RouterWatch(current: [Self.second])
    let former = RouterWatch(current: [Self.first, Self.second], rivals: [Self.first])
    #expect(next.following(former).current == [Self.second, Self.first])
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
    kernel = .two
    kernel.addRoute(RouteSpec("17.0.0.0/8", .via("192.0.2.1", "eth0"), metric: 100))
    #expect(try kernel.evaluate().routers.rivals.isEmpty, "nor are routes of different prefixes rivals")
  }
}
