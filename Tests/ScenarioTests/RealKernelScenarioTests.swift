import Glibc
import PathTestSupport
import Testing

@Suite("Scenarios on the real kernel", .enabled(if: geteuid() == 0, "needs root for network namespaces"))
struct RealKernelScenarioTests {
  @Test(arguments: ScenarioTable.all)
  func `the path meets the expectation of each step, and every change of it comes with a message`(
    _ scenario: PathCase
  ) async {
    for complaint in await NamespaceStage.play(scenario) { Issue.record(complaint) }
  }
}
