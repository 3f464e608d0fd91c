public import Foundation
public import FoundationNetworking
public import PathModel

/// Requests that take the network path into account.
///
/// The requests wait for a path, or fail without one, as ``RequestOptions`` say. They cancel a transfer whose path is
/// lost, which Foundation would let hang for `URLRequest.timeoutInterval`. They also keep a total time. Their failures
/// follow from the error and the path together (``RequestFailure``). The path is only advice: if no source can be
/// asked, the unknown path holds up no request.
///
/// The session's configuration, cookies, cache and credentials apply as usual. Its delegate also decides about
/// redirections and answers challenges as usual. An answer with any status is a result. A cancelled task ends at once,
/// and so does its connection.
///
/// The limits of Foundation in Swift 6.3 apply here, too. A request cannot open a URL with an IPv6 address in brackets,
/// and cannot choose an interface. If a server answers 401 with a `WWW-Authenticate` for which the session has no
/// credential, the transfer ends only when the total time is over.
extension URLSession {
  /// Gets the answer to a request.
  ///
  /// ```swift
  /// let (data, response) = try await URLSession.shared.data(for: request, requiring: .unmetered)
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request. If it has an `httpBodyStream`, it is begun only once.
  ///   - requirement: The requirement that the path must meet. Terms with `via=` cannot choose the interface of a
  ///     request, which is always the one that the kernel prefers.
  ///   - options: The reactions of the request to the path, and its total time.
  ///   - clock: The clock that measures all times except `URLRequest.timeoutInterval`.
  ///   - onWaiting: Called each time that the request begins to wait for a path, usually once at most. Its argument is
  ///     the path, which is unsatisfied and has the reason.
  /// - Returns: The body of the answer and its head.
  /// - Throws: ``RequestFailure``.
  public func data<C: Clock>(
    for request: URLRequest, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    let gated = try GatedRequest(request, requirement, options, clock, of: self)
    return try await gated.once(onWaiting) {
      self.dataTask(with: request, completionHandler: $0)
    }
  }

  /// Gets the content of a URL; see ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
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
    let gated = try GatedRequest(request, requirement, options, clock, of: self)
    return try await gated.once(onWaiting) {
      self.uploadTask(with: request, from: body, completionHandler: $0)
    }
  }

  /// Sends a file; see ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// - Throws: ``RequestFailure``.
  public func upload<C: Clock>(
    for request: URLRequest, fromFile file: URL, requiring requirement: PathRequirement,
    options: RequestOptions = RequestOptions(), clock: C = ContinuousClock(),
    onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (Data, URLResponse) where C.Duration == Duration {
    let gated = try GatedRequest(request, requirement, options, clock, of: self)
    return try await gated.once(onWaiting) {
      self.uploadTask(with: request, fromFile: file, completionHandler: $0)
    }
  }

  /// Gets the answer to a request as a file; see
  /// ``FoundationNetworking/URLSession/data(for:requiring:options:clock:onWaiting:)``.
  ///
  /// If the transfer fails, a part of the file may stay in the temporary folder, because Foundation leaves it there
  /// under a name that it does not report.
  ///
  /// - Returns: The location of the file, which the caller moves or removes, and the head of the answer.
  /// - Throws: ``RequestFailure``.
  public func download<C: Clock>(
    for request: URLRequest, requiring requirement: PathRequirement, options: RequestOptions = RequestOptions(),
    clock: C = ContinuousClock(), onWaiting: (@Sendable (NetworkPath) -> Void)? = nil
  ) async throws(RequestFailure) -> (URL, URLResponse) where C.Duration == Duration {
    let gated = try GatedRequest(request, requirement, options, clock, of: self)
    return try await gated.once(
      onWaiting, discard: { try? FileManager.default.removeItem(at: $0) },
      { self.downloadTask(with: request, completionHandler: $0) })
  }

  /// Gets the content of a URL as a file; see
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
