import ConnectivityTesting
import Foundation
import ProcessTestSupport

extension FaultServer {
  /// A server for the tests of requests: it has the paths of the catalogue and those of `FaultAnswer.forRequests(_:)`.
  ///
  /// - Parameters:
  ///   - address: An IPv4 address.
  ///   - namespace: The network namespace of the address; `nil` for that of the tests.
  static func forRequests(at address: String = "127.0.0.1", namespace: String? = nil) throws -> FaultServer {
    guard let namespace else { return try FaultServer(at: address, answer: { .forRequests($0) }) }
    // Only the socket belongs to the namespace. The thread of the server is begun outside: a task that it wakes may
    // make Dispatch add a thread, which lives where its creator does.
    let listener = try NetworkNamespace.inside(namespace) { try FaultServer.Listener(at: address) }
    return try FaultServer(on: listener, answer: { .forRequests($0) })
  }

  /// The URL of an answer with these parts.
  ///
  /// - Parameters:
  ///   - path: `/answer`; `/third`, which the first two requests of each three do not get; `/elsewhere`, from which the
  ///     server redirects to another name of its host.
  ///   - retryAfter: The value of `Retry-After`. The answer is then dated 21 October 2015, 07:28:00.
  func url(
    _ path: String = "/answer", status: Int = 200, type: String = "application/json", retryAfter: String = "",
    body: String
  ) -> URL {
    url(path, query: ["status": "\(status)", "type": type, "after": retryAfter, "body": body])
  }
}

extension FaultAnswer {
  /// The answers beside those of the catalogue.
  fileprivate static func forRequests(_ request: FaultRequest) -> FaultAnswer {
    switch request.path {
    case "/answer": answer(request)
    case "/third":
      request.number % 3 == 0
        ? answer(request)
        : FaultAnswer(503, headers: [("Content-Type", "text/plain"), ("Retry-After", "17")], body: "later")
    case "/elsewhere":
      redirect(
        to: otherHost(request) + "/answer" + (request.target.firstIndex(of: "?").map { request.target[$0...] } ?? ""))
    case "/moved": redirect(to: otherHost(request) + "/head")
    case "/away": redirect(to: "http://nowhere.invalid/")
    case "/cookie": FaultAnswer(302, headers: [("Location", "/head"), ("Set-Cookie", "name=value")])
    case "/head": FaultAnswer(body: request.headers.map { "\($0.key): \($0.value)\n" }.joined())
    case "/login" where request.headers["authorization"]?.hasPrefix("Basic ") == true: FaultAnswer(body: "in")
    case "/login": FaultAnswer(401, headers: [("WWW-Authenticate", "Basic realm=x")], body: "who")
    case "/missing": FaultAnswer(404, body: "none")
    case "/who": FaultAnswer(401, body: "who")
    case "/half": long.with(.silent(afterBodyBytes: 4))
    case "/drip": long.with(.slowBody(pieceBytes: 1, pause: .milliseconds(50)))
    case "/resets": long.with(.reset(afterBodyBytes: 3))
    case "/chunks":
      FaultAnswer().with(.bytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8)))
    case "/gzip": FaultAnswer(headers: [("Content-Encoding", "gzip")], body: "no gzip")
    default: catalogue(request)
    }
  }

  private static let long = FaultAnswer(body: String(repeating: "x", count: 1_000))

  /// The answer that a URL asks for.
  private static func answer(_ request: FaultRequest) -> FaultAnswer {
    let (type, after) = (request.query["type"] ?? "", request.query["after"] ?? "")
    var headers: [(String, String)] = type.isEmpty ? [] : [("Content-Type", type)]
    if !after.isEmpty { headers += [("Retry-After", after), ("Date", "Wed, 21 Oct 2015 07:28:00 GMT")] }
    return FaultAnswer(
      request.query["status"].flatMap { Int($0) } ?? 500, headers: headers, body: request.query["body"] ?? "")
  }

  /// The URL of the server with another name of its host.
  private static func otherHost(_ request: FaultRequest) -> String {
    let port = request.headers["host"]?.split(separator: ":").last ?? ""
    return "http://localhost:\(port)"
  }
}
