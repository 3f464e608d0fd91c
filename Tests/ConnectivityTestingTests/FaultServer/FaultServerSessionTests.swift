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

  private func get(_ url: URL) async throws -> (text: String, response: HTTPURLResponse) {
    let (data, response) = try await URLSession(configuration: .ephemeral).data(from: url)
    return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
  }

  private func code(_ url: URL) async -> URLError.Code? {
    do {
      let (text, response) = try await get(url)
      Issue.record("it did not fail: \(response.statusCode) \(text)")
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }

  @Test func `Retry-After arrives as it was given`() async throws {
    let server = try FaultServer()
    let date = "Wed, 21 Oct 2015 07:28:00 GMT"
    let response = try await get(server.url("/retry-after/\(date)")).response
    #expect(response.value(forHTTPHeaderField: "Retry-After") == date)
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

  @Test func `the values of a query arrive as they were given`() async throws {
    let server = try FaultServer()
    _ = try await get(server.url("/ok", query: ["userName": "a b+&c=ä%41"]))
    #expect(server.requests.first?.query == ["userName": "a b+&c=ä%41"])
  }
}
