internal import Connectivity
internal import ConnectivityCore
internal import Foundation
internal import FoundationNetworking
internal import PathModel
internal import Resilience
internal import SystemIO

/// One request on a path. A retry waits for the path before it calls ``attempt(on:discard:_:)``.
struct GatedRequest<C: Clock>: Sendable where C.Duration == Duration {
  let url: URL
  /// Whether the request can be sent again after an attempt that sent nothing.
  let isRepeatable: Bool
  let requirement: PathRequirement
  let options: RequestOptions
  /// The monitor of the paths; `nil` for a request that stays on this machine.
  let monitor: PathMonitor?
  let clock: C
  /// The total time of the session, for a request that has none of its own.
  private let sessionTime: Duration

  /// How long to wait for the first path of a source. A request does not wait longer for knowledge.
  private static var patience: Duration { .milliseconds(300) }

  /// - Throws: ``RequestFailure`` for a request without a URL: Foundation would end the program.
  init(
    _ request: URLRequest, _ requirement: PathRequirement, _ options: RequestOptions, _ clock: C, of session: URLSession
  ) throws(RequestFailure) {
    guard let url = request.url else { throw RequestFailure(.invalidRequest, isUnsent: true) }
    self.url = url
    isRepeatable = request.httpBodyStream == nil
    (self.requirement, self.options, self.clock) = (requirement, options, clock)
    let seconds = session.configuration.timeoutIntervalForResource
    sessionTime = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 1e9))
    // Simulated paths apply to requests to this machine, too.
    monitor = options.monitor ?? (url.isLocal && !PathMonitor.isSimulated ? nil : RequestPaths.monitor)
  }

  /// Sends the request once. It is repeated only if its path was gone before anything was sent.
  ///
  /// - Parameters:
  ///   - discard: Called with a value that has come too late.
  ///   - makeTask: Makes the task of an attempt.
  func once<Value: Sendable>(
    _ onWaiting: (@Sendable (NetworkPath) -> Void)?,
    discard: @escaping @Sendable (Value) -> Void = { _ in },
    _ makeTask: @escaping @Sendable (@escaping Transfer<Value>.Completion) -> URLSessionTask
  ) async throws(RequestFailure) -> (Value, URLResponse) {
    var policy = RetryPolicy.once
    policy.reconnection.spread = .zero
    adjust(&policy)
    do throws(RequestFailure) {
      return try await retry(policy, on: monitor, clock: clock, onWaiting: onWaiting) {
        attempt throws(RequestFailure) in
        try await self.attempt(on: attempt.path, discard: discard, makeTask)
      }
    } catch {
      throw error.at(url)
    }
  }

  /// Adds what the request needs to the rules of its retry.
  func adjust(_ policy: inout RetryPolicy) {
    policy.timeout = policy.timeout ?? options.timeout
    policy.isTimeoutImplied = policy.timeout == nil
    policy.timeout = policy.timeout ?? sessionTime
    policy.reconnection.requirement = requirement
    // The options decide about the wait. A request that is not to wait does not wait after a failure either.
    policy.reconnection.maximumWaits = options.whenUnmet == .wait ? max(1, policy.reconnection.maximumWaits) : 0
    // A stream can be read only once.
    if !isRepeatable { policy.decide = { _ in .fail } }
  }

  // MARK: An attempt

  /// Makes one attempt on a path.
  func attempt<Value: Sendable>(
    on path: NetworkPath, discard: @escaping @Sendable (Value) -> Void = { _ in },
    _ makeTask: @escaping @Sendable (@escaping Transfer<Value>.Completion) -> URLSessionTask
  ) async throws(RequestFailure) -> (Value, URLResponse) {
    let path = try await admitted(path)
    let transfer = Transfer(discard: discard)
    do {
      return try await watched(from: path) { try await transfer.run(makeTask) }
    } catch {
      var failure = await judge(error, pathBefore: path)
      // A host that has redirected the request may have executed it.
      let unconnected: [ErrorMeaning?] = [.refused, .unreachable, .noName]
      failure.isUnsent =
        !transfer.hasRedirected && (failure.isUnsent || unconnected.contains(ErrorMeaning(of: error)))
      throw failure
    }
  }

  /// Refuses the request if it is to be refused, once its path has not been as required for the settle time of a loss:
  /// a renewal of a lease refuses no request.
  ///
  /// - Returns: The path when the request is made.
  private func admitted(_ path: NetworkPath) async throws(RequestFailure) -> NetworkPath {
    guard let monitor, options.whenUnmet == .refuse, requirement.gatingVerdict(on: path) == .notMet else { return path }
    do {
      return try await monitor.waitWhileUnmet(requirement, patience: Self.patience, clock: clock) { path in
        let age = Duration.microseconds(max(0, boottimeMicroseconds() - path.boottimeMicroseconds))
        return SettleTimes.standard.loss - age
      }
    } catch let error as PathUnavailableError {
      let isThere = error.path.status == .satisfied
      throw RequestFailure(
        isThere ? .requirementNotMet(requirement) : .offline, url: url, path: error.path, isUnsent: true)
    } catch {
      // A monitor that was cancelled knows nothing more, and holds up no request.
      guard Task.isCancelled else { return monitor.currentPath }
      throw RequestFailure(.cancelled, url: url, path: monitor.currentPath, underlying: error, isUnsent: true)
    }
  }

  private func watched<Value: Sendable>(
    from path: NetworkPath, _ transfer: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // A path that did not meet the requirement at the beginning cannot be lost.
    guard let monitor, case .cancel(let grace) = options.onLoss, requirement.gatingVerdict(on: path) != .notMet else {
      return try await transfer()
    }
    let watch = PathLossWatch(requirement, grace: grace, clock: clock) { verdict(on: $0, since: path) }
    return try await monitor.cancelling(at: watch, transfer)
  }

  /// Whether a transfer that began on a path can go on with another.
  private func verdict(on path: NetworkPath, since beginning: NetworkPath) -> PathRequirement.Verdict {
    let verdict = requirement.gatingVerdict(on: path)
    guard verdict != .unknown else { return .unknown }
    if verdict == .notMet, options.requiresThroughout || path.status != .satisfied { return .notMet }
    // A connection keeps the address that it was made from.
    guard beginning.knowledge == .known, let first = beginning.interfaces.first else { return .met }
    return path.interfaces.contains { $0.index == first.index } ? .met : .notMet
  }

  private func judge(_ error: any Error, pathBefore: NetworkPath) async -> RequestFailure {
    if let loss = error as? PathUnavailableError {
      let isUnmet = loss.path.status == .satisfied && requirement.gatingVerdict(on: loss.path) == .notMet
      let reason =
        isUnmet && options.requiresThroughout ? .requirementNotMet(requirement) : RequestFailure.Reason.connectionLost
      return RequestFailure(reason, url: url, path: loss.path, underlying: error)
    }
    let path = await monitor?.unsettledPath(patience: Self.patience, clock: clock) ?? .unknown
    return RequestFailure(judging: error, url: url, pathBefore: pathBefore, path: path)
  }
}

extension RequestFailure {
  /// The failure with the URL of the request, if it has none.
  func at(_ url: URL) -> RequestFailure {
    var failure = self
    failure.url = failure.url ?? url
    return failure
  }
}
