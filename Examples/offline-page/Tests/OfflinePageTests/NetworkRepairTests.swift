import ConnectivityCore
import ConnectivityTesting
import ErrorHandling
import Synchronization
import Testing

@testable import offline_page

@Suite("Ways to get the network back")
struct NetworkRepairTests {
  private let script = PathScript(.offline(because: .noCarrier))
  private let offers = [Offer(title: "First", command: "one"), Offer(title: "Second", command: "two")]

  /// Offers the ways on with these answers of the user, and returns what was presented.
  private func presentations(
    answers: [RecoveryOption.ID?], run: @escaping @Sendable (String) async -> Int32?
  ) async -> [ErrorPresentation] {
    let presenter = RecordingPresenter(answers: answers)
    let monitor = PathMonitor(source: .scripted(script))
    let following = Task { for await _ in monitor {} }
    while monitor.currentPath.knowledge == .unknown { await Task.yield() }
    await NetworkRepair(monitor: monitor, offers: offers, presenter: presenter, run: run, patience: .zero)
      .offerWaysOn()
    following.cancel()
    return presenter.presentations
  }

  @Test func `each offer is an option, and the last option gives up`() async {
    let shown = await presentations(answers: [nil]) { _ in 0 }
    #expect(shown.map(\.category) == [NetworkLoss().category])
    #expect(shown.first?.options.map(\.title) == ["First", "Second", "Not Now"])
  }

  @Test func `a command that brings the network back ends the error`() async {
    let shown = await presentations(answers: ["offer-2"]) { [script] command in
      #expect(command == "two")
      script.send(.online())
      return 0
    }
    #expect(shown.count == 1)
  }

  @Test func `a command without effect leads back to the offers`() async {
    let shown = await presentations(answers: ["offer-1", "cancel"]) { _ in 0 }
    #expect(shown.map(\.message.summary) == Array(repeating: NetworkLoss().message.summary, count: 2))
  }

  @Test(
    arguments: [(1, "The command ended with status 1."), (nil, "The command cannot be started.")] as [(Int32?, String)])
  func `a command that fails is an error of its own, with the same offers`(status: Int32?, reason: String) async {
    let shown = await presentations(answers: ["offer-1", "cancel"]) { _ in status }
    #expect(shown.last?.message.summary == "\"First\" did not work.")
    #expect(shown.last?.message.reason == reason)
    #expect(shown.last?.options.map(\.title) == ["First", "Second", "Not Now"])
  }

  @Test func `a command ends with its own status`() async {
    #expect(await Shell.run("true") == 0)
    #expect(await Shell.run("exit 3") == 3)
    #expect(await Shell.run("kill -KILL $$") == 137)
  }
}
