import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Evaluation pacing")
struct EvaluationPacingTests {
  typealias Pacing = EvaluationPacing

  @Test func `the first evaluation starts at once`() {
    #expect(Pacing().earliestStart(at: MonotonicInstant(5)) == MonotonicInstant(5))
  }

  @Test func `an evaluation is followed by a pause as long as it took`() {
    var pacing = Pacing()
    pacing.evaluated(from: MonotonicInstant(100), to: MonotonicInstant(103))
    #expect(pacing.earliestStart(at: MonotonicInstant(103)) == MonotonicInstant(106))
    #expect(pacing.earliestStart(at: MonotonicInstant(106)) == MonotonicInstant(106))
    #expect(pacing.earliestStart(at: MonotonicInstant(500)) == MonotonicInstant(500))
  }

  @Test func `a storm of events costs at most half of the time`() {
    var pacing = Pacing()
    var now = MonotonicInstant(0)
    var working = Duration.zero
    for cost in [1, 40, 3, 200, 7, 7, 90] {
      let start = pacing.earliestStart(at: now)
      now = start.advanced(by: .milliseconds(cost))
      working += .milliseconds(cost)
      pacing.evaluated(from: start, to: now)
    }
    now = pacing.earliestStart(at: now)
    #expect(working * 2 <= MonotonicInstant(0).duration(to: now))
  }

  @Test func `one overrun changes nothing, a second within a second makes evaluations rare`() {
    var pacing = Pacing()
    pacing.overrun(at: MonotonicInstant(0))
    pacing.evaluated(from: MonotonicInstant(0), to: MonotonicInstant(1))
    #expect(pacing.earliestStart(at: MonotonicInstant(1)) == MonotonicInstant(2))
    pacing.overrun(at: MonotonicInstant(500))
    pacing.evaluated(from: MonotonicInstant(500), to: MonotonicInstant(501))
    #expect(pacing.earliestStart(at: MonotonicInstant(501)) == MonotonicInstant(751))
  }

  @Test func `overruns that are a second apart are independent`() {
    var pacing = Pacing()
    pacing.overrun(at: MonotonicInstant(0))
    pacing.overrun(at: MonotonicInstant(1000))
    pacing.evaluated(from: MonotonicInstant(1000), to: MonotonicInstant(1001))
    #expect(pacing.earliestStart(at: MonotonicInstant(1001)) == MonotonicInstant(1002))
  }

  @Test func `a socket that keeps overrunning is served at most four times a second`() {
    var pacing = Pacing()
    var now = MonotonicInstant(0)
    var starts: [MonotonicInstant] = []
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
    pacing.overrun(at: MonotonicInstant(0))
    pacing.overrun(at: MonotonicInstant(10))
    pacing.evaluated(from: MonotonicInstant(10), to: MonotonicInstant(410))
    #expect(pacing.earliestStart(at: MonotonicInstant(410)) == MonotonicInstant(810))
  }

  @Test func `a second without an overrun ends the slow pace`() {
    var pacing = Pacing()
    pacing.overrun(at: MonotonicInstant(0))
    pacing.overrun(at: MonotonicInstant(10))
    pacing.evaluated(from: MonotonicInstant(300), to: MonotonicInstant(301))
    #expect(pacing.earliestStart(at: MonotonicInstant(301)) == MonotonicInstant(551))
    pacing.evaluated(from: MonotonicInstant(1100), to: MonotonicInstant(1101))
    #expect(pacing.earliestStart(at: MonotonicInstant(1101)) == MonotonicInstant(1102))
  }
}
