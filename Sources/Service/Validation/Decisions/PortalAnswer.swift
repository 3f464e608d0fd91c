internal import PathDecisions
internal import PathModel

/// The answer of a network's programming interface for the sign-in (RFC 8908, section 5). Pure.
struct PortalAnswer: Hashable, Sendable {
  /// Whether the network wants a sign-in from this machine.
  var isCaptive: Bool
  /// The page by which users sign in (`user-portal-url`); `nil` if the network names none.
  var userPortal: String?
  /// A page about the place (`venue-info-url`); `nil` if the network names none.
  var venueInformation: String?
  /// How long the network lets traffic through, in seconds (`seconds-remaining`); `nil` if it names no end.
  var secondsRemaining: Int64?
  /// How much traffic it lets through, in bytes (`bytes-remaining`); `nil` if it names no limit.
  var bytesRemaining: Int64?

  /// The largest answer that is read, in bytes.
  static let longest = 4_096
  /// The media type of an answer.
  static let mediaType = "application/captive+json"

  /// The reason why bytes are no answer, in words without a full stop.
  struct Fault: Error, Hashable, Sendable {
    /// The words.
    let words: String
  }

  /// Decodes the content of an answer.
  init(_ answer: WebAnswer) throws(Fault) {
    switch answer.result {
    case .success(let content) where content.status != 200: throw Fault(words: "its status is \(content.status)")
    case .success(let content) where content.mediaType != Self.mediaType:
      throw Fault(words: "the answer is not of type \(Self.mediaType)")
    case .success(let content): try self.init(parsing: content.body)
    case .failure(let failure): throw Fault(words: failure.words)
    }
  }

  /// Decodes an answer. Unknown keys are ignored, as are addresses that are not of `http` or `https` and numbers below
  /// zero: anybody on the link may write them. Numbers count only while the network lets traffic through.
  init(parsing bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.longest else { throw Fault(words: "the answer has more than \(Self.longest) bytes") }
    guard let object = (try? JSONValue(parsing: bytes, maximumDepth: 8))?.objectValue else {
      throw Fault(words: "the answer is no JSON object")
    }
    guard let isCaptive = object["captive"]?.booleanValue else {
      throw Fault(words: "the answer does not say whether a sign-in is wanted")
    }
    self.isCaptive = isCaptive
    func address(_ key: String) -> String? {
      (object[key]?.stringValue).flatMap { PortalAddress.text(of: $0.utf8) }
    }
    func number(_ key: String) -> Int64? {
      isCaptive ? nil : (object[key]?.integerValue).flatMap { $0 >= 0 ? $0 : nil }
    }
    (userPortal, venueInformation) = (address("user-portal-url"), address("venue-info-url"))
    (secondsRemaining, bytesRemaining) = (number("seconds-remaining"), number("bytes-remaining"))
  }

  /// An answer or its fault in words, for people.
  static func words(for answer: Result<PortalAnswer, Fault>) -> String {
    switch answer {
    case .success(let answer): answer.words
    case .failure(let fault): "the interface for the sign-in does not say whether one is wanted: \(fault.words)"
    }
  }

  private var words: String {
    let rest = [
      isCaptive ? "the network wants a sign-in" : "the network lets traffic through",
      secondsRemaining.map { "for \($0) s" }, bytesRemaining.map { "for \($0) bytes" },
      venueInformation.map { "(about the place: \($0))" },
    ]
    return rest.compactMap(\.self).joined(separator: " ")
  }
}
