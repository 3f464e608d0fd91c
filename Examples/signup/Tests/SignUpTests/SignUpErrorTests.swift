import ErrorHandling
import Foundation
import RequestsOnPath
import Synchronization
import Testing

@testable import signup

@Suite("The errors of the form")
struct SignUpErrorTests {
  private static let page = URL(string: "http://192.0.2.1/sign-in")

  private static let failures: [(ValueFailure, ErrorCategory)] = [
    (.request(RequestFailure(.offline)), .offline), (.request(RequestFailure(.connectionLost)), .retryable),
    (.request(RequestFailure(.timedOut(.request))), .retryable), (.request(RequestFailure(.hostNotFound)), .retryable),
    (.request(RequestFailure(.cannotConnect)), .retryable),
    (.request(RequestFailure(.captivePortal(page))), .signInPage), (.request(RequestFailure(.cancelled)), .cancelled),
    (.request(RequestFailure(.insecure)), .nonRetryable),
    (.answer(AnswerFailure(.notAccepted, status: 400, message: "Reserved.")), .userMistake),
    (.answer(AnswerFailure(.undecodable, status: 200)), .needsUpdate),
    (.answer(AnswerFailure(.unauthorized, status: 401)), .needsSignIn),
    (.answer(AnswerFailure(.serverError, status: 500)), .nonRetryable),
    (.answer(AnswerFailure(.serverError, status: 500, retryAfter: .seconds(17))), .retryable),
    (.answer(AnswerFailure(.serverError, status: 503)), .retryable),
  ]

  @Test func `every failure has the category of its way out`() {
    for (failure, category) in Self.failures { #expect(failure.category == category, "\(failure)") }
  }

  @Test func `while a name is typed, only the need for an update is shown`() async {
    let presenter = RecordingPresenter()
    await withErrorScope("form", presenter: presenter) {
      await withErrorScope("typing", handler: SignUpRules.typing) {
        for (failure, _) in Self.failures { await ErrorScope.current.handle(failure) }
      }
    }
    #expect(presenter.presentations.map(\.category) == [.needsUpdate])
  }

  @Test func `when the form is sent, a mistake stands beside the field, and all else is shown with a way on`() async {
    let presenter = RecordingPresenter()
    let reasons = Mutex<[String]>([])
    let rules = SignUpRules.submitting { reason in reasons.withLock { $0.append(reason) } }
    await withErrorScope("form", presenter: presenter) {
      await withErrorScope("sign up", handler: rules) {
        for (failure, _) in Self.failures { await ErrorScope.current.handle(failure) }
      }
    }
    let told = reasons.withLock(\.self)
    #expect(told == ["Reserved."])
    let shown = Self.failures.map(\.1).filter { $0 != .userMistake && $0 != .cancelled }
    #expect(presenter.presentations.map(\.category) == shown)
    for presentation in presenter.presentations {
      #expect(presentation.options.count > 1 || presentation.message.suggestion != nil)
    }
  }

  /// The identifiers of the options beside "Try Again" and "Cancel".
  private func ways(from failure: ValueFailure) -> [RecoveryOption.ID] {
    SignUpRules.recovery(from: failure, open: { _ in }, waitForNetwork: {}).map(\.id)
  }

  @Test func `without a network the form offers to wait for it`() {
    #expect(ways(from: .request(RequestFailure(.offline))) == ["wait"])
    #expect(ways(from: .request(RequestFailure(.connectionLost))) == ["wait"])
    #expect(ways(from: .request(RequestFailure(.cannotConnect))) == [])
  }

  @Test func `a page to sign in is opened by the user alone, and only where the web is`() async throws {
    let opened = Mutex<[URL]>([])
    let failure = ValueFailure.request(RequestFailure(.captivePortal(Self.page)))
    let options = SignUpRules.recovery(
      from: failure, open: { page in opened.withLock { $0.append(page) } }, waitForNetwork: {})
    let option = try #require(options.first)
    #expect(option.id == "open")
    let seenBefore = opened.withLock(\.self)
    #expect(seenBefore == [])
    try await option.action()
    let seen = opened.withLock(\.self)
    #expect(seen == [Self.page].compactMap(\.self))
    for address in ["file:///etc/passwd", "javascript:alert(1)", "-e"] {
      #expect(ways(from: .request(RequestFailure(.captivePortal(URL(string: address))))) == [])
    }
    #expect(ways(from: .request(RequestFailure(.captivePortal(nil)))) == [])
  }

  @Test func `an attempt goes on when the user has recovered, and ends when the user gives up`() async {
    let presenter = RecordingPresenter(answers: ["wait", "try-again", "cancel"])
    let calls = Mutex(0)
    let recovery = { @Sendable (error: any Error) in
      SignUpRules.recovery(from: error, open: { _ in }, waitForNetwork: {})
    }
    let name = await withErrorScope("sign up", presenter: presenter, recovery: recovery) {
      await ErrorScope.current.attempt { () async throws -> String in
        calls.withLock { $0 += 1 }
        throw ValueFailure.request(RequestFailure(.offline))
      }
    }
    #expect(name == nil)
    #expect(calls.withLock(\.self) == 3)
    let offered = presenter.presentations.map { $0.options.map(\.id) }
    #expect(offered == Array(repeating: ["try-again", "wait", "cancel"], count: 3))
  }
}

@Suite("The presenter of the form")
struct FormPresenterTests {
  private let failure = ValueFailure.request(RequestFailure(.offline))

  @Test func `the form shows the sentences and options of an error, and the choice is the answer`() async throws {
    let (events, inlet) = AsyncStream.makeStream(of: SignUpForm.Event.self)
    let presenter = FormPresenter { inlet.yield($0) }
    async let choice = presenter.present(ErrorPresentation(failure, recovery: [.tryAgain()]))
    var seen = events.makeAsyncIterator()
    guard case .problem(let problem)? = await seen.next() else {
      Issue.record("nothing is shown")
      return
    }
    #expect(problem.sentences == ["There is no network connection.", "Check the network, and try again."])
    #expect(problem.options == [.init(id: "try-again", title: "Try Again"), .init(id: "cancel", title: "Cancel")])
    // A late choice for a presentation before this one is no answer.
    presenter.choose("cancel", problem: problem.number - 1)
    presenter.choose("try-again", problem: problem.number)
    #expect(await choice == "try-again")
    guard case .problemIsOver(problem.number)? = await seen.next() else {
      Issue.record("the presentation does not end")
      return
    }
  }

  @Test func `a presentation ends with its task`() async {
    let (events, inlet) = AsyncStream.makeStream(of: SignUpForm.Event.self)
    let presenter = FormPresenter { inlet.yield($0) }
    let task = Task { await presenter.present(ErrorPresentation(failure)) }
    var seen = events.makeAsyncIterator()
    _ = await seen.next()
    task.cancel()
    #expect(await task.value == nil)
    guard case .problemIsOver? = await seen.next() else {
      Issue.record("the form still shows it")
      return
    }
  }
}
