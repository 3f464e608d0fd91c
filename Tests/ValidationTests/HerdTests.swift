import Foundation
import PathModel
import PathTestSupport
import SystemIO
import Testing

@testable import Validation

/// Many machines behind one outage, each with a schedule of its own.
@Suite("A herd of validators")
struct HerdTests {
  /// The number of machines. The figures of docs/validation.md are those of 100,000 (`Benchmarks/herd/run`).
  private static let asked = ProcessInfo.processInfo.environment["PATHMONITOR_HERD"].flatMap { Int($0) }
  private static let machines = asked ?? 5_000
  private static let outage = 3_600

  private static func moment(_ seconds: Double) -> MonotonicInstant { .init(nanoseconds: Int64(seconds * 1e9)) }

  /// The rounds of all machines in each second, of machines that get their network within ten seconds while no host
  /// answers, and find that the Internet answers with their first round after the outage.
  private static func rounds(isRandom: Bool) -> [Int] {
    var rounds = [Int](repeating: 0, count: outage + 1_200)
    var numbers = SeededGenerator(seed: 2026)
    for _ in 0..<machines {
      let seed = numbers.next()
      let generator = Guarded(SeededGenerator(seed: seed))
      var schedule = ValidationSchedule(random: {
        isRandom ? generator.withLock { Double($0.next() >> 11) / 0x1p53 } : 0.5
      })
      var now = moment(Double(numbers.next() % 10_000) / 1_000)
      var action = schedule.networkChanged(isAllowed: true, at: now)
      while true {
        if case .wake(let due) = action {
          now = due
          action = schedule.timerFired(at: now)
        }
        guard action == .ask else { break }
        let second = Int(now.nanoseconds / 1_000_000_000)
        if second >= rounds.count { break }
        rounds[second] += 1
        action = schedule.concluded(isValidated: second >= outage, at: now)
      }
    }
    return rounds
  }

  @Test(arguments: [true, false])
  func `after an hour without an answer, random pauses alone keep each second below three times the mean`(
    isRandom: Bool
  ) throws {
    let rounds = Self.rounds(isRandom: isRandom)
    // The last ten minutes of the outage, and the ten in which the machines find its end.
    for window in [(Self.outage - 600)..<Self.outage, Self.outage..<(Self.outage + 600)] {
      let mean = Double(rounds[window].reduce(0, +)) / 600
      let peak = Double(rounds[window].max() ?? 0)
      if Self.asked != nil {
        let pauses = isRandom ? "random pauses" : "equal pauses"
        print("herd: \(pauses), from \(window.lowerBound) s: \(mean) a second on average, \(peak) at most")
      }
      // Beside chance: in a second there are few of so few machines.
      let isEven = mean > 1 && peak <= 3 * mean + 3 * mean.squareRoot()
      #expect(isEven == isRandom, "\(peak) in a second, \(mean) on average")
    }
    let later = rounds[(Self.outage + 900)...].reduce(0, +)
    #expect(later == 0, "all have found it")
  }
}
