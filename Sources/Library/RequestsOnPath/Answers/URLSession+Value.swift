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
  /// honoured. The policy's `budget` limits the retries to a server.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - request: The request. If it has an `httpBodyStream`, it is sent only once.
  ///   - requirement: The requirement that the path must meet.
  ///   - policy: The rules for further attempts. Its `timeout` is the total time; if it is `nil`, that of the options,
  ///     and else the session's `timeoutIntervalForResource`.
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
    let gated: GatedRequest<C>
    do throws(RequestFailure) {
      gated = try GatedRequest(request, requirement, options, clock, of: self)
    } catch {
      throw .request(error)
    }
    var policy = policy
    policy.isIdempotent = policy.isIdempotent || request.isIdempotent
    gated.adjust(&policy)
    do throws(ValueFailure) {
      return try await retry(policy, on: gated.monitor, clock: clock, onWaiting: onWaiting) {
        attempt throws(ValueFailure) in
        let answer = try await self.answer(to: request, gated, on: attempt.path)
        return try answer.value(type, decoder)
      }
    } catch .request(let failure) {
      throw .request(failure.at(gated.url))
    }
  }

  /// Makes one attempt of a request for a value.
  private func answer<C: Clock>(
    to request: URLRequest, _ gated: GatedRequest<C>, on path: NetworkPath
  ) async throws(ValueFailure) -> Answer {
    do throws(RequestFailure) {
      let (data, response) = try await gated.attempt(on: path) { self.dataTask(with: request, completionHandler: $0) }
      return Answer(
        request: request, response: response, data: data, path: gated.monitor?.currentPath ?? .unknown,
        now: Int64(Date().timeIntervalSince1970))
    } catch {
      throw .request(error)
    }
  }
}

extension URLRequest {
  private static let idempotentMethods: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

  /// Whether the request says that it can be executed twice.
  fileprivate var isIdempotent: Bool {
    Self.idempotentMethods.contains(httpMethod?.uppercased() ?? "GET")
      || value(forHTTPHeaderField: "Idempotency-Key") != nil
  }
}
