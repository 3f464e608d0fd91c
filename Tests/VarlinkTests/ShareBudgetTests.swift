import Testing

@testable import Varlink

@Suite("Shares of the server's memory and connections")
struct ShareBudgetTests {
  private final class Stage {
    var budget = ShareBudget(whole: 100)

    /// Notes the bytes that a connection holds; returns the connection that has to end.
    func excess(_ amount: Int, of connection: Int32, user: UInt32) -> Int32? {
      budget.set(amount, of: connection, user: user)
      return budget.excess(after: user)?.connection
    }
  }

  private let stage = Stage()

  @Test func `a user has a quarter, and the connection with the most gives way`() {
    #expect(stage.excess(5, of: 1, user: 1_000) == nil)
    #expect(stage.excess(12, of: 2, user: 1_000) == nil)
    #expect(stage.excess(8, of: 3, user: 1_000) == nil)
    #expect(stage.excess(9, of: 3, user: 1_000) == 2)
    #expect(stage.excess(0, of: 2, user: 1_000) == nil)
    #expect(stage.budget.total == 14)
  }

  @Test func `when the whole is used up the user with the most gives way, and not the newcomer`() {
    for user in 1...3 as ClosedRange<Int32> { #expect(stage.excess(24, of: user, user: UInt32(1_000 + user)) == nil) }
    #expect(stage.excess(3, of: 4, user: 2_000) == nil)
    stage.budget.set(25, of: 2, user: 1_002)
    #expect(stage.budget.excess(after: 1_002)?.connection == 2)
    stage.budget.set(24, of: 2, user: 1_002)
    let greatest = stage.excess(4, of: 4, user: 2_000)
    #expect(greatest != nil && greatest != 4)
  }

  @Test func `root has a quarter that no other user can use up, and more if there is room`() {
    for user in 1...3 as ClosedRange<Int32> { stage.budget.set(25, of: user, user: UInt32(1_000 + user)) }
    #expect(stage.budget.excess(after: 1_003) == nil)
    #expect(stage.excess(25, of: 9, user: 0) == nil)
    #expect([1, 2, 3].contains(stage.excess(26, of: 9, user: 0)))
    var alone = ShareBudget(whole: 100)
    alone.set(100, of: 1, user: 0)
    #expect(alone.excess(after: 0) == nil)
    alone.set(1, of: 2, user: 0)
    #expect(alone.excess(after: 0)?.connection == 1)
  }

  @Test func `a share that is returned is forgotten`() {
    stage.budget.set(20, of: 1, user: 1_000)
    stage.budget.set(0, of: 1, user: 1_000)
    #expect(stage.budget.total == 0)
    #expect(stage.excess(25, of: 2, user: 1_000) == nil)
  }

  // MARK: Connections

  private static func admission(
    of user: UInt32, _ counts: [UInt32: Int], whole: Int = 64, perUser: Int = 40
  ) -> ConnectionTable.Admission {
    ConnectionLimits(whole: whole, perUser: perUser)
      .admission(of: user, counts, total: counts.values.reduce(0, +))
  }

  @Test func `there is room for a user up to the user's limit, and none beyond`() {
    #expect(Self.admission(of: 1_000, [1_000: 39]) == .admitted)
    #expect(Self.admission(of: 1_000, [1_000: 40]) == .refused(limit: "connectionsPerUser", value: 40))
    #expect(Self.admission(of: 0, [0: 63]) == .admitted)
  }

  @Test func `an eighth is kept for root, who is refused when all are root's own`() {
    let crowd: [UInt32: Int] = [1_000: 28, 1_001: 28]
    #expect(Self.admission(of: 0, crowd) == .admitted)
    #expect(
      Self.admission(of: 0, crowd.merging([0: 8]) { $1 }) == .admittedInPlaceOf(user: 1_001),
      "of equal users the one with the highest number gives way")
    #expect(Self.admission(of: 0, [0: 64]) == .refused(limit: "connections", value: 64))
  }

  @Test func `when all are taken the user with the most gives way to one with fewer, and to no other`() {
    #expect(Self.admission(of: 2_000, [1_000: 30, 1_001: 26]) == .admittedInPlaceOf(user: 1_000))
    #expect(Self.admission(of: 1_001, [1_000: 30, 1_001: 26]) == .admittedInPlaceOf(user: 1_000))
    #expect(Self.admission(of: 1_000, [1_000: 30, 1_001: 26]) == .refused(limit: "connections", value: 64))
    #expect(Self.admission(of: 1_001, [1_000: 28, 1_001: 28]) == .refused(limit: "connections", value: 64))
  }

  // MARK: Memory

  @Test func `memory is released when much less is in use than before`() {
    var relief = MemoryRelief()
    // The memory in use in megabytes, and the number of connections.
    let steps = [(1, 10), (0, 0), (30, 1_000), (20, 900), (1, 10)].map {
      relief.isOver(bytes: $0 << 20, connections: $1)
    }
    #expect(steps == [false, false, false, false, true], "the first are not worth it")
    relief.begin(bytes: 1 << 20, connections: 10)
    let isOver = relief.isOver(bytes: 0, connections: 0)
    #expect(!isOver)
    for _ in 0..<10_000 { relief.noteTurn() }
    let isOverAfterTurns = relief.isOver(bytes: 0, connections: 0)
    #expect(isOverAfterTurns)
  }
}
