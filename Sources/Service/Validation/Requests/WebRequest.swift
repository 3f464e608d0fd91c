package import PathModel

/// A request to a web server, with its bounds. It has no body, no cookies and no proxy; redirects are not followed.
package struct WebRequest: Hashable, Sendable {
  /// The address, of `http` or `https`.
  package var address: String
  /// The only family of addresses; `nil` for any.
  package var family: IPAddress.Family?
  /// Whether only `https` is allowed.
  package var isSecureOnly = false
  /// The media type that the server is asked for; `nil` for any.
  package var mediaType: String?
  /// The most bytes of the body that are read.
  package var limit = 4_096
  /// The longest time from the name's look-up to the last byte.
  package var patience = Duration.seconds(10)

  /// A request.
  package init(_ address: String, _ family: IPAddress.Family? = nil) {
    (self.address, self.family) = (address, family)
  }
}

/// The outcome of a request.
package struct WebAnswer: Hashable, Sendable {
  /// The content of an answer.
  package struct Content: Hashable, Sendable {
    /// The status.
    package var status: Int
    /// The place of a redirect, completed; `nil` if the answer names none.
    package var location: String?
    /// The media type in lower case, without its parameters; `nil` if the answer names none.
    package var mediaType: String?
    /// The body; one that exceeds the limit is cut behind the first byte above it.
    package var body: [UInt8]
  }

  /// The reason why there is no content.
  package enum Failure: Error, Hashable, Sendable {
    /// The name has no address, or its name servers are silent.
    case noName
    /// The host cannot be reached.
    case noConnection(String)
    /// The host or somebody on the way has refused, reset or broken off the connection.
    case reset
    /// TLS failed; in words.
    case certificate(String)
    /// Nothing, or not enough, came within the time.
    case silence
    /// The request could not be made here; in words.
    case failed(String)
  }

  /// The content, or the reason why there is none.
  package var result: Result<Content, Failure>
  /// The last address that was connected to, or was to be; `nil` if the name led to none.
  package var resolved: IPAddress?
  /// When the answer was complete, in microseconds since boot.
  package var when: Int
}
