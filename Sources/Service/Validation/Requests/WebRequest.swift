package import PathModel

/// A request to a web server, with its bounds. It has no body, no cookies and no proxy; redirects are not followed.
package struct WebRequest: Hashable, Sendable {
  /// The address, of `http` or `https`.
  package var address: String
  /// The only family of addresses; `nil` for any.
  package var family: IPAddress.Family?
  /// The media type that the server is asked for; `nil` for any.
  package var mediaType: String?

  /// The most bytes of the body that are read.
  static let limit = 4_096
  /// The longest time from the name's look-up to the last byte, in milliseconds.
  static let patience = 10_000

  /// A request.
  package init(_ address: String, _ family: IPAddress.Family? = nil, mediaType: String? = nil) {
    (self.address, self.family, self.mediaType) = (address, family, mediaType)
  }
}
