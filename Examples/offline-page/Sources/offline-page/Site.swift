import FoundationEssentials

/// The documents of the site, and the rules of access to them. The type is pure: a request goes in, an answer comes
/// out.
struct Site: Sendable {
  enum Answer: Equatable, Sendable {
    case document(Document)
    /// The events of the path, without an end.
    case events
    /// The newest report.
    case report
    /// The user of a page has chosen an option of a problem.
    case choice(option: String, problem: String)
    /// An HTTP status and the reason.
    case refused(UInt32, String)
  }

  struct Document: Equatable, Sendable {
    var type: String
    var bytes: [UInt8]
  }

  private let page, style, script: Document

  /// The sources that the page may show in its frame: none, or any site, because the content can lead anywhere.
  private let frameSources: String

  init(content: URL?) {
    let address = content?.absoluteString ?? ""
    let html = String(decoding: PackageResources.page_html, as: UTF8.self)
      .replacing("{{content}}", with: address.escapedForAttribute)
    page = Document(type: "text/html; charset=utf-8", bytes: Array(html.utf8))
    style = Document(type: "text/css; charset=utf-8", bytes: PackageResources.page_css)
    script = Document(type: "text/javascript; charset=utf-8", bytes: PackageResources.page_js)
    frameSources = content == nil ? "'none'" : "http: https:"
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - method: The HTTP method, such as `GET`.
  ///   - target: The path of the address.
  ///   - host: The header `Host`, if there was one.
  ///   - origin: The header `Origin`, which browsers send with each choice.
  func answer(method: String, target: String, host: String?, origin: String? = nil) -> Answer {
    guard let host, Self.isOurs(host) else {
      return .refused(421, "This server is for localhost alone.\n")
    }
    let parts = target.split(separator: "/", omittingEmptySubsequences: false)
    if method == "POST", parts.count == 4, parts[1] == "choice" {
      // A page of another site may not press the buttons of this one.
      guard origin?.lowercased() == "http://\(host.lowercased())" else {
        return .refused(403, "Only the page of this server can choose.\n")
      }
      return .choice(option: String(parts[3]), problem: String(parts[2]))
    }
    let answer: Answer
    switch target {
    case "/": answer = .document(page)
    case "/page.css": answer = .document(style)
    case "/page.js": answer = .document(script)
    case "/events": answer = .events
    case "/path": answer = .report
    default: return .refused(404, "There is /, /events and /path.\n")
    }
    return ["GET", "HEAD"].contains(method) ? answer : .refused(405, "Only GET and HEAD are allowed.\n")
  }

  /// Whether the host that a browser names is this machine. A foreign site can give its own name our address, and would
  /// then get access as if it were this one (DNS rebinding).
  private static func isOurs(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { name in
      guard host.lowercased().hasPrefix(name) else { return false }
      let port = host.dropFirst(name.count)
      return port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }
  }

  /// The headers of every answer: no other site may frame the page, it loads nothing from elsewhere except its content,
  /// and it is not cached.
  var headers: [(name: String, value: String)] {
    [
      (
        "Content-Security-Policy",
        """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
        frame-src \(frameSources); frame-ancestors 'none'; base-uri 'none'; form-action 'none'
        """
      ),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
  }
}

extension String {
  fileprivate var escapedForAttribute: String {
    replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }
}
