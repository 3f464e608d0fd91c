public import Foundation
public import FoundationNetworking
public import PathModel

/// Requests that take the network path into account.
///
/// They wait for a path or refuse to do without, as ``RequestOptions`` say; give up a transfer whose path is lost, which
/// Foundation would let hang for `URLRequest.timeoutInterval`; keep a total time; and tell failures by the error and the
/// path together (``RequestFailure``). All of it is advice: a path that is not known, because nobody can be asked, holds up
/// no request.
///
/// The session's configuration, cookies, cache and credentials count as they do otherwise, and so does its delegate: it
/// decides about redirections and answers challenges. An answer with any status is a result. A cancelled task ends at
/// once, and so does its connection.
///
/// What Foundation of Swift 6.3 cannot, these cannot either: open a URL with an IPv6 address in brackets, choose an
/// interface, or come to an end when a server answers 401 with a `WWW-Authenticate` for which the session has no
/// credential. The total time ends that.
extension URLSession {
  /// Gets what a request asks for.
  ///
  /// ```swift
  /// let (data, response) = try await URLSession.shared.data(for: request, requiring: .unmetered)
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request. One with an `httpBodyStream` is begun once only.
  ///   - requirement: What the path must offer. Terms with `via=` cannot choose the interface of a request: it always takes
  ///     the one that the kernel prefers.
  ///   - options: How the request goes with the path.
  ///   - clock: What times are measured by, but for `URLRequest.timeoutInterval`.
  ///   - onWaiting: Called each time that waiting for a path begins, with the path: it is unsatisfied and says why. Mostly
  ///     that is once at most.
  /// - Returns: The body of the answer and its head.
  /// - Throws: ``RequestFailure``.
  public func data<C: Clock>(
    for request: URLRequest, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    let gated = gated(request, requirement, options, clock, onWaiting)
    return try await gated.run { self.dataTask(with: request, completionHandler: $0) }
  }

  /// Gets what is at a URL; see ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// - Throws: ``RequestFailure``.
  public func data<C: Clock>(
    from url: URL, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    try await data(
      for: URLRequest(url: url), requiring: requirement, options: options, clock: clock, onWaiting: onWaiting)
  }

  /// Sends data; see ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// - Throws: ``RequestFailure``.
  public func upload<C: Clock>(
    for request: URLRequest, from body: Data, requiring requirement: PathRequirement,
    options: RequestOptions = RequestOptions(), clock: C = ContinuousClock(),
    onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    let gated = gated(request, requirement, options, clock, onWaiting)
    return try await gated.run { self.uploadTask(with: request, from: body, completionHandler: $0) }
  }

  /// Sends a file; see ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// - Throws: ``RequestFailure``.
  public func upload<C: Clock>(
    for request: URLRequest, fromFile file: URL, requiring requirement: PathRequirement,
    options: RequestOptions = RequestOptions(), clock: C = ContinuousClock(),
    onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    let gated = gated(request, requirement, options, clock, onWaiting)
    return try await gated.run { self.uploadTask(with: request, fromFile: file, completionHandler: $0) }
  }

  /// Gets what a request asks for into a file; see
  /// ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// The part of a file that has come before a failure stays in the temporary folder, as Foundation leaves it there
  /// under a name that it tells nobody.
  ///
  /// - Returns: Where the file is, which is the caller's to move or to remove, and the head of the answer.
  /// - Throws: ``RequestFailure``.
  public func download<C: Clock>(
    for request: URLRequest, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (URL, URLResponse) where C.Duration == Duration {
    let gated = gated(request, requirement, options, clock, onWaiting)
    return try await gated.run(
      discard: { try? FileManager.default.removeItem(at: $0) },
      { self.downloadTask(with: request, completionHandler: $0) })
  }

  /// Gets what is at a URL into a file; see
  /// ``FoundationNetworking/URLSession/download(for:requiring:options:clock:onWaiting:)``.
  ///
  /// - Throws: ``RequestFailure``.
  public func download<C: Clock>(
    from url: URL, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (URL, URLResponse) where C.Duration == Duration {
    try await download(
      for: URLRequest(url: url), requiring: requirement, options: options, clock: clock, onWaiting: onWaiting)
  }
}

extension URLSession {
  private func gated<C: Clock>(
    _ request: URLRequest, _ requirement: PathRequirement, _ options: RequestOptions, _ clock: C,
    _ onWaiting: (@Sendable (NetworkPath) -> Void)?
  ) -> GatedRequest<C> where C.Duration == Duration {
    GatedRequest(
      url: request.url, isRepeatable: request.httpBodyStream == nil, requirement: requirement, options: options,
      timeout: options.timeout ?? .seconds(configuration.totalSeconds), clock: clock, onWaiting: onWaiting)
  }
}

extension URLSessionConfiguration {
  /// What it says about the total time, as far as a duration can hold it.
  fileprivate var totalSeconds: Double {
    timeoutIntervalForResource.isNaN ? 0 : min(max(timeoutIntervalForResource, 0), 1e9)
  }
}
