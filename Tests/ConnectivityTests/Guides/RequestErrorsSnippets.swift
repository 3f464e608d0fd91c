public import ErrorHandling
public import RequestsOnPath
import Testing

// guide: begin
extension RequestsOnPath.RequestFailure: ErrorHandling.CategorizedError {
  /// The way out, by the reason.
  public var category: ErrorCategory {
    switch reason {
    case .offline: .offline
    case .cancelled: .cancelled
    case .authenticationRequired: .needsSignIn
    case .connectionLost, .timedOut, .cannotConnect, .hostNotFound: .retryable
    default: .nonRetryable
    }
  }
}

extension RequestsOnPath.RequestFailure: ErrorHandling.CausedError {
  /// The error that was judged.
  public var cause: (any Error)? { underlying }
}
// guide: end

@Suite("Errors of requests in scopes")
struct RequestErrorsTests {
  private struct Below: Error {}

  @Test func `a failed request is presented with its own text, and offers Try Again where that can help`() async {
    let presenter = RecordingPresenter()
    await withErrorScope("program", presenter: presenter, log: ErrorLog { _ in }) {
      for reason: RequestFailure.Reason in [.offline, .invalidRequest, .cancelled] {
        let value: Int? = await ErrorScope.current.attempt { throw RequestFailure(reason) }
        #expect(value == nil)
      }
    }
    #expect(presenter.presentations.map(\.category) == [.offline, .nonRetryable])
    #expect(presenter.presentations.map { $0.options.contains { $0.id == .tryAgain } } == [true, false])
    #expect(presenter.presentations.first?.message.summary == RequestFailure(.offline).errorDescription)
  }

  @Test func `the error below a failed request is one of its causes`() {
    let causes = ErrorCauses(of: RequestFailure(.other, underlying: Below())).map { $0 }
    #expect(causes.count == 2 && causes[1] is Below)
  }
}
