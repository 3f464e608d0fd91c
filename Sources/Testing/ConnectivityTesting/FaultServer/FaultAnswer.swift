/// The answer of a ``FaultServer`` to a request: a status, header fields and a body, and the fault with which they are
/// sent.
///
/// ```swift
/// let maintenance = FaultAnswer(503, headers: [("Retry-After", "17")], body: "down for maintenance")
/// let cutOff = FaultAnswer.json(#"{"isAvailable": true}"#).with(.reset(afterBodyBytes: 3))
/// ```
public struct FaultAnswer: Hashable, Sendable {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name as it is sent.
    public var name: String
    /// The value as it is sent.
    public var value: String

    /// Creates a header field.
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// The status, such as 200.
  public var status: Int
  /// The header fields in the order in which they are sent. `Content-Length` and `Connection: close` follow them.
  public var headers: [Field]
  /// The body.
  public var body: [UInt8]
  /// The fault; ``Fault/none`` for an answer that is sent as it should be.
  public var fault: Fault

  /// An answer with a body of bytes.
  public init(_ status: Int, headers: [(String, String)] = [], bytes: [UInt8], fault: Fault = .none) {
    self.status = status
    self.headers = headers.map { Field(name: $0.0, value: $0.1) }
    self.body = bytes
    self.fault = fault
  }

  /// An answer with a text as its body.
  public init(_ status: Int = 200, headers: [(String, String)] = [], body: String = "", fault: Fault = .none) {
    self.init(status, headers: headers, bytes: Array(body.utf8), fault: fault)
  }

  /// An answer with JSON as its body, which is sent as it is given: it may be broken.
  public static func json(_ text: String, status: Int = 200) -> FaultAnswer {
    FaultAnswer(status, headers: [("Content-Type", "application/json")], body: text)
  }

  /// A redirection.
  public static func redirect(to location: String, status: Int = 302) -> FaultAnswer {
    FaultAnswer(status, headers: [("Location", location)])
  }

  /// The sign-in page of a captive portal: status 200 and HTML, whatever was asked for.
  public static let portalPage = FaultAnswer(
    200, headers: [("Content-Type", "text/html; charset=utf-8")],
    body: "<!DOCTYPE html><title>Sign in</title><p>Sign in to use this network.")

  /// The same answer with a fault.
  public func with(_ fault: Fault) -> FaultAnswer {
    var answer = self
    answer.fault = fault
    return answer
  }
}

extension FaultAnswer {
  /// A deviation from the answer as it should be sent.
  public struct Fault: Hashable, Sendable {
    enum Kind: Hashable {
      case none, close
      case truncated(Int)
      case reset(Int?)
      case silent(Int?)
      case late(Duration)
      case slowHead(Duration)
      case slowBody(Int, Duration)
      case bytes([UInt8])
    }

    let kind: Kind

    /// No fault.
    public static let none = Fault(kind: .none)
    /// The server closes the connection without a byte.
    public static let close = Fault(kind: .close)
    /// The server closes the connection after so many bytes of the body, although `Content-Length` promises all.
    public static func truncated(afterBodyBytes count: Int) -> Fault { Fault(kind: .truncated(count)) }
    /// The server resets the connection after so many bytes of the body; with `nil` before the head.
    ///
    /// A reset overtakes what the client has not read: it may see fewer bytes. The server waits until the client's
    /// kernel has acknowledged the bytes.
    public static func reset(afterBodyBytes count: Int?) -> Fault { Fault(kind: .reset(count)) }
    /// The server sends so many bytes of the body and then nothing, and keeps the connection; with `nil` it sends
    /// nothing at all.
    public static func silent(afterBodyBytes count: Int?) -> Fault { Fault(kind: .silent(count)) }
    /// The server waits before it sends the answer.
    public static func late(by delay: Duration) -> Fault { Fault(kind: .late(delay)) }
    /// The server sends the status line and each header field by themselves, with this pause before each of them.
    public static func slowHead(pause: Duration) -> Fault { Fault(kind: .slowHead(pause)) }
    /// The server sends the body in pieces of so many bytes, with a pause before each of them.
    public static func slowBody(pieceBytes count: Int, pause: Duration) -> Fault {
      Fault(kind: .slowBody(max(1, count), pause))
    }
    /// The server sends these bytes in place of the answer, such as the greeting of a mail server.
    public static func bytes(_ bytes: [UInt8]) -> Fault { Fault(kind: .bytes(bytes)) }
  }
}

extension FaultAnswer {
  /// A step of the server while it answers.
  enum Step: Hashable, Sendable {
    case send([UInt8])
    case pause(Duration)
    /// Wait until the client's kernel has acknowledged all bytes.
    case drain
    /// Send nothing more until the client ends the connection.
    case waitForClient
    case reset
    case close
  }

  /// The steps of the answer.
  var steps: [Step] {
    let all = [Step.send(head + body), .close]
    return switch fault.kind {
    case .none: all
    case .close: [.close]
    case .truncated(let count): [.send(head + body.prefix(max(0, count))), .close]
    case .reset(nil): [.reset]
    case .reset(let count?): [.send(head + body.prefix(max(0, count))), .drain, .reset]
    case .silent(nil): [.waitForClient]
    case .silent(let count?): [.send(head + body.prefix(max(0, count))), .waitForClient]
    case .late(let delay): [.pause(delay)] + all
    case .slowHead(let pause): headLines.flatMap { [.pause(pause), .send($0)] } + [.send(body), .close]
    case .slowBody(let count, let pause):
      [.send(head)] + pieces(of: count).flatMap { [.pause(pause), .send($0)] } + [.close]
    case .bytes(let bytes): [.send(bytes), .close]
    }
  }

  private var head: [UInt8] { headLines.flatMap(\.self) }

  /// The status line, each header field, and the empty line.
  private var headLines: [[UInt8]] {
    let fields =
      headers + [Field(name: "Content-Length", value: "\(body.count)"), Field(name: "Connection", value: "close")]
    let lines = ["HTTP/1.1 \(status) \(Self.reason(of: status))"] + fields.map { "\($0.name): \($0.value)" } + [""]
    return lines.map { Array(($0 + "\r\n").utf8) }
  }

  private func pieces(of count: Int) -> [[UInt8]] {
    stride(from: 0, to: body.count, by: count).map { Array(body[$0..<min($0 + count, body.count)]) }
  }

  private static func reason(of status: Int) -> String {
    reasons[status] ?? "Status \(status)"
  }

  /// The reason phrases of RFC 9110 for the statuses that tests use most.
  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
    413: "Content Too Large", 418: "I'm a Teapot", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    511: "Network Authentication Required",
  ]
}
