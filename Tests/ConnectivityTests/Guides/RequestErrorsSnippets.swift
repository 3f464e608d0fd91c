import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// The snippet about errors of requests in "From throws to presentation", which needs one import.
private struct RequestErrors {
  let request: URLRequest
  let trace: @Sendable (String) -> Void

  func show(_ posts: [String]) { trace("\(posts)") }
  func showSignIn() { trace("sign-in") }

  func run(_ presenter: some ErrorPresenter) async {
    // guide: begin
    let rules = ErrorHandler().on(.category(.needsSignIn), then: .stopMatching) { _ in showSignIn() }
    await withErrorScope("posts", handler: rules, presenter: presenter) {
      let posts = await ErrorScope.current.attempt { try await URLSession.shared.value([String].self, for: request) }
      if let posts { show(posts) }
    }
    // guide: end
  }
}

@Suite("Errors of requests in scopes")
struct RequestErrorsTests {
  private struct Below: Error {}

  @Test func `a failed request is presented with its own text, and offers Try Again where that can help`() async {
    let presenter = RecordingPresenter()
    await withErrorScope("program", presenter: presenter, log: ErrorLog { _ in }) {
      for reason: RequestFailure.Reason in [.offline, .invalidRequest, .cancelled] {
        let value: Int? = await ErrorScope.current.attempt { throw ValueFailure.request(RequestFailure(reason)) }
        #expect(value == nil)
      }
    }
    #expect(presenter.presentations.map(\.category) == [.offline, .nonRetryable])
    #expect(presenter.presentations.map { $0.options.contains { $0.id == .tryAgain } } == [true, false])
    #expect(presenter.presentations.first?.message.summary == RequestFailure(.offline).errorDescription)
  }

  @Test(
    "each failure has the category of its way out",
    arguments: [
      (ValueFailure.request(RequestFailure(.connectionLost)), ErrorCategory.retryable),
      (.request(RequestFailure(.requirementNotMet(.unmetered))), .retryable),
      (.request(RequestFailure(.captivePortal(nil))), .signInPage),
      (.request(RequestFailure(.other, underlying: URLError(.unknown))), .retryable),
      (.request(RequestFailure(.other)), .nonRetryable),
      (.answer(AnswerFailure(.notAccepted, status: 422)), .userMistake),
      (.answer(AnswerFailure(.unauthorized, status: 401)), .needsSignIn),
      (.answer(AnswerFailure(.undecodable, status: 200)), .needsUpdate),
      (.answer(AnswerFailure(.serverError, status: 503)), .retryable),
      (.answer(AnswerFailure(.serverError, status: 500)), .nonRetryable),
    ])
  func category(_ failure: ValueFailure, _ category: ErrorCategory) {
    #expect(ErrorCategory(of: failure) == category)
  }

  @Test func `the error below a failed request is one of its causes, and an answer has its status`() async {
    let causes = ErrorCauses(of: ValueFailure.request(RequestFailure(.other, underlying: Below()))).map { $0 }
    #expect(causes.count == 3 && causes[1] is RequestFailure && causes[2] is Below)
    let answer = ValueFailure.answer(AnswerFailure(.notFound, status: 404))
    #expect(ErrorMatcher.httpStatus(404).matches(answer) && answer.httpStatus == 404)
    #expect(ValueFailure.request(RequestFailure(.offline)).httpStatus == nil)
    let rules = ErrorHandler().on(.type(AnswerFailure.self).amongCauses, then: .stopMatching) { _ in }
    #expect(await rules.handle(answer) == .handled)
  }

  @Test func `a request that fails goes through the rules, one import for all`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let presenter = RecordingPresenter()
    await RequestErrors(request: URLRequest(url: url)) { _ in Issue.record("nothing is to be shown") }.run(presenter)
    #expect(presenter.presentations.map(\.category) == [.retryable])
  }
}
