import FoundationEssentials
import Testing

@testable import offline_page

@Suite("Site")
struct SiteTests {
  private let site = Site(content: nil)

  private func status(_ answer: Site.Answer) -> UInt32 {
    if case .refused(let status, _) = answer { status } else { 200 }
  }

  private func page(_ site: Site) -> String {
    guard case .document(let page) = site.answer(method: "GET", target: "/", host: "localhost") else { return "" }
    return String(decoding: page.bytes, as: UTF8.self)
  }

  private func policy(_ site: Site) -> String {
    site.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
  }

  @Test(
    "only this machine's own names are answered",
    arguments: [
      ("localhost", 200), ("LocalHost:8080", 200), ("127.0.0.1", 200), ("127.0.0.1:1", 200), ("[::1]:8080", 200),
      ("[::1]", 200), (nil, 421), ("", 421), ("evil.example", 421), ("localhost.evil.example", 421),
      ("localhost:80.evil.example", 421), ("127.0.0.1.evil.example:8080", 421), ("evil.example:8080", 421),
      ("[::2]:8080", 421), ("10.0.0.1", 421), ("localhost@evil.example", 421),
    ] as [(String?, UInt32)])
  func hosts(host: String?, expected: UInt32) {
    for target in ["/", "/events", "/path", "/page.js"] {
      #expect(status(site.answer(method: "GET", target: target, host: host)) == expected)
    }
  }

  @Test func `what is not there is not found, and only reading is allowed`() {
    #expect(status(site.answer(method: "GET", target: "/../etc/passwd", host: "localhost")) == 404)
    #expect(status(site.answer(method: "POST", target: "/nothing", host: "localhost")) == 404)
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "get", ""] {
      #expect(status(site.answer(method: method, target: "/path", host: "localhost")) == 405)
    }
    #expect(site.answer(method: "HEAD", target: "/events", host: "localhost") == .events)
    #expect(site.answer(method: "GET", target: "/path", host: "localhost") == .report)
  }

  @Test func `a choice is for the page of this server alone`() {
    func answer(_ host: String?, _ origin: String?, _ target: String = "/choice/p/o") -> Site.Answer {
      site.answer(method: "POST", target: target, host: host, origin: origin)
    }
    for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"] {
      #expect(answer(host, "http://\(host)") == .choice(option: "o", problem: "p"))
    }
    for origin in [
      nil, "", "null", "http://localhost", "http://localhost:80", "https://localhost:8080", "http://127.0.0.1:8080",
      "http://evil.example", "http://localhost:8080.evil.example",
    ] {
      #expect(status(answer("localhost:8080", origin)) == 403)
    }
    #expect(status(answer("evil.example", "http://evil.example")) == 421)
    for target in ["/choice", "/choice/p", "/choice/p/o/x", "/choices/p/o"] {
      #expect(status(answer("localhost", "http://localhost", target)) == 404)
    }
    #expect(status(site.answer(method: "GET", target: "/choice/p/o", host: "localhost")) == 404)
  }

  @Test func `the page loads nothing from elsewhere`() {
    #expect(page(site).contains(#"<body data-content="">"#))
    #expect(!page(site).contains("http"))
    #expect(policy(site).hasPrefix("default-src 'none'; script-src 'self';"))
    #expect(policy(site).contains("frame-src 'none';"))
  }

  @Test func `where there is content its frame may show it, and where it leads`() throws {
    let content = try #require(URL(string: "https://[2001:db8::1]:444/board?a=1&b=2"))
    #expect(policy(Site(content: content)).contains("frame-src http: https:;"))
    #expect(page(Site(content: content)).contains(#"data-content="https://[2001:db8::1]:444/board?a=1&amp;b=2""#))
  }

  @Test func `an address cannot break out of its attribute`() throws {
    let content = try #require(URL(string: "http://example.org/%22%3E%3Cscript%3E?\"><script>"))
    #expect(!page(Site(content: content)).contains("<script>"))
  }
}
