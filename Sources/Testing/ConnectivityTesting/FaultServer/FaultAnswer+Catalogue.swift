extension FaultAnswer {
  /// The answers of a ``FaultServer`` that was given no others: each fault has a path.
  ///
  /// | path | answer |
  /// |---|---|
  /// | `/ok` | 200 and `ok` |
  /// | `/echo` | 200 and the body of the request |
  /// | `/status/N` | status N |
  /// | `/retry-after/VALUE` | 503 with `Retry-After: VALUE`: seconds, or a date with its spaces as `%20` |
  /// | `/recovers` | two times 503 with `Retry-After: 1`, then 200, and so on |
  /// | `/json` | `{"name":"value","count":1}` |
  /// | `/broken-json` | JSON that ends in the middle |
  /// | `/missing-member` | JSON without `count` |
  /// | `/reset`, `/reset-body` | a reset before the head, and one within the body |
  /// | `/empty` | the connection is closed without a byte |
  /// | `/truncated` | the connection is closed within the body |
  /// | `/late` | an answer after 300 ms |
  /// | `/slow-head`, `/slow-body` | 100 ms before each line of the head, and before each two bytes of the body |
  /// | `/silent`, `/silent-body` | nothing comes, or nothing more after three bytes of the body |
  /// | `/garbage` | the greeting of a mail server |
  /// | `/loop` | a redirection to itself |
  /// | `/captive` | a redirection to `/portal` below another name of the same host |
  /// | `/portal` | a sign-in page with status 200 |
  /// | any other | 404 |
  public static func catalogue(_ request: FaultRequest) -> FaultAnswer {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let value = parts.dropFirst().joined(separator: "/")
    switch parts.first {
    case "status": return FaultAnswer(Int(value).flatMap { (200...599).contains($0) ? $0 : nil } ?? 404)
    case "retry-after" where !value.contains { $0.isNewline }:
      return FaultAnswer(503, headers: [("Retry-After", value)])
    default: return simple[request.path]?(request) ?? FaultAnswer(404, body: "there is nothing at this path")
    }
  }

  private static let ok = FaultAnswer(body: "ok")

  private static let simple: [String: @Sendable (FaultRequest) -> FaultAnswer] = [
    "/ok": { _ in ok },
    "/echo": { FaultAnswer(200, bytes: $0.body) },
    "/recovers": { $0.number % 3 == 0 ? ok : FaultAnswer(503, headers: [("Retry-After", "1")]) },
    "/json": { _ in json(#"{"name":"value","count":1}"#) },
    "/broken-json": { _ in json(#"{"name":"value","cou"#) },
    "/missing-member": { _ in json(#"{"name":"value"}"#) },
    "/reset": { _ in ok.with(.reset(afterBodyBytes: nil)) },
    "/reset-body": { _ in FaultAnswer(body: "a body that is not sent to its end").with(.reset(afterBodyBytes: 3)) },
    "/empty": { _ in ok.with(.close) },
    "/truncated": { _ in FaultAnswer(body: "a body that is not sent to its end").with(.truncated(afterBodyBytes: 3)) },
    "/late": { _ in ok.with(.late(by: .milliseconds(300))) },
    "/slow-head": { _ in ok.with(.slowHead(pause: .milliseconds(100))) },
    "/slow-body": { _ in FaultAnswer(body: "slow body").with(.slowBody(pieceBytes: 2, pause: .milliseconds(100))) },
    "/silent": { _ in ok.with(.silent(afterBodyBytes: nil)) },
    "/silent-body": { _ in FaultAnswer(body: "a body that is not sent to its end").with(.silent(afterBodyBytes: 3)) },
    "/garbage": { _ in ok.with(.bytes(Array("220 mail.example.org ready\r\n".utf8))) },
    "/loop": { _ in redirect(to: "/loop") },
    "/captive": { redirect(to: portal(besides: $0.headers["host"] ?? "")) },
    "/portal": { _ in portalPage },
  ]

  /// The address of the portal, below a host name that differs from the one that was asked.
  private static func portal(besides host: String) -> String {
    let (name, port) = host.lastIndex(of: ":").map { (host[..<$0], host[$0...]) } ?? (host[...], "")
    return "http://\(name == "localhost" ? "127.0.0.1" : "localhost")\(port)/portal"
  }
}
