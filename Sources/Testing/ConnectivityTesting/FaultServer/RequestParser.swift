/// Reads one HTTP/1.1 request from bytes that arrive in pieces, without input or output.
struct RequestParser: Sendable {
  /// The next step for the owner of the connection.
  enum Step: Hashable, Sendable {
    /// Receive more bytes.
    case receive
    /// Send `100 Continue` and receive more bytes: the client waits for this before it sends the body.
    case invite
    /// The request is complete.
    case complete(FaultRequest)
    /// The bytes are no request that this server can read. The status is the answer.
    case refuse(status: Int)
  }

  /// The longest head, in bytes.
  static let longestHead = 65_536
  /// The longest body, in bytes.
  static let longestBody = 16_777_216

  private var bytes: [UInt8] = []
  private var head: (request: FaultRequest, end: Int, length: Int)?
  private var isInvited = false

  /// Adds received bytes.
  mutating func add(_ received: some Sequence<UInt8>) -> Step {
    bytes += received
    if head == nil {
      guard let end = endOfHead else { return bytes.count > Self.longestHead ? .refuse(status: 431) : .receive }
      guard let request = Self.request(bytes[..<end]) else { return .refuse(status: 400) }
      if request.headers["transfer-encoding"] != nil { return .refuse(status: 411) }
      guard let length = Int(request.headers["content-length"] ?? "0"), length >= 0 else { return .refuse(status: 400) }
      if length > Self.longestBody { return .refuse(status: 413) }
      head = (request, end + 4, length)
    }
    guard let head else { return .receive }
    if bytes.count >= head.end + head.length {
      var request = head.request
      request.body = Array(bytes[head.end..<(head.end + head.length)])
      return .complete(request)
    }
    if !isInvited, head.request.headers["expect"]?.lowercased() == "100-continue" {
      isInvited = true
      return .invite
    }
    return .receive
  }

  private var endOfHead: Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
  }

  private static func request(_ head: some Sequence<UInt8>) -> FaultRequest? {
    // A CR and LF pair is a single character.
    let lines = String(decoding: Array(head), as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers[line[..<colon].lowercased()] = String(value)
    }
    return FaultRequest(String(words[1]), method: String(words[0]), headers: headers)
  }
}
