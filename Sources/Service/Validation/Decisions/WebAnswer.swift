internal import PathModel

/// The outcome of a request to a web server.
struct WebAnswer: Hashable, Sendable {
  /// The content of an answer.
  struct Content: Hashable, Sendable {
    /// The status; 0 for HTML without an HTTP head.
    var status: Int
    /// The place of a redirect, as it was sent; `nil` if the answer names none.
    var location: String?
    /// The media type in lower case, without its parameters; `nil` if the answer names none.
    var mediaType: String?
    /// The body; one that exceeds the limit or cannot become the right one any more is cut.
    var body: [UInt8] = []
    /// The time before which the host does not want to be asked again; `nil` if it sets none.
    var retryAfter: Duration?
  }

  /// The reason why there is no content.
  enum Failure: Error, Hashable, Sendable {
    /// The name has no address, or its name servers are silent.
    case noName
    /// The host cannot be reached; in words.
    case noConnection(String)
    /// The host or somebody on the way has refused, reset or broken off the connection.
    case reset
    /// The TLS certificate is expired, unknown or another host's; in words.
    case certificate(String)
    /// Nothing, or not enough, came within the time.
    case silence
    /// The round ended before an answer came.
    case unawaited
    /// The request could not be made here; in words.
    case failed(String)

    /// The failure in words, for people.
    var words: String {
      switch self {
      case .noName: "the name has no address"
      case .noConnection(let fault): "no connection: \(fault.inOneLine)"
      case .reset: "the connection was refused, reset or broken off"
      case .certificate(let fault): "the certificate is not right: \(fault.inOneLine)"
      case .silence: "nothing came within the time"
      case .unawaited: "no answer when the round ended"
      case .failed(let fault): "the request could not be made: \(fault.inOneLine)"
      }
    }
  }

  /// The content, or the reason why there is none.
  var result: Result<Content, Failure>
  /// The last address that was connected to, or was to be; `nil` if the name led to none.
  var resolved: IPAddress?
  /// When the answer was complete, in microseconds since boot.
  var when = 0
}
