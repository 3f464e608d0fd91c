import SystemIO
import Testing

@testable import ErrorHandling

@Suite("Errors that come at once")
struct PresentationDeskTests {
  private struct Named: PresentableError, Equatable {
    var name: String
    var message: ErrorMessage { ErrorMessage(name) }
  }

  /// A presenter that answers when a gate opens, and the desk in front of it.
  private final class Stage: Sendable {
    let desk = PresentationDesk()
    let trace = Trace()
    let shown = Gate()
    let answered = Gate()

    func present(_ name: String, _ options: [RecoveryOption] = [.tryAgain()]) -> Task<PresentationDesk.Outcome, Never> {
      Task.immediate { [self] in
        await desk.present(
          ErrorPresentation(Named(name: name), recovery: options),
          with: RecordingPresenter { [self] presentation in
            trace.add(presentation.message.summary)
            shown.open()
            await answered.pass()
            return Task.isCancelled ? nil : .tryAgain
          })
      }
    }
  }

  @Test func `two different errors are shown one after the other, in the order in which they came`() async {
    let stage = Stage()
    let tasks = [stage.present("a"), stage.present("b"), stage.present("c")]
    for shown in [["a"], ["a", "b"], ["a", "b", "c"]] {
      await stage.shown.pass()
      #expect(stage.trace.steps == shown)
      stage.answered.open()
    }
    for task in tasks { #expect(await task.value == .choice(.tryAgain)) }
    #expect(stage.desk.isIdle)
  }

  @Test func `when the shown error is cancelled, an equal one is shown in its place`() async {
    let stage = Stage()
    let (first, second) = (stage.present("a"), stage.present("a"))
    await stage.shown.pass()
    first.cancel()
    #expect(await first.value == .cancelled)
    await stage.shown.pass()
    stage.answered.open()
    #expect(await second.value == .choice(.tryAgain))
    #expect(stage.trace.steps == ["a", "a"])
    #expect(stage.desk.isIdle)
  }

  @Test func `an answer that is no option dismisses`() async {
    let desk = PresentationDesk()
    let outcome = await desk.present(ErrorPresentation(DiskFull()), with: RecordingPresenter(answers: ["other"]))
    #expect(outcome == .choice(nil))
  }

  @Test func `crowds that come, choose and are cancelled leave an idle desk and one presentation at a time`() async {
    let desk = PresentationDesk()
    let shown = Guarded(0)
    let presenter = RecordingPresenter { _ in
      let count = shown.withLock { count in
        count += 1
        return count
      }
      #expect(count == 1)
      await Task.yield()
      shown.withLock { $0 -= 1 }
      return Task.isCancelled ? nil : .tryAgain
    }
    await withTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          let presentation = ErrorPresentation(Named(name: "\(number % 3)"), recovery: [.tryAgain()])
          let task = Task { await desk.present(presentation, with: presenter) }
          if number % 4 == 0 { task.cancel() }
          let outcome = await task.value
          #expect(outcome == .choice(.tryAgain) || number % 4 == 0)
        }
      }
    }
    #expect(desk.isIdle)
  }
}
