/// What libcurl complains about, by its words: Foundation passes on most of its errors as "unknown", with these words
/// for the description.
///
/// They are read only to tell errors of one code apart, and never shown. They are those of libcurl 7.88; words of
/// another version that are not among them leave an error as unexplained as its code does.
enum CurlComplaint: Hashable, Sendable, CaseIterable {
  /// No connection could be made: no route, or nobody at the address answers.
  case noConnection
  /// The connection broke off.
  case brokenOff
  /// TLS, or a certificate.
  case security
  /// What came is not what HTTP allows.
  case answer

  /// `nil` for words that are not known.
  init?(_ words: String) {
    // A connection can also break while TLS begins.
    if words.contains("Connection reset by peer") || words.contains("SSL_ERROR_SYSCALL") {
      self = .brokenOff
      return
    }
    guard let complaint = Self.allCases.first(where: { $0.beginnings.contains(where: words.hasPrefix) }) else {
      return nil
    }
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
