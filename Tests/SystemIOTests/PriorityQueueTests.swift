import PathTestSupport
import SystemIO
import Testing

@Suite("The queue by rank")
struct PriorityQueueTests {
  @Test("any mixture of calls has the results of a sorted list", arguments: SeededGenerator.seeds)
  func agreement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = PriorityQueue<Int, Int>()
    // In the order they were set: sorting by the moment keeps it, for sorting is stable.
    var model: [(value: Int, moment: Int, ticket: PriorityQueue<Int, Int>.Ticket)] = []
    for value in 0..<3_000 {
      let moment = Int.random(in: 0..<50, using: &generator)
      let chosen = model.indices.randomElement(using: &generator)
      switch (Int.random(in: 0..<6, using: &generator), chosen) {
      case (0, let chosen?):
        queue.remove(model.remove(at: chosen).ticket)
      case (1, let chosen?):
        var entry = model.remove(at: chosen)
        entry.moment = moment
        queue.move(entry.ticket, to: moment)
        model.append(entry)
      case (2, _):
        let first = model.filter { $0.moment <= moment }.min { $0.moment < $1.moment }
        #expect(queue.popFirst(upTo: moment) == first?.value)
        model.removeAll { $0.value == first?.value }
      default:
        model.append((value, moment, queue.insert(value, rank: moment)))
      }
      #expect(queue.count == model.count)
      #expect(queue.lowestRank == model.map(\.moment).min())
    }
    #expect(Self.drain(&queue) == model.sorted { $0.moment < $1.moment }.map(\.value))
  }

  @Test func `among ten thousand values no call searches all`() {
    let counter = Counter()
    var queue = PriorityQueue<CountedMoment, Int>()
    let tickets = (0..<10_000).map { number in
      queue.insert(number, rank: CountedMoment(value: (number * 7_919) % 10_007, counter: counter))
    }
    let now = CountedMoment(value: -1, counter: counter)
    counter.comparisons = 0
    _ = queue.lowestRank
    #expect(counter.comparisons == 0)
    #expect(queue.popFirst(upTo: now) == nil)
    #expect(counter.comparisons == 1)
    for ticket in tickets.prefix(100) {
      counter.comparisons = 0
      queue.move(ticket, to: CountedMoment(value: 5_000, counter: counter))
      queue.move(ticket, to: now)
      queue.remove(ticket)
      // Each goes down and up at most 14 levels, with at most 4 comparisons for each.
      #expect(counter.comparisons <= 3 * 14 * 4)
    }
  }

  @Test func `a place that was released is used again`() {
    var queue = PriorityQueue<Int, Int>()
    var tickets: Set<PriorityQueue<Int, Int>.Ticket> = []
    for round in 0..<1_000 {
      let ticket = queue.insert(round, rank: round)
      tickets.insert(ticket)
      if round.isMultiple(of: 2) { queue.remove(ticket) } else { #expect(queue.popFirst(upTo: round) == round) }
    }
    #expect(tickets.count == 1)
  }

  private static func drain(_ queue: inout PriorityQueue<Int, Int>) -> [Int] {
    var values: [Int] = []
    while let value = queue.popFirst() { values.append(value) }
    return values
  }
}

private final class Counter {
  var comparisons = 0
}

/// A moment that counts how often it is compared.
private struct CountedMoment: Comparable {
  var value: Int
  var counter: Counter

  static func == (left: CountedMoment, right: CountedMoment) -> Bool { left.value == right.value }

  static func < (left: CountedMoment, right: CountedMoment) -> Bool {
    left.counter.comparisons += 1
    return left.value < right.value
  }
}
