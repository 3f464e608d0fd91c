import ConnectivityTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("The fault server, seen by URLSession")
struct FaultServerSessionTests {
  private struct Item: Decodable {
    var name: String
    var count: Int
  }

  private let session = URLSession(configuration: .ephemeral)

  private func get(_ url: URL, timeout: TimeInterval? = nil) async throws -> (text: String, response: HTTPURLResponse) {
    let configuration = URLSessionConfiguration.ephemeral
    if let timeout { configuration.timeoutIntervalForRequest = timeout }
    let (data, response) = try await URLSession(configuration: configuration).data(from: url)
    return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
  }

  private func code(_ url: URL, timeout: TimeInterval? = nil) async -> URLError.Code? {
    do {
      let (text, response) = try await get(url, timeout: timeout)
      Issue.record("it did not fail: \(response.statusCode) \(text)")
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }

  @Test(arguments: ["/ok", "/late", "/slow-head", "/slow-body"])
  func `an answer arrives, also a slow one`(path: String) async throws {
    let server = try FaultServer()
    let (text, response) = try await get(server.url(path))
    #expect(text == (path == "/slow-body" ? "slow body" : "ok"))
    #expect(response.statusCode == 200)
  }

  @Test(arguments: [400, 401, 404, 429, 500, 503])
  func `a status is no error`(status: Int) async throws {
    let server = try FaultServer()
    #expect(try await get(server.url("/status/\(status)")).response.statusCode == status)
  }

  @Test func `Retry-After arrives as it was given`() async throws {
    let server = try FaultServer()
    let date = "Wed, 21 Oct 2015 07:28:00 GMT"
    let response = try await get(server.url("/retry-after/\(date)")).response
    #expect(response.value(forHTTPHeaderField: "Retry-After") == date)
  }

  @Test func `an upload arrives`() async throws {
    let server = try FaultServer()
    var request = URLRequest(url: server.url("/echo"))
    request.httpMethod = "PUT"
    let body = Data(repeating: 7, count: 2_000_000)
    let (data, _) = try await session.upload(for: request, from: body)
    #expect(data == body)
    #expect(server.requests.first?.body.count == body.count)
  }

  /// The codes that Foundation of Swift 6.3 gives on Linux.
  @Test(arguments: [
    ("/reset", URLError.networkConnectionLost), ("/reset-body", .networkConnectionLost),
    ("/empty", .badServerResponse), ("/truncated", .unknown), ("/garbage", .unsupportedURL),
    ("/loop", .httpTooManyRedirects),
  ])
  func `a fault of the connection is an error`(path: String, expected: URLError.Code) async throws {
    let server = try FaultServer()
    #expect(await code(server.url(path)) == expected)
  }

  @Test(arguments: ["/silent", "/silent-body"])
  func `silence ends with the client's patience`(path: String) async throws {
    let server = try FaultServer()
    #expect(await code(server.url(path), timeout: 1) == .timedOut)
    #expect(await server.waitForAbandoned(1, of: path))
  }

  @Test func `a refusing port is an error, and so is a silent one`() async throws {
    let (refusing, silent) = (try FaultPort.refusing(), try FaultPort.silent())
    let urls = try [refusing, silent].map { try #require(URL(string: "http://127.0.0.1:\($0.port)/")) }
    #expect(await code(urls[0]) == .cannotConnectToHost)
    #expect(await code(urls[1], timeout: 1) == .timedOut)
  }

  @Test func `a captive portal redirects to another host and answers with a page`() async throws {
    let server = try FaultServer()
    let (text, response) = try await get(server.url("/captive"))
    #expect(response.url?.host == "localhost")
    #expect(response.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("text/html") == true)
    #expect(text.contains("Sign in"))
    #expect(try await get(server.url("/portal")).response.statusCode == 200)
  }

  @Test func `broken JSON and JSON that lacks a member are decoding errors`() async throws {
    let server = try FaultServer()
    func decode(_ path: String) async throws -> Item {
      try JSONDecoder().decode(Item.self, from: Data(try await get(server.url(path)).text.utf8))
    }
    #expect(try await decode("/json").count == 1)
    let broken = await #expect(throws: DecodingError.self) { _ = try await decode("/broken-json") }
    let missing = await #expect(throws: DecodingError.self) { _ = try await decode("/missing-member") }
    guard case .dataCorrupted = broken, case .keyNotFound(let key, _) = missing else {
      Issue.record("they are \(String(describing: broken)) and \(String(describing: missing))")
      return
    }
    #expect(key.stringValue == "count")
  }

  @Test func `two failures are followed by a success, for each query by itself`() async throws {
    let server = try FaultServer()
    var statuses: [Int] = []
    for name in ["one", "one", "other", "one", "one"] {
      statuses.append(try await get(server.url("/recovers", query: ["name": name])).response.statusCode)
    }
    #expect(statuses == [503, 503, 503, 200, 503])
    #expect(server.requestCount(to: "/recovers") == 5)
  }

  @Test func `the values of a query arrive as they were given`() async throws {
    let server = try FaultServer()
    _ = try await get(server.url("/ok", query: ["userName": "a b+&c=ä%41"]))
    #expect(server.requests.first?.query == ["userName": "a b+&c=ä%41"])
  }
}
