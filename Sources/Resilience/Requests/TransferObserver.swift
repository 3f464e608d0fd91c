internal import Foundation
internal import FoundationNetworking
internal import SystemIO

/// Sees when a transfer gets on.
///
/// A download is seen to send only: Foundation writes each piece of a file twice when the delegate of its task is one for
/// downloads.
class TransferObserver<C: Clock>: NSObject, URLSessionTaskDelegate, @unchecked Sendable where C.Duration == Duration {
  // Unchecked, as a class that is inherited from has to be; both properties are constants of types that are Sendable.
  private let clock: C
  private let moment = Guarded<C.Instant?>(nil)

  init(_ clock: C) {
    self.clock = clock
  }

  /// When a byte of a body last came or went; `nil` before the first.
  var lastProgress: C.Instant? { moment.copy }

  func noteProgress() {
    let now = clock.now
    moment.withLock { $0 = now }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    noteProgress()
  }
}

/// Sees what comes, too.
final class AnswerObserver<C: Clock>: TransferObserver<C>, URLSessionDataDelegate, @unchecked Sendable
where C.Duration == Duration {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    noteProgress()
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    noteProgress()
  }
}
