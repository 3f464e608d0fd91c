import PathEngine
import PathModel
import PathTestSupport
import Testing

@Suite("Evaluation pacing")
struct EvaluationPacingTests {
  typealias Pacing = EvaluationPacing<TestInstant>

  @Test func `the first evaluation starts at once`() {
    #expect(Pacing().earliestStart(at: TestInstant(5)) == TestInstant(5))
  }

  @Test func `an evaluation is followed by a pause as long as it took`() {
    var pacing = Pacing()
    pacing.evaluated(from: TestInstant(100), to: TestInstant(103))
    #expect(pacing.earliestStart(at: TestInstant(103)) == TestInstant(106))
    #expect(pacing.earliestStart(at: TestInstant(106)) == TestInstant(106))
    #expect(pacing.earliestStart(at: TestInstant(500)) == TestInstant(500))
  }

  @Test func `a storm of events costs at most half of the time`() {
    var pacing = Pacing()
    var now = TestInstant(0)
    var working = Duration.zero
    for cost in [1, 40, 3, 200, 7, 7, 90] {
      let start = pacing.earliestStart(at: now)
      now = start.advanced(by: .milliseconds(cost))
      working += .milliseconds(cost)
      pacing.evaluated(from: start, to: now)
    }
    now = pacing.earliestStart(at: now)
    #expect(working * 2 <= now.offset)
  }

  @Test func `one overrun changes nothing, a second within a second makes evaluations rare`() {
    var pacing = Pacing()
    pacing.overrun(at: TestInstant(0))
    pacing.evaluated(from: TestInstant(0), to: TestInstant(1))
    #expect(pacing.earliestStart(at: TestInstant(1)) == TestInstant(2))
    pacing.overrun(at: TestInstant(500))
    pacing.evaluated(from: TestInstant(500), to: TestInstant(501))
    #expect(pacing.earliestStart(at: TestInstant(501)) == TestInstant(751))
  }

  @Test func `overruns that are a second apart are independent`() {
    var pacing = Pacing()
    pacing.overrun(at: TestInstant(0))
    pacing.overrun(at: TestInstant(1000))
    pacing.evaluated(from: TestInstant(1000), to: TestInstant(1001))
    #expect(pacing.earliestStart(at: TestInstant(1001)) == TestInstant(1002))
  }

  @Test func `a socket that keeps overrunning is served at most four times a second`() {
    var pacing = Pacing()
    var now = TestInstant(0)
    var starts: [TestInstant] = []
    pacing.overrun(at: now)
    for _ in 0..<20 {
      pacing.overrun(at: now)
      now = pacing.earliestStart(at: now)
      starts.append(now)
      let end = now.advanced(by: .milliseconds(2))
      pacing.evaluated(from: now, to: end)
      now = end
    }
    for (first, fifth) in zip(starts.dropFirst(), starts.dropFirst(5)) {
      #expect(first.duration(to: fifth) >= .seconds(1))
    }
  }

  @Test func `a long evaluation is followed by a long pause even then`() {
    var pacing = Pacing()
    pacing.overrun(at: TestInstant(0))
    pacing.overrun(at: TestInstant(10))
    pacing.evaluated(from: TestInstant(10), to: TestInstant(410))
    #expect(pacing.earliestStart(at: TestInstant(410)) == TestInstant(810))
  }

  @Test func `a second without an overrun ends the slow pace`() {
    var pacing = Pacing()
    pacing.overrun(at: TestInstant(0))
    pacing.overrun(at: TestInstant(10))
    pacing.evaluated(from: TestInstant(300), to: TestInstant(301))
    #expect(pacing.earliestStart(at: TestInstant(301)) == TestInstant(551))
    pacing.evaluated(from: TestInstant(1100), to: TestInstant(1101))
    #expect(pacing.earliestStart(at: TestInstant(1101)) == TestInstant(1102))
  }
}
