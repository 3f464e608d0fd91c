import Testing

@testable import Varlink

@Suite("The order of turns")
struct TurnOrderTests {
  private final class Stage {
    let order = TurnOrder<String>()

    /// Takes turns of equal cost, and makes each client wait for another; returns the users whose turns they were.
    func turns(_ count: Int, connections: Int = 1, cost: (String) -> Int64 = { _ in 1_000_000 }) -> [String] {
      var taken: [String] = []
      for _ in 0..<count {
        guard let (user, element) = order.next() else { break }
        taken.append(element)
        order.append(element, of: user, connections: connections)
        order.charge(cost(element), to: user)
      }
      return taken
    }
  }

  private let stage = Stage()

  @Test func `a user's clients have their turns one after the other`() {
    for name in ["a", "b", "c"] { stage.order.append(name, of: 1_000, connections: 3) }
    #expect(stage.turns(7) == ["a", "b", "c", "a", "b", "c", "a"])
  }

  @Test func `users have equal shares, however many of their clients wait`() {
    for number in 0..<100 { stage.order.append("crowd \(number)", of: 1_000, connections: 1) }
    stage.order.append("single", of: 1_001, connections: 1)
    let taken = stage.turns(50)
    #expect(taken.count { $0 == "single" } == 25)
  }

  @Test func `a user whose calls take long has fewer turns, not more time`() {
    stage.order.append("long", of: 1_000, connections: 1)
    stage.order.append("short", of: 1_001, connections: 1)
    var time: [String: Int64] = [:]
    for _ in 0..<1_100 {
      guard let (user, element) = stage.order.next() else { break }
      let cost: Int64 = element == "long" ? 10_000_000 : 1_000_000
      time[element, default: 0] += cost
      stage.order.append(element, of: user, connections: 1)
      stage.order.charge(cost, to: user)
    }
    #expect(abs((time["long"] ?? 0) - (time["short"] ?? 0)) <= 20_000_000)
  }

  @Test func `a new user goes before those with many connections`() {
    for user in 1_000..<1_016 as Range<UInt32> { stage.order.append("crowd", of: user, connections: 64) }
    _ = stage.turns(100, connections: 64)
    stage.order.append("new", of: 2_000, connections: 1)
    #expect(stage.turns(1) == ["new"])
  }

  @Test func `a user who was away has saved no turns`() {
    stage.order.append("busy", of: 1_000, connections: 1)
    _ = stage.turns(1_000)
    stage.order.append("new", of: 2_000, connections: 1)
    #expect(stage.turns(20).count { $0 == "new" } <= 11)
  }

  @Test func `a user who goes and comes again is no new one`() {
    stage.order.append("other", of: 1_001, connections: 1)
    stage.order.append("heavy", of: 1_000, connections: 1)
    var taken = ""
    for _ in 0..<100 {
      guard let (user, element) = stage.order.next() else { break }
      taken += element == "heavy" ? "h" : "o"
      stage.order.charge(element == "heavy" ? 10_000_000 : 1_000_000, to: user)
      stage.order.append(element, of: user, connections: 1)
    }
    #expect(taken.count { $0 == "o" } >= 88, "\(taken)")
  }

  @Test func `root has every second turn, and all of them when no other user waits`() {
    for name in ["a", "b"] { stage.order.append(name, of: 1_000, connections: 2) }
    for name in ["r", "s", "t"] { stage.order.append(name, of: 0, connections: 3) }
    var taken: [String] = []
    while let (user, element) = stage.order.next() {
      taken.append(element)
      stage.order.charge(1, to: user)
    }
    #expect(taken == ["r", "a", "s", "b", "t"])
    #expect(stage.order.isEmpty)
  }

  @Test(arguments: [0, 1_000] as [UInt32]) func `a client that has had its turn is not retained while others wait`(
    user: UInt32
  ) {
    final class Client {}
    let order = TurnOrder<Client>()
    weak var served: Client?
    do {
      let client = Client()
      served = client
      order.append(client, of: user, connections: 2)
    }
    order.append(Client(), of: user, connections: 2)
    if let (user, _) = order.next() { order.charge(1, to: user) }
    #expect(served == nil)
    #expect(!order.isEmpty)
  }

  @Test func `users without waiting clients are forgotten`() {
    for user in 1_000..<11_000 as Range<UInt32> {
      stage.order.append("x", of: user, connections: 1)
      if let (user, _) = stage.order.next() { stage.order.charge(1_000, to: user) }
    }
    #expect(stage.order.rememberedUsers <= 1_025)
  }
}
