import Foundation
import FoundationNetworking
import Testing

@testable import RequestsOnPath

@Suite("Requests whose body is a stream")
struct RequestStreamTests {
  @Test(arguments: [false, true])
  func `a request is sent again after a failure unless its body is a stream`(hasStream: Bool) throws {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    if hasStream { request.httpBodyStream = InputStream(data: Data("order".utf8)) }
    var policy = RetryPolicy.idempotent
    try GatedRequest(request, .connected, RequestOptions(), ContinuousClock(), of: .shared).adjust(&policy)
    let failed = FailedAttempt(
      failure: CancellationError(), traits: FailureTraits(.transient, isUnsent: true), attempt: RetryAttempt(number: 1))
    #expect(policy.decide(failed) == (hasStream ? .fail : .retry))
  }
}
