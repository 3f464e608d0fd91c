import ErrorHandling
import SystemIO
import Testing

@Suite("A scope with a presenter")
struct ScopePresentationTests {
  private let trace = Trace()

  private var silent: ErrorLog { ErrorLog { [trace] in if $0.kind == .unhandled { trace.add("log") } } }

  @Test(
    "only errors in a category that allows it are offered Try Again",
    arguments: [
      (ErrorCategory.retryable, true), (.offline, true), (.nonRetryable, false), (.needsSignIn, false),
      (.userMistake, false),
    ])
  func tryAgain(category: ErrorCategory, isOffered: Bool) async {
    let presenter = RecordingPresenter()
    await withErrorScope("program", presenter: presenter, log: silent) {
      let value: Int? = await ErrorScope.current.attempt { throw Categorized(category: category) }
      #expect(value == nil)
    }
    #expect(presenter.presentations.map { $0.options.contains { $0.id == .tryAgain } } == [isOffered])
  }

  @Test func `the operation runs again as often as the user tries again`() async {
    let presenter = RecordingPresenter(answers: [.tryAgain, .tryAgain])
    var runs = 0
    let value = await withErrorScope("program", presenter: presenter, log: silent) {
      await ErrorScope.current.attempt {
        runs += 1
        if runs < 3 { throw Categorized(category: .offline) }
        return "loaded"
      }
    }
    #expect(value == "loaded")
    #expect(runs == 3)
    #expect(presenter.presentations.count == 2)
  }

  @Test func `a recovered error is worth another try, and a cancelled one is not`() async {
    let presenter = RecordingPresenter(answers: ["free-space", .cancel])
    let recovery: @Sendable (any Error) -> [RecoveryOption] = { [trace] error in
      error is DiskFull ? [.custom(id: "free-space", title: "Free Space") { trace.add("freed") }] : []
    }
    var runs = 0
    await withErrorScope("program", presenter: presenter, log: silent, recovery: recovery) {
      let value: Int? = await ErrorScope.current.attempt {
        runs += 1
        throw DiskFull()
      }
      #expect(value == nil)
    }
    #expect(runs == 2)
    #expect(trace.steps == ["freed"])
  }

  @Test func `options come from the error, the caller and each scope, the inner scope first`() async {
    let presenter = RecordingPresenter()
    let root: @Sendable (any Error) -> [RecoveryOption] = { _ in [.custom(id: "root", title: "Root") {}] }
    let leaf: @Sendable (any Error) -> [RecoveryOption] = { _ in [.custom(id: "leaf", title: "Leaf") {}] }
    await withErrorScope("root", presenter: presenter, log: silent, recovery: root) {
      await withErrorScope("leaf", recovery: leaf) {
        let error = DiskFull().recoverable([.custom(id: "error", title: "Error") {}])
        await ErrorScope.current.handle(error, offering: [.custom(id: "caller", title: "Caller") {}])
      }
    }
    #expect(presenter.presentations.map { $0.options.map(\.id) } == [["error", "caller", "leaf", "root", "cancel"]])
  }

  @Test func `the nearest presenter shows the error`() async {
    let (outer, inner) = (RecordingPresenter(), RecordingPresenter())
    await withErrorScope("root", presenter: outer, log: silent) {
      await withErrorScope("leaf", presenter: inner) { await ErrorScope.current.handle(DiskFull()) }
      await withErrorScope("other leaf") { await ErrorScope.current.handle(DiskFull()) }
    }
    #expect(inner.presentations.count == 1)
    #expect(outer.presentations.count == 1)
  }

  @Test func `the error of a failed recovery is handled in the same way`() async {
    let presenter = RecordingPresenter(answers: ["free-space"])
    await withErrorScope("root", presenter: presenter, log: silent) {
      let error = DiskFull().recoverable([.custom(id: "free-space", title: "Free") { throw SignUpError.nameTaken }])
      #expect(await ErrorScope.current.handle(error) == .handled)
    }
    #expect(presenter.presentations.map { $0.error is SignUpError } == [false, true])
  }

  @Test func `an error of the presenter itself goes to the scope around`() async {
    let outer = RecordingPresenter()
    let broken = RecordingPresenter { _ in
      await ErrorScope.current.handle(SignUpError.nameTaken)
      return nil
    }
    await withErrorScope("root", presenter: outer, log: silent) {
      await withErrorScope("leaf", presenter: broken) {
        #expect(await ErrorScope.current.handle(DiskFull()) == .handled)
      }
    }
    #expect(outer.presentations.map { $0.error as? SignUpError } == [.nameTaken])
  }

  @Test func `two errors at once make one presentation, and one choice answers both`() async {
    let (shown, answered) = (Gate(), Gate())
    let presenter = RecordingPresenter { [trace] _ in
      trace.add("shown")
      shown.open()
      await answered.pass()
      return .tryAgain
    }
    await withErrorScope("root", presenter: presenter, log: silent) {
      let error = Categorized(category: .offline)
      let first = ErrorScope.current.post(error, offering: [.tryAgain()])
      let second = ErrorScope.current.post(error, offering: [.tryAgain()])
      await shown.pass()
      answered.open()
      #expect(await first.value == .recovered(by: .tryAgain))
      #expect(await second.value == .recovered(by: .tryAgain))
    }
    #expect(trace.steps == ["shown"])
  }
}
