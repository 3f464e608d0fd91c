internal import Foundation
internal import FoundationNetworking
internal import SystemIO

/// Sees how a transfer gets on, and keeps what Foundation would lose.
final class TransferObserver<C: Clock>: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable
where C.Duration == Duration {
  private struct State {
    var lastProgress: C.Instant?
    var hasRedirected = false
    var response: URLResponse?
    var refusedBody = Data()
    var refusal: URLResponse?
  }

  private let clock: C
  private let state = Guarded(State())

  init(_ clock: C) {
    self.clock = clock
  }

  /// When a byte last came or went; `nil` before the first.
  var lastProgress: C.Instant? { state.withLock { $0.lastProgress } }
  /// Whether a server has answered, and has sent the request elsewhere.
  var hasRedirected: Bool { state.withLock { $0.hasRedirected } }
  /// The answer that demands authentication, which the session cannot give.
  var refusal: (Data, URLResponse)? {
    state.withLock { state in state.refusal.map { (state.refusedBody, $0) } }
  }

  private func note(_ change: (inout State) -> Void = { _ in }) {
    let now = clock.now
    state.withLock { state in
      state.lastProgress = now
      change(&state)
    }
  }

  // MARK: URLSessionTaskDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note { $0.hasRedirected = true }
    completionHandler(request)
  }

  /// Foundation never completes a task whose challenge it has no credential for: then the answer that brought the
  /// challenge is the result.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note { $0.refusal = challenge.failureResponse }
    if challenge.proposedCredential == nil {
      completionHandler(.cancelAuthenticationChallenge, nil)
    } else {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note {
      $0.response = response
      $0.refusedBody = Data()
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note { state in
      if (state.response as? HTTPURLResponse)?.statusCode == 401 { state.refusedBody.append(data) }
    }
  }

  // MARK: URLSessionDownloadDelegate

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    note()
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    note()
  }
}
