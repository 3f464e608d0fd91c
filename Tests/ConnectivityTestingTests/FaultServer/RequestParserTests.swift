import Testing

@testable import ConnectivityTesting

@Suite("Reading requests")
struct RequestParserTests {
  private let text = "POST /a%20b?x=1&y=%41+z&flag HTTP/1.1\r\nHost: localhost\r\nCONTENT-length:  3\r\n\r\nabc"

  private func step(_ text: String) -> RequestParser.Step {
    var parser = RequestParser()
    return parser.add(Array(text.utf8))
  }

  @Test func `a request has its parts`() {
    guard case .complete(let request) = step(text) else {
      Issue.record("the request is not complete")
      return
    }
    #expect(request.method == "POST")
    #expect(request.path == "/a b")
    #expect(request.query == ["x": "1", "y": "A z", "flag": ""])
    #expect(request.headers == ["host": "localhost", "content-length": "3"])
    #expect(request.body == Array("abc".utf8))
  }

  @Test func `a request is the same wherever it is divided`() {
    let bytes = Array(text.utf8)
    for place in bytes.indices.dropFirst() {
      var parser = RequestParser()
      #expect(parser.add(bytes[..<place]) == .receive)
      #expect(parser.add(bytes[place...]) == step(text))
    }
  }

  @Test func `a client that expects to be invited is invited once`() {
    var parser = RequestParser()
    let head = "PUT / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
    #expect(parser.add(Array(head.utf8)) == .invite)
    #expect(parser.add(Array("a".utf8)) == .receive)
    guard case .complete(let request) = parser.add(Array("b".utf8)) else {
      Issue.record("the request is not complete")
      return
    }
    #expect(request.body == Array("ab".utf8))
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400), ("GET  HTTP/1.1\r\n\r\n", 400), ("\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    ("GET / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: RequestParser.longestHead), 431),
  ])
  func `a request that cannot be read is refused`(text: String, status: Int) {
    #expect(step(text) == .refuse(status: status))
  }

  @Test(arguments: ["%", "%4", "%zz", "%4z", "a%"])
  func `a percent sign without two digits stays`(text: String) {
    #expect(FaultRequest("/" + text).path == "/" + text)
  }
}
