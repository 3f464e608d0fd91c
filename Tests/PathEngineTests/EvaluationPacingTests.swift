import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Evaluation pacing")
struct EvaluationPacingTests {
  private var pacing = EvaluationPacing()

  @Test mutating func `the first evaluation starts at once, and each is followed by a pause as long as it took`() {
    #expect(pacing.earliestStart(at: 5) == 5)
    pacing.evaluated(from: 100, to: 103)
    for (now, start) in [(103, 106), (106, 106), (500, 500)] as [(MonotonicInstant, MonotonicInstant)] {
      #expect(pacing.earliestStart(at: now) == start)
    }
  }

  @Test mutating func `one overrun changes nothing, a second within a second makes evaluations rare`() {
    pacing.overrun(at: 0)
    pacing.evaluated(from: 0, to: 1)
    #expect(pacing.earliestStart(at: 1) == 2)
    pacing.overrun(at: 999)
    pacing.evaluated(from: 999, to: 1_000)
    #expect(pacing.earliestStart(at: 1_000) == 1_250)
    pacing.overrun(at: 1_999)
    pacing.evaluated(from: 1_999, to: 2_000)
    #expect(pacing.earliestStart(at: 2_000) == 2_001, "overruns that are a second apart are independent")
  }

  @Test mutating func `a socket that keeps overrunning is served at most four times a second`() {
    var now: MonotonicInstant = 0
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

  @Test
  mutating func `a long evaluation has a long pause even then, and a second without an overrun ends the slow pace`() {
    pacing.overrun(at: 0)
    pacing.overrun(at: 10)
    pacing.evaluated(from: 10, to: 410)
    #expect(pacing.earliestStart(at: 410) == 810)
    pacing.evaluated(from: 1_009, to: 1_010)
    #expect(pacing.earliestStart(at: 1_010) == 1_260)
    pacing.evaluated(from: 1_010, to: 1_011)
    #expect(pacing.earliestStart(at: 1_011) == 1_012)
  }
}
