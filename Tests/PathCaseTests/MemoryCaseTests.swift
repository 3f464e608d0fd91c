import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The same cases on the kernel in memory, as far as it has what their commands make.
@Suite("Path cases on the kernel in memory")
struct MemoryCaseTests {
  /// The cases whose commands the kernel in memory has.
  private static let cases = PathCase.all.filter { pathCase in
    pathCase.isInMemoryOnly || (pathCase.configuration == nil && (try? pathCase.network()) != nil)
  }

  @Test func `most cases run in memory, too`() {
    #expect(Self.cases.count >= 290)
  }

  /// As in the engine, each evaluation knows the links over which the traffic left last.
  @Test(arguments: cases)
  func `the path is right after each change`(_ pathCase: PathCase) throws {
    var network = MemoryNetwork(isBare: pathCase.isBare)
    var carriers: [Int32] = []
    for (number, step) in pathCase.steps.enumerated() {
      for item in step.items { try network.perform(item) }
      let evaluation = try PathEvaluator.evaluate(&network.kernel, probes: .standard, formerCarriers: carriers)
      if !evaluation.carriers.isEmpty { carriers = evaluation.carriers }
      let differences = try network.differences(between: step.expected, and: evaluation)
      #expect(differences.isEmpty, "after \(number == 0 ? "setup" : "step \(number)")")
      for (requirement, status) in step.checks {
        let isMet = try PathRequirement(requirement).verdict(on: evaluation.path) == .met
        #expect(isMet == (status == 0), "check \(requirement) in step \(number)")
      }
    }
  }
}
