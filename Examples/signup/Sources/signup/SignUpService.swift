import Foundation
import FoundationNetworking
import RequestsOnPath

/// The answer of the service about a user name.
struct Availability: Decodable, Equatable {
  var isAvailable: Bool
  var userName: String
}

/// The service: its requests, and the times at which they are made again.
struct SignUpService<C: Clock>: Sendable where C.Duration == Duration {
  /// The address of the service.
  var url: URL
  var clock: C
  /// The path; `nil` for that of the program.
  var monitor: PathMonitor?

  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  init(url: URL, clock: C, monitor: PathMonitor? = nil) {
    (self.url, self.clock, self.monitor) = (url, clock, monitor)
  }

  /// Asks whether a user name is available, once: a form that is being filled in has time.
  func availability(of name: String) async throws(ValueFailure) -> Availability {
    try await answer("GET", "isUserNameAvailable", name, .never)
  }

  /// Signs up, in at most three requests. `Retry-After` is honoured; an error that would come again is not repeated.
  /// The service treats a second request for a name as the first.
  ///
  /// - Parameter onEvent: Called with each event of the retry.
  /// - Throws: The failure of the last request, after half a second at least. An attempt that fails at once looks like
  ///   none, and users would repeat it as fast as it fails.
  func signUp(
    as name: String, onEvent: (@Sendable (RetryEvent) -> Void)? = nil
  ) async throws(ValueFailure) -> Availability {
    var policy = RetryPolicy.idempotent
    policy.onEvent = onEvent
    return try await withMinimumDuration(.milliseconds(500), clock: clock) { () async throws(ValueFailure) in
      let answer = try await answer("PUT", "users", name, policy)
      // The name was free when it was checked, and somebody else was faster.
      guard answer.isAvailable else {
        throw ValueFailure.answer(AnswerFailure(.notAccepted, status: 200, message: "This user name is taken."))
      }
      return answer
    }
  }

  private func answer(
    _ method: String, _ path: String, _ name: String, _ policy: RetryPolicy
  ) async throws(ValueFailure) -> Availability {
    let item = URLQueryItem(name: "userName", value: name.addingPercentEncoding(withAllowedCharacters: .unreserved))
    var components = URLComponents(url: url.appending(path: path), resolvingAgainstBaseURL: true)
    components?.percentEncodedQueryItems = [item]
    var request = URLRequest(url: components?.url ?? url)
    request.httpMethod = method
    request.timeoutInterval = 10
    // Without a path it fails at once, and the user decides whether to wait.
    let options = RequestOptions(whenUnmet: .refuse, monitor: monitor)
    return try await session.value(Availability.self, for: request, retry: policy, options: options, clock: clock)
  }
}

extension CharacterSet {
  /// The characters that mean themselves in every part of a URL (RFC 3986, section 2.3). A `+` is not among them:
  /// Foundation leaves it in a query, where servers read it as a space.
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
