import ErrorHandling
import Foundation
import SystemIO
import Testing

/// A handler with one rule that adds a step and returns the given result.
private func rule(_ name: String, _ trace: Trace, _ policy: MatchingPolicy = .continueMatching) -> ErrorHandler {
  ErrorHandler().on(.any, then: policy) { _ in trace.add(name) }
}

@Suite("A scope")
struct ScopeTests {
  private let trace = Trace()

  private var silent: ErrorLog {
    ErrorLog { [trace] report in if report.kind == .unhandled { trace.add("log") } }
  }

  @Test func `capture goes from the root to the leaf, and bubble back`() async {
    await withErrorScope("root", capture: rule("capture root", trace), handler: rule("root", trace), log: silent) {
      await withErrorScope("middle", capture: rule("capture middle", trace), handler: rule("middle", trace)) {
        await withErrorScope("leaf", capture: rule("capture leaf", trace), handler: rule("leaf", trace)) {
          #expect(await ErrorScope.current.handle(DiskFull()) == .notHandled)
        }
      }
    }
    #expect(
      trace.steps == ["capture root", "capture middle", "capture leaf", "leaf", "middle", "root", "log"])
  }

  @Test func `an inner rule that stops keeps the error from the catch-all of the root`() async {
    await withErrorScope("root", handler: rule("catch-all", trace, .stopMatching), log: silent) {
      let leaf = ErrorHandler().onError(ofType: DiskFull.self) { [trace] _ in
        trace.add("leaf")
        return .stopMatching
      }
      await withErrorScope("leaf", handler: leaf) {
        #expect(await ErrorScope.current.handle(DiskFull()) == .handled)
        #expect(await ErrorScope.current.handle(SignUpError.nameTaken) == .handled)
      }
    }
    #expect(trace.steps == ["leaf", "catch-all"])
  }

  @Test func `a capturing rule of the root that stops comes before every inner rule`() async {
    await withErrorScope("root", capture: rule("root", trace, .stopMatching), log: silent) {
      await withErrorScope("leaf", capture: rule("leaf", trace), handler: rule("leaf", trace)) {
        #expect(await ErrorScope.current.handle(DiskFull()) == .handled)
      }
    }
    #expect(trace.steps == ["root"])
  }

  @Test func `an observer gets every error, cannot swallow it, and is not silenced by a rule that stops`() async {
    let root = ErrorHandler().always { [trace] _ in trace.add("observer") }
    await withErrorScope("root", capture: root, log: silent) {
      await withErrorScope("leaf", handler: rule("leaf", trace, .stopMatching)) {
        await ErrorScope.current.handle(DiskFull())
      }
      await ErrorScope.current.handle(DiskFull())
    }
    #expect(trace.steps == ["leaf", "observer", "observer", "log"])
  }

  @Test func `inside an action the rules of its scope are left out, so that an error cannot go in a circle`() async {
    let circular = ErrorHandler().on(.any, then: .stopMatching) { [trace] error in
      trace.add("leaf")
      await ErrorScope.current.handle(error)
    }
    await withErrorScope("root", capture: circular, handler: circular, log: silent) {
      await withErrorScope("leaf", capture: circular, handler: circular) {
        await ErrorScope.current.handle(DiskFull())
      }
    }
    #expect(trace.steps == ["leaf", "log"])
  }

  @Test func `a scope that an action enters leaves out the rules of that action too`() async {
    let circular = ErrorHandler().on(.any, then: .stopMatching) { [trace] error in
      trace.add("outer")
      await withErrorScope("inner") { await ErrorScope.current.handle(error) }
    }
    await withErrorScope("root", handler: circular, log: silent) { await ErrorScope.current.handle(DiskFull()) }
    #expect(trace.steps == ["outer", "log"])
  }

  @Test func `no code of the program runs under a lock`() async {
    // `ForeignCode` stops the process if the thread holds a lock.
    let check: @Sendable (String) -> Void = { [trace] name in ForeignCode.run { trace.add(name) } }
    let presenter = RecordingPresenter { _ in
      check("presenter")
      return "option"
    }
    let handler = ErrorHandler().on(
      .matching { _ in
        check("matcher")
        return true
      }, then: .continueMatching
    ) { _ in check("rule") }.always { _ in check("always") }
    let recovery: @Sendable (any Error) -> [RecoveryOption] = { error in
      check("recovery")
      return [.custom(id: "option", title: "Option") { check("action") }]
    }
    await withErrorScope("root", log: ErrorLog { if $0.kind == .unhandled { check("log") } }) {
      await withErrorScope("leaf", handler: handler, presenter: presenter, recovery: recovery) {
        await ErrorScope.current.handle(DiskFull())
      }
      await ErrorScope.current.handle(DiskFull())
    }
    #expect(trace.steps == ["matcher", "rule", "always", "recovery", "presenter", "action", "log"])
  }

  @Test func `an action can turn an error into another one for the scopes around`() async {
    let translating = ErrorHandler().onError(ofType: DiskFull.self) { _ in
      await ErrorScope.current.handle(SignUpError.nameTaken)
      return .stopMatching
    }
    let root = ErrorHandler().on(SignUpError.nameTaken) { [trace] _ in
      trace.add("translated")
      return .stopMatching
    }
    await withErrorScope("root", handler: root, log: silent) {
      await withErrorScope("leaf", handler: translating) {
        #expect(await ErrorScope.current.handle(DiskFull()) == .handled)
      }
    }
    #expect(trace.steps == ["translated"])
  }

  @Test func `a task that outlives its scope reaches the scopes around, not the ended one`() async {
    let gate = Gate()
    await withErrorScope("root", handler: rule("root", trace, .stopMatching), log: silent) {
      let outliving = await withErrorScope("leaf", handler: rule("leaf", trace, .stopMatching)) {
        Task {
          await gate.pass()
          return await ErrorScope.current.handle(DiskFull())
        }
      }
      gate.open()
      #expect(await outliving.value == .handled)
    }
    #expect(trace.steps == ["root"])
  }

  /// An object that a handler captures, such as a screen, and that reports its end.
  private final class Screen: Sendable {
    let trace: Trace

    init(_ trace: Trace) { self.trace = trace }
    deinit { trace.add("screen ended") }
  }

  private func leafWithScreen() async -> ErrorScope {
    let screen = Screen(trace)
    return await withErrorScope("leaf", handler: ErrorHandler().always { [screen] _ in _ = screen }) {
      ErrorScope.current
    }
  }

  @Test func `an ended scope holds none of the objects that its handlers captured`() async {
    let leaked = await withErrorScope("root", log: silent) { await leafWithScreen() }
    #expect(trace.steps == ["screen ended"])
    #expect(leaked.name == "leaf")
  }

  @Test func `code that cannot wait posts an error, and its handling begins at once`() async {
    let task = await withErrorScope("root", handler: rule("root", trace, .stopMatching), log: silent) {
      let task = ErrorScope.current.post(DiskFull())
      #expect(trace.steps == ["root"])
      return task
    }
    #expect(await task.value == .handled)
  }

  @Test func `a scope ends when its operation throws, and rethrows the error`() async {
    await withErrorScope("root", log: silent) {
      await #expect(throws: DiskFull.self) {
        try await withErrorScope("leaf", handler: rule("leaf", trace)) { throw DiskFull() }
      }
      #expect(ErrorScope.current.name == "root")
    }
    #expect(trace.steps.isEmpty)
  }
}
