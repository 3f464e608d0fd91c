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
    #expect(Self.cases.count >= 265)
  }

  /// As in the engine, each evaluation knows the links over which the traffic left last.
  @Test(arguments: cases)
  func `the path is right after each change`(_ pathCase: PathCase) throws {
    let (differences, evaluations) = try MemoryNetwork.play(pathCase, remembersCarriers: true)
    #expect(differences.isEmpty)
    for (step, evaluation) in zip(pathCase.steps, evaluations) {
      for (requirement, status) in step.checks {
        let isMet = try PathRequirement(requirement).verdict(on: evaluation.path) == .met
        #expect(isMet == (status == 0), "check \(requirement)")
      }
    }
  }
}
