/// The kind of an error of libcurl, recognised by libcurl's words. Foundation passes on most of these errors as
/// "unknown", with the words as the description.
///
/// The words only distinguish errors of the same code, and are never shown. They are those of libcurl 7.88. An error
/// with other words stays as unexplained as its code.
enum CurlComplaint: Hashable, Sendable, CaseIterable {
  /// No connection could be made: there is no route, or the address does not answer.
  case noConnection
  /// The connection broke off.
  case brokenOff
  /// TLS failed, or a certificate was not accepted.
  case security
  /// The answer is not valid HTTP.
  case answer

  /// `nil` for words that are not known.
  init?(_ words: String) {
    let complaint = Self.allCases.first { $0.beginnings.contains(where: words.hasPrefix) }
    // A connection can also break while TLS begins.
    if complaint == nil || complaint == .security,
      words.contains("Connection reset by peer") || words.contains("SSL_ERROR_SYSCALL")
    {
      self = .brokenOff
      return
    }
    guard let complaint else { return nil }
    self = complaint
  }

  private var beginnings: [String] {
    switch self {
    case .noConnection:
      [
        "Failed to connect to ", "Couldn't connect to server", "connect to ", "Immediate connect fail",
        "Could not resolve proxy",
      ]
    case .brokenOff:
      [
        "transfer closed with ", "Transferred a partial file", "end of response with ", "Empty reply from server",
        "Recv failure", "Send failure", "Failure when receiving data", "Failed sending data",
      ]
    case .security:
      ["SSL", "OpenSSL", "TLS", "gnutls", "GnuTLS", "NSS", "Problem with the SSL", "Problem with the local SSL"]
    case .answer:
      [
        "Received HTTP/0.9", "Error while processing content unencoding", "Unrecognized content encoding",
        "Unrecognized or bad HTTP", "Illegal or missing hexadecimal", "Weird server reply", "Malformed encoding",
        "Invalid Content-Length", "Unsupported HTTP",
      ]
    }
  }
}
