internal import Connectivity
internal import ConnectivityCore
internal import Foundation
internal import FoundationNetworking
internal import PathModel
internal import SystemIO

/// One request on its way from the gate to its result.
struct GatedRequest<C: Clock>: Sendable where C.Duration == Duration {
  /// The URL of the request.
  let url: URL?
  /// Whether the request can be sent again after an attempt that sent nothing.
  let isRepeatable: Bool
  let requirement: PathRequirement
  let options: RequestOptions
  /// The total time.
  let timeout: Duration
  let clock: C
  let onWaiting: (@Sendable (NetworkPath) -> Void)?

  /// How long to wait for the first path of a source. A request does not wait longer for knowledge.
  static var patience: Duration { .milliseconds(300) }

  private typealias Outcome<Value> = Result<(Value, URLResponse), RequestFailure>

  private enum Step<Value: Sendable>: Sendable {
    case ended(Outcome<Value>)
    case timeIsUp
    /// The time does not matter any more.
    case untimed
  }

  /// Waits for the path, transfers, and keeps the total time.
  ///
  /// - Parameters:
  ///   - discard: Called with a value that has come too late.
  ///   - makeTask: Makes the task of an attempt.
  func run<Value: Sendable>(
    discard: @escaping @Sendable (Value) -> Void = { _ in },
    _ makeTask: @escaping @Sendable (@escaping Transfer<Value>.Completion) -> URLSessionTask
  ) async throws(RequestFailure) -> (Value, URLResponse) {
    // Without a URL, Foundation would end the program.
    guard url != nil else { throw RequestFailure(.invalidRequest, isUnsent: true) }
    let monitor = options.monitor ?? (isLocal ? nil : RequestPaths.monitor)
    // The path is followed all the time, so that it is known at the end.
    let endFollowing = monitor?.observe { _ in }
    defer { endFollowing?() }
    let deadline = clock.now.after(timeout)
    let result = await withTaskGroup(of: Step<Value>.self) { group -> Outcome<Value> in
      group.addTask { .ended(await self.attempt(discard, makeTask, on: monitor)) }
      group.addTask { (try? await self.clock.sleep(until: deadline, tolerance: nil)) == nil ? .untimed : .timeIsUp }
      var isLate = false
      while let step = await group.next() {
        switch step {
        case .ended(.failure(var failure)) where isLate:
          if failure.reason == .cancelled { failure.reason = .timedOut(.resource) }
          return .failure(failure)
        case .ended(let result):
          group.cancelAll()
          return result
        case .timeIsUp:
          isLate = true
          group.cancelAll()
        case .untimed: break
        }
      }
      return .failure(RequestFailure(.cancelled, url: url))
    }
    return try result.get()
  }

  /// Whether the request stays on this machine, as far as its URL shows. Simulated paths apply to all requests.
  private var isLocal: Bool { url?.isLocal == true && !PathMonitor.isSimulated }

  // MARK: One attempt after the other

  /// Passes the gate and transfers. If the path turns out to be lost before anything is sent, this waits again.
  private func attempt<Value: Sendable>(
    _ discard: @escaping @Sendable (Value) -> Void,
    _ makeTask: @escaping @Sendable (@escaping Transfer<Value>.Completion) -> URLSessionTask, on monitor: PathMonitor?
  ) async -> Outcome<Value> {
    var adviser = monitor
    while true {
      let path: NetworkPath
      do throws(RequestFailure) {
        path = try await pass(adviser)
      } catch {
        return .failure(error)
      }
      let transfer = Transfer(discard: discard)
      do {
        return .success(try await watched(by: monitor, from: path) { try await transfer.run(makeTask) })
      } catch {
        var failure = await judge(error, pathBefore: path, on: monitor)
        if transfer.hasRedirected { failure.isUnsent = false }
        guard waitsAgain(after: failure) else { return .failure(failure) }
        // The unsettled path has just decided this, so it also decides when there is a path again.
        adviser = monitor?.withoutSettling()
      }
    }
  }

  /// Returns the path when it meets the requirement, or when this is not known.
  private func pass(_ adviser: PathMonitor?) async throws(RequestFailure) -> NetworkPath {
    guard let adviser else { return .unknown }
    do {
      return try await adviser.waitWhileUnmet(requirement, patience: Self.patience, clock: clock) { path in
        switch options.whenUnmet {
        case .proceed: return .zero
        case .refuse: return Self.rest(of: path)
        case .wait:
          onWaiting?(requirement.applied(to: path))
          return nil
        }
      }
    } catch let error as PathUnavailableError {
      if options.whenUnmet == .proceed { return error.path }
      throw unmet(on: error.path)
    } catch {
      // A monitor that was cancelled knows nothing more, and holds up no request.
      guard Task.isCancelled else { return adviser.currentPath }
      throw RequestFailure(.cancelled, url: url, path: adviser.currentPath, underlying: error, isUnsent: true)
    }
  }

  /// The time for which a path must still fail the requirement before the request is refused. The total is the settle
  /// time of a loss, so that a renewal of a lease refuses no request.
  private static func rest(of path: NetworkPath) -> Duration {
    let age = Duration.microseconds(max(0, boottimeMicroseconds() - path.boottimeMicroseconds))
    return max(.zero, SettleTimes.standard.loss - age)
  }

  private func unmet(on path: NetworkPath) -> RequestFailure {
    let reason = path.status == .satisfied ? RequestFailure.Reason.requirementNotMet(requirement) : .offline
    return RequestFailure(reason, url: url, path: path, isUnsent: true)
  }

  private func waitsAgain(after failure: RequestFailure) -> Bool {
    options.whenUnmet == .wait && isRepeatable && failure.isUnsent && failure.reason == .offline && !Task.isCancelled
      && requirement.gatingVerdict(on: failure.path) == .notMet
  }

  // MARK: The transfer

  private func watched<Value: Sendable>(
    by monitor: PathMonitor?, from path: NetworkPath, _ transfer: @escaping @Sendable () async throws -> Value
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

  private func judge(
    _ error: any Error, pathBefore: NetworkPath, on monitor: PathMonitor?
  ) async -> RequestFailure {
    if let loss = error as? PathUnavailableError {
      let isUnmet = loss.path.status == .satisfied && requirement.gatingVerdict(on: loss.path) == .notMet
      let reason =
        isUnmet && options.requiresThroughout ? .requirementNotMet(requirement) : RequestFailure.Reason.connectionLost
      return RequestFailure(reason, url: url, path: loss.path, underlying: error)
    }
    var path = NetworkPath.unknown
    if let monitor {
      path =
        ErrorMeaning(error).dependsOnPath
        ? await monitor.unsettledPath(patience: Self.patience, clock: clock) : monitor.currentPath
    }
    return RequestFailure(judging: error, url: url, pathBefore: pathBefore, path: path)
  }
}
