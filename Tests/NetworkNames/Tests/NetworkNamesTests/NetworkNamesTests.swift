import App
import AppInSwift5
import Foundation
import Network
import Testing

@Suite("Code for Apple's Network framework")
struct NetworkNamesTests {
  @Test func `a path comes to code that says import Network`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let paths = AsyncStream.makeStream(of: String.self)
      let watch = App.PathWatch()
      watch.start { status, gateways in paths.continuation.yield("\(status) \(gateways)") }
      var iterator = paths.stream.makeAsyncIterator()
      let line = await iterator.next()
      precondition(line == #"satisfied ["192.0.2.1:0"]"#, "\(line as Any)")
      watch.stop()
    }
  }

  @Test func `both modes of the language have the same ends of connections`() throws {
    let url = try #require(URL(string: "wss://example.org/chat"))
    for end in [NWEndpoint.url(url), .unix(path: "/run/x"), .hostPort(host: "::1", port: .https)] {
      #expect(App.PathWatch.spelling(of: end) == AppInSwift5.PathWatch.spelling(of: end))
    }
    #expect(App.PathWatch.spelling(of: .url(url)) == "wss://example.org/chat")
  }
}
