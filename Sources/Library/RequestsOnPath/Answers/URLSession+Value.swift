internal import Connectivity
public import Foundation
public import FoundationNetworking
public import PathModel
public import Resilience

extension URLSession {
  /// Gets a value: sends the request when the path is as required, tries again as the policy says, and decodes the
  /// answer.
  ///
  /// ```swift
  /// let posts = try await URLSession.shared.value([Post].self, for: request)
  /// ```
  ///
  /// A request of a method that is idempotent (GET, HEAD, PUT, DELETE, OPTIONS, TRACE), or with an `Idempotency-Key`,
  /// is repeated. Any other is repeated only if it was not sent, or if the policy calls it idempotent. `Retry-After` is
  /// honoured. All requests of the program to one server share a retry budget and a circuit breaker, unless the policy
  /// has its own `health`.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - request: The request. If it has an `httpBodyStream`, it is sent only once.
  ///   - requirement: The requirement that the path must meet.
  ///   - policy: The rules for further attempts. Its `timeout` is the total time; if it is `nil`, that of the options.
  ///   - options: The reactions of the request to the path.
  ///   - decoder: The decoder of the answer.
  ///   - clock: The clock that measures all times except `URLRequest.timeoutInterval`.
  ///   - onWaiting: Called each time that the request begins to wait for a path.
  /// - Returns: The value.
  /// - Throws: ``ValueFailure``: the request failed, or the answer says no.
  public func value<Value: Decodable, C: Clock>(
    _ type: Value.Type = Value.self, for request: URLRequest, requiring requirement: PathRequirement = .connected,
    retry policy: RetryPolicy = .standard, options: RequestOptions = RequestOptions(),
    decoder: JSONDecoder = JSONDecoder(), clock: C = ContinuousClock(),
    onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(ValueFailure) -> Value where C.Duration == Duration {
    let monitor =
      options.monitor ?? (request.url?.isLocal == true && !PathMonitor.isSimulated ? nil : RequestPaths.monitor)
    let policy = policy.adjusted(to: request, requirement, options)
    return try await retry(policy, on: monitor, clock: clock, onWaiting: onWaiting) { _ throws(ValueFailure) in
      let (data, response): (Data, URLResponse)
      do throws(RequestFailure) {
        (data, response) = try await self.data(
          for: request, requiring: requirement, options: options, clock: clock, onWaiting: onWaiting)
      } catch {
        throw ValueFailure.request(error)
      }
      let answer = Answer(
        request: request, response: response, data: data, path: monitor?.currentPath ?? .unknown,
        now: Int64(Date().timeIntervalSince1970))
      return try answer.value(type, decoder)
    }
  }
}

extension RetryPolicy {
  private static let idempotentMethods: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

  /// The policy with the facts about a request.
  fileprivate func adjusted(
    to request: URLRequest, _ requirement: PathRequirement, _ options: RequestOptions
  ) -> RetryPolicy {
    var policy = self
    let method = request.httpMethod?.uppercased() ?? "GET"
    if Self.idempotentMethods.contains(method) || request.value(forHTTPHeaderField: "Idempotency-Key") != nil {
      policy.isIdempotent = true
    }
    policy.timeout = policy.timeout ?? options.timeout
    policy.reconnection.requirement = requirement
    // A request that is not to wait for a path does not wait for one after a failure either.
    if options.whenUnmet != .wait { policy.reconnection.maximumWaits = 0 }
    // A stream can be read only once.
    if request.httpBodyStream != nil { policy.decide = { _ in .fail } }
    if policy.health == nil, let host = request.url?.host {
      policy.health = .shared(for: request.url?.port.map { "\(host):\($0)" } ?? host)
    }
    return policy
  }
}
