import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Asking again")
struct LatestEvaluationTests {
  @Test func `an evaluation is confirmed by the same answers to the same questions`() throws {
    var kernel = FakeKernel.two
    let evaluation = try kernel.evaluate()
    let batches = kernel.batches
    #expect(try evaluation.batchesUpToChange(in: &kernel) == nil)
    #expect(kernel.batches == batches + batches)
  }

  @Test func `questions end with the first batch that is answered otherwise, and are not put again`() throws {
    for changed in 0..<3 {
      var kernel = FakeKernel.two
      let evaluation = try kernel.evaluate()
      let query = try #require(evaluation.batches[changed].queries.first)
      kernel.scriptedAnswers[query] = .refused(errorNumber: 113)
      let before = kernel.batches.count
      let asked = try #require(try evaluation.batchesUpToChange(in: &kernel))
      #expect(asked.count == changed + 1)
      let next = try PathEvaluator.evaluate(&kernel, probes: .standard, asked: asked)
      #expect(kernel.batches.count == before + next.batches.count)
      #expect(try kernel.evaluate().path == next.path)
      #expect(try kernel.evaluate().batches == next.batches)
    }
  }

  @Test func `after news about the routes of one family the other is not asked about`() throws {
    for family in IPAddress.Family.allCases {
      var kernel = FakeKernel.two
      let evaluation = try kernel.evaluate()
      let before = kernel.batches.count
      #expect(try evaluation.batchesUpToChange(in: &kernel, of: family) == nil)
      let asked = kernel.batches[before...].flatMap(\.self)
      #expect(asked == evaluation.lookups.map(\.query).filter { $0.destination.family == family })
    }
  }

  @Test func `a changed answer of one family stands beside the earlier answers of the other`() throws {
    var kernel = FakeKernel.two
    let evaluation = try kernel.evaluate()
    let query = try #require(evaluation.batches[0].queries.first { $0.destination.family == .ipv4 })
    kernel.scriptedAnswers[query] = .refused(errorNumber: 113)
    let asked = try #require(try evaluation.batchesUpToChange(in: &kernel, of: .ipv4))
    let next = try PathEvaluator.evaluate(&kernel, probes: .standard, asked: asked)
    #expect(try kernel.evaluate().batches == next.batches)
    #expect(next.batches[0] != evaluation.batches[0])
  }

  @Test func `answers to other questions are not taken for those of an evaluation`() throws {
    var kernel = FakeKernel.one
    let evaluation = try kernel.evaluate()
    kernel.resolver = .servers(["198.51.100.53"])
    let next = try PathEvaluator.evaluate(&kernel, probes: .standard, asked: evaluation.batches)
    #expect(kernel.batches.count == 2)
    #expect(next.batches.map(\.queries) == [kernel.batches[1]])
  }
}
