import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

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
}
