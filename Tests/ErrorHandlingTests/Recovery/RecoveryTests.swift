import ErrorHandling
import Foundation
import Testing

@Suite("Recovery")
struct RecoveryTests {
  private let trace = Trace()

  private var failure: RecoverableFailure {
    DiskFull().recoverable([
      .tryAgain { [trace] in trace.add("try again") },
      .custom(id: "free-space", title: "Free Space") { [trace] in
        trace.add("free space")
        throw SignUpError.nameTaken
      },
      .cancel,
    ])
  }

  /// The result that Foundation's handler receives.
  private func attempt(_ index: Int, of error: RecoverableFailure) async -> Bool {
    await withCheckedContinuation { continuation in
      error.attemptRecovery(optionIndex: index) { continuation.resume(returning: $0) }
    }
  }

  @Test func `a presenter returns the choice by its identifier`() async {
    let presenter = RecordingPresenter(answers: ["free-space"])
    #expect(await presenter.present(ErrorPresentation(failure)) == "free-space")
    #expect(await presenter.present(ErrorPresentation(failure)) == nil)
    let identifiers: [RecoveryOption.ID] = [.tryAgain, "free-space", .cancel]
    #expect(presenter.presentations.map { $0.options.map(\.id) } == [identifiers, identifiers])
  }

  @Test(
    "neither an index out of range nor Foundation's variant that cannot wait recovers anything",
    arguments: [-1, 3, 99, Int.max, Int.min])
  func outOfRange(index: Int) async {
    #expect(await !attempt(index, of: failure))
    for index in [0, index] { #expect(!failure.attemptRecovery(optionIndex: index)) }
    #expect(trace.steps.isEmpty)
  }

  @Test func `Foundation sees the titles in order`() {
    #expect(failure.recoveryOptions == ["Try Again", "Free Space", "Cancel"])
    #expect((failure as NSError).localizedRecoveryOptions == ["Try Again", "Free Space", "Cancel"])
  }

  @Test func `Foundation learns whether an action succeeded, and cancelling recovers nothing`() async {
    #expect(await attempt(0, of: failure))
    #expect(await !attempt(1, of: failure))
    #expect(await !attempt(2, of: failure))
    #expect(trace.steps == ["try again", "free space"])
  }

  @Test func `options that are attached later come first, and a repeated identifier counts once`() {
    let twice = failure.recoverable([.custom(id: "free-space", title: "Delete Old Files") {}])
    #expect(twice.underlying is DiskFull)
    #expect(twice.recovery.map(\.title) == ["Delete Old Files", "Try Again", "Cancel"])
  }

  private struct OwnOptions: Foundation.RecoverableError, LocalizedError {
    let trace: Trace
    var errorDescription: String? { "The disk is full." }
    var recoveryOptions: [String] { ["Fail", "Succeed"] }

    func attemptRecovery(optionIndex: Int) -> Bool {
      trace.add("\(optionIndex)")
      return optionIndex == 1
    }
  }

  @Test func `the options of a RecoverableError of Foundation are offered, and a failed one throws`() async throws {
    let options = ErrorPresentation(OwnOptions(trace: trace)).options
    #expect(options.map(\.title) == ["Fail", "Succeed", "Cancel"])
    try await options[1].action()
    await #expect(throws: OwnOptions.self) { try await options[0].action() }
    #expect(trace.steps == ["1", "0"])
  }

  @Test func `Foundation sees the text of the error below`() {
    let error = OwnOptions(trace: trace).recoverable([.cancel])
    #expect(error.localizedDescription == "The disk is full.")
    #expect((error as NSError).localizedDescription == "The disk is full.")
  }
}
