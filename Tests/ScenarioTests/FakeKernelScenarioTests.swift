import PathModel
import PathTestSupport
import Testing

@Suite("Scenarios on the kernel in memory")
struct FakeKernelScenarioTests {
  @Test(arguments: ScenarioTable.all)
  func `the path is what each step leads to expect`(_ scenario: Scenario) throws {
    var kernel = FakeKernel()
    for (number, step) in scenario.steps.enumerated() {
      kernel.apply(step)
      guard case .expect(let expected) = step else { continue }
      let seen = Expectation(of: try kernel.evaluate().path)
      #expect(seen == expected, "step \(number)")
    }
  }

  @Test func `no two scenarios have the same name, and each ends with an expectation`() {
    let names = ScenarioTable.all.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(ScenarioTable.all.count >= 15)
    for scenario in ScenarioTable.all {
      guard case .expect = scenario.steps.last else {
        Issue.record("'\(scenario)' does not end with an expectation")
        continue
      }
    }
  }
}
