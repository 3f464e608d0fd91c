import ErrorHandling
import SystemIO
import Testing

/// Every point at which handling an error can wait, with a task that is cancelled there.
@Suite("Cancellation")
struct CancellationTests {
  /// A point at which a task waits until it is cancelled.
  private struct Halt: Sendable {
    let reached = Gate()
    private let never = Gate()

    func wait() async {
      reached.open()
      await never.pass()
    }
  }

  private let trace = Trace()
  private let halt = Halt()

  private var log: ErrorLog { ErrorLog { [trace] in if $0.kind == .unhandled { trace.add("log") } } }

  /// Runs the body in a task that is cancelled once it waits.
  private func cancelled<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await body() }
    await halt.reached.pass()
    task.cancel()
    return await task.value
  }

  private func waiting(_ name: String, _ policy: MatchingPolicy = .continueMatching) -> ErrorHandler {
    ErrorHandler().on(.any, then: policy) { [trace, halt] _ in
      await halt.wait()
      trace.add(name)
    }
  }

  private func rule(_ name: String) -> ErrorHandler {
    ErrorHandler().on(.any, then: .continueMatching) { [trace] _ in trace.add(name) }
  }

  @Test func `in a rule: the rules and the actions for every error after it run`() async {
    let handler = rule("earlier rule").always { [trace] _ in trace.add("always") }.adding(waiting("waiting"))
    #expect(await cancelled { await handler.handle(DiskFull()) } == .notHandled)
    #expect(trace.steps == ["waiting", "earlier rule", "always"])
  }

  @Test func `in the action for no match: the actions for every error run`() async {
    let handler = ErrorHandler().always { [trace] _ in trace.add("always") }
      .onNoMatch(then: .stopMatching) { [trace, halt] _ in
        await halt.wait()
        trace.add("no match")
      }
    #expect(await cancelled { await handler.handle(DiskFull()) } == .handled)
    #expect(trace.steps == ["no match", "always"])
  }

  @Test func `in an action for every error: the other actions run`() async {
    let handler = ErrorHandler().always { [trace] _ in trace.add("first") }.always { [trace, halt] _ in
      await halt.wait()
      trace.add("last")
    }
    #expect(await cancelled { await handler.handle(DiskFull()) } == .notHandled)
    #expect(trace.steps == ["last", "first"])
  }

  @Test(
    "in either phase of a scope: outer scopes hear of the error, and it is logged, not shown", arguments: [true, false])
  func phases(isCapture: Bool) async {
    let presenter = RecordingPresenter()
    let handled = await cancelled { [log] in
      await withErrorScope("root", handler: rule("root"), presenter: presenter, log: log) {
        await withErrorScope(
          "leaf", capture: isCapture ? waiting("leaf") : ErrorHandler(),
          handler: isCapture ? ErrorHandler() : waiting("leaf")
        ) {
          await ErrorScope.current.handle(DiskFull())
        }
      }
    }
    #expect(handled == .notHandled)
    #expect(trace.steps == ["leaf", "root", "log"])
    #expect(presenter.presentations.isEmpty)
  }

  @Test func `while an error is shown: no option is chosen, and it is logged`() async {
    let presenter = RecordingPresenter { [halt] _ in
      await halt.wait()
      return nil
    }
    let handled = await cancelled { [log] in
      await withErrorScope("root", presenter: presenter, log: log) { await ErrorScope.current.handle(DiskFull()) }
    }
    #expect(handled == .notHandled)
    #expect(trace.steps == ["log"])
  }

  @Test func `while an error waits for another to be shown: it is logged`() async {
    let answered = Gate()
    let presenter = RecordingPresenter { [halt] _ in
      halt.reached.open()
      await answered.pass()
      return nil
    }
    await withErrorScope("root", presenter: presenter, log: log) {
      let first = ErrorScope.current.post(DiskFull())
      await halt.reached.pass()
      let second = ErrorScope.current.post(Categorized(category: .offline))
      second.cancel()
      #expect(await second.value == .notHandled)
      answered.open()
      #expect(await first.value == .handled)
    }
    #expect(trace.steps == ["log"])
    #expect(presenter.presentations.count == 1)
  }

  @Test func `in a recovery action: its cancellation ends the handling, and is neither shown nor logged`() async {
    let presenter = RecordingPresenter(answers: ["wait", "wait"])
    let handled = await cancelled { [log, halt] in
      await withErrorScope("root", presenter: presenter, log: log) {
        await ErrorScope.current.handle(
          DiskFull(),
          offering: [
            .custom(id: "wait", title: "Wait") {
              await halt.wait()
              try Task.checkCancellation()
            }
          ])
      }
    }
    #expect(handled == .handled)
    #expect(presenter.presentations.count == 1)
    #expect(trace.steps.isEmpty)
  }

  @Test func `in the operation of an attempt: the attempt ends`() async {
    let value: Int? = await cancelled { [log, halt] in
      await withErrorScope("root", presenter: RecordingPresenter(answers: [.tryAgain]), log: log) {
        await ErrorScope.current.attempt {
          await halt.wait()
          throw Categorized(category: .offline)
        }
      }
    }
    #expect(value == nil)
    #expect(trace.steps == ["log"])
  }

  @Test func `between a choice and the next try: the operation does not run again`() async {
    let presenter = RecordingPresenter { [halt] _ in
      await halt.wait()
      return .tryAgain
    }
    let value: Int? = await cancelled { [log, trace] in
      await withErrorScope("root", presenter: presenter, log: log) {
        await ErrorScope.current.attempt {
          trace.add("run")
          throw Categorized(category: .offline)
        }
      }
    }
    #expect(value == nil)
    #expect(trace.steps == ["run"])
  }
}
