import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The rules are those of Fuchsia (`src/connectivity/network/reachability/core/src`). There, too, a router that was
/// never healthy is no evidence (`watchdog.rs`), and one that has failed counts at once (`lib.rs`). Fuchsia's watchdog
/// waits for a minute before it acts on a failed router, because it restarts interfaces. Here nothing is done, so
/// nothing waits.
@Suite("Records of routers")
struct RouterRecordsTests {
  private static let router = RoutingFacts.Neighbour(.literal("192.0.2.1"), on: 2)
  private static let second = 1_000_000

  /// The records after these states, one each second from second 100 on.
  private static func records(_ states: RoutingFacts.NeighbourState...) -> RouterRecords { records(states) }

  private static func records(_ states: [RoutingFacts.NeighbourState]) -> RouterRecords {
    var records = RouterRecords()
    records.watch([router])
    for (second, state) in states.enumerated() {
      _ = records.observe(NeighbourFacts(router, state), at: (100 + second) * Self.second)
    }
    return records
  }

  /// The states of a router, and the second of the verdict that it does not answer any more.
  @Test(
    arguments: [
      // One that was never seen to answer is no evidence.
      ([], nil), ([.incomplete, .failed, .failed], nil), ([.stale, .failed, .failed], nil),
      // It takes two failures in a row after an answer, and further ones keep the time of the verdict.
      ([.reachable, .stale, .failed, .incomplete, .failed], 104), ([.reachable, .failed, .failed], 102),
      ([.reachable, .failed, .failed, .incomplete, .failed], 102),
      // One failure is bad luck or a deleted entry, an answer begins anew, and a question without an answer is none.
      ([.reachable, .failed], nil), ([.reachable, .failed, .reachable, .failed], nil),
      ([.reachable, .incomplete], nil),
      // Its return is seen at once, also by a packet of its own.
      ([.reachable, .failed, .failed, .reachable], nil), ([.reachable, .failed, .failed, .stale], nil),
    ] as [([RoutingFacts.NeighbourState], Int?)])
  func `a router that fails twice in a row after it has answered does not answer any more`(
    states: [RoutingFacts.NeighbourState], failed: Int?
  ) {
    let records = Self.records(states)
    #expect(records.failed == (failed == nil ? [] : [Self.router]))
    if let failed { #expect(records[Self.router]?.failed == failed * Self.second) }
    #expect((records[Self.router]?.answered != nil) == states.contains(.reachable))
  }

  @Test func `an answer of which no message came begins anew, too`() {
    // The filter of messages does not pass the answers of a router that counts as answering, so the entry tells.
    var records = Self.records(.reachable, .failed)
    for (later, isFailed) in [(200, false), (203, true)] {
      let entry = NeighbourFacts(Self.router, .failed, confirmedAgo: (later - 150) * Self.second)
      _ = records.observe(entry, at: later * Self.second)
      #expect(records.failed.isEmpty == !isFailed)
    }
  }

  @Test(arguments: [(0, true), (59, true), (60, false), (nil, false)] as [(Int?, Bool)])
  func `a router that has answered within the last minute counts as reachable`(secondsAgo: Int?, isSeen: Bool) {
    var records = RouterRecords()
    records.watch([Self.router])
    let ago = secondsAgo.map { $0 * Self.second }
    let isNews = records.observe(NeighbourFacts(Self.router, .stale, confirmedAgo: ago), at: 100 * Self.second)
    #expect(isNews == isSeen)
    #expect(records[Self.router]?.answered == (isSeen ? 100 * Self.second - (ago ?? 0) : nil))
    for second in 101...102 { _ = records.observe(NeighbourFacts(Self.router, .failed), at: second * Self.second) }
    #expect(records.failed.isEmpty == !isSeen)
  }

  @Test func `only a router that failed or was never seen to answer is waited for`() {
    let other = RoutingFacts.Neighbour(.literal("fe80::1"), on: 2)
    func watch(_ records: RouterRecords) -> RouterWatch {
      var watch = RouterWatch()
      records.wait(for: [Self.router, other], in: &watch)
      return watch
    }
    #expect(watch(Self.records()).awaited == [Self.router.address, other.address])
    #expect(watch(Self.records()).answering.isEmpty)
    #expect(watch(Self.records(.reachable)).awaited == [other.address])
    #expect(watch(Self.records(.reachable)).answering == [Self.router.address])
    #expect(watch(Self.records(.reachable, .failed)).awaited == [other.address])
    #expect(watch(Self.records(.reachable, .failed, .failed)).awaited == [Self.router.address, other.address])
  }

  @Test func `another hardware address of a router that answers is news, and the same one is none`() {
    var records = RouterRecords()
    records.watch([Self.router])
    func news(_ tail: UInt8, _ state: RoutingFacts.NeighbourState = .reachable) -> (isNews: Bool, watch: RouterWatch) {
      let entry = NeighbourFacts(
        Self.router, state, hardwareAddress: state == .failed ? [] : [2, 0, 0, 0, 0, tail])
      let isNews = records.observe(entry, at: 100 * Self.second)
      var watch = RouterWatch()
      records.wait(for: [], in: &watch)
      return (isNews, watch)
    }
    let first = news(1).watch
    #expect(first.hardwareTails == [Self.router.address: 1])
    let again = news(1)
    #expect(!again.isNews && again.watch == first)
    _ = news(0, .failed)
    #expect(records[Self.router]?.hardwareAddress.last == 1, "a failure leaves the former one to compare with")
    let other = news(2)
    #expect(other.isNews && records[Self.router]?.hardwareAddress.last == 2)
    #expect(!first.suffices(for: RouterWatch(current: [Self.router.address]).with(other.watch.hardwareTails)))
    _ = records.forget(over: 2)
    #expect(records[Self.router]?.hardwareAddress == [], "the router of the next network is no other one")
  }

  @Test func `an interface that loses its network takes the record of its routers along`() {
    var records = Self.records(.reachable, .failed, .failed)
    let isNews = [3, 2, 2].map { records.forget(over: $0) }
    #expect(isNews == [false, true, false])
    #expect(records.failed.isEmpty && records[Self.router]?.answered == nil)
  }

  @Test func `the same address over another interface is another router, and others are not recorded`() {
    var records = Self.records(.reachable)
    let other = RoutingFacts.Neighbour(Self.router.address, on: 3)
    let isNews = records.observe(NeighbourFacts(other, .failed), at: 0)
    #expect(!isNews && records[other] == nil)
    records.watch([other])
    #expect(records[Self.router]?.answered != nil, "a path is likely to come back")
    let many = (1...UInt8(200)).map { RoutingFacts.Neighbour(.literal("10.0.0.\($0)"), on: 2) }
    for neighbour in many { records.watch([neighbour]) }
    #expect(records.neighbours.count <= RouterWatch.limit)
    #expect(records[Self.router] == nil)
  }
}

extension RouterWatch {
  /// The same with these ends of hardware addresses.
  fileprivate func with(_ tails: [IPAddress: UInt32]) -> RouterWatch {
    var watch = self
    watch.hardwareTails = tails
    return watch
  }
}
