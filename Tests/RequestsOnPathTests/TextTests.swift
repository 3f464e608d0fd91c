import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

@Suite("Texts about failures")
struct TextTests {
  private static let url = URL(string: "http://www.example.org/a")
  private static let reasons: [RequestFailure.Reason] = [
    .offline, .requirementNotMet(.unmetered), .requirementNotMet(.wifi), .connectionLost, .timedOut(.request),
    .timedOut(.resource), .hostNotFound, .cannotConnect, .insecure, .authenticationRequired, .invalidRequest,
    .invalidResponse, .unusableFile, .cancelled, .other, .captivePortal(nil), .circuitOpen(for: .seconds(5)),
  ]

  @Test("each reason has a sentence of its own, without the words of the error below", arguments: reasons)
  func sentence(_ reason: RequestFailure.Reason) throws {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "libcurl said so"])
    let failure = RequestFailure(reason, url: Self.url, path: .online(over: .cellular), underlying: error)
    let sentences = [failure.localizedDescription, failure.failureReason, failure.recoverySuggestion].compactMap(\.self)
    for sentence in sentences {
      #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."))
      for word in ["libcurl", "URLError", "NSURL", "Error Domain"] { #expect(!sentence.contains(word)) }
    }
    #expect(failure.description.contains("libcurl said so"), "whoever reads logs wants to know")
    #expect(failure.description.contains("-1") && failure.description.contains("path: connected"))
    let others = Self.reasons.filter { $0 != reason }.map {
      RequestFailure($0, url: Self.url, path: .online(over: .cellular)).localizedDescription
    }
    #expect(!others.contains(failure.localizedDescription))
  }

  @Test func `the sentence names the host`() {
    #expect(
      RequestFailure(.hostNotFound, url: Self.url).localizedDescription
        == "The server \"www.example.org\" was not found.")
    #expect(RequestFailure(.hostNotFound).localizedDescription == "The server was not found.")
  }

  @Test func `a failure without a path has its reason`() {
    let failure = RequestFailure(.offline, path: .offline(because: .noCarrier))
    #expect(failure.failureReason?.contains("no carrier") == true)
    #expect(RequestFailure(.offline).failureReason == nil)
  }

  @Test func `the failure of a URL with an IPv6 address names that as the reason`() throws {
    let url = try #require(URL(string: "http://[2001:db8::1]/"))
    let failure = RequestFailure(judging: URLError(.badURL), url: url, path: .online())
    #expect(failure.failureReason?.contains("IPv6") == true)
    #expect(RequestFailure(judging: URLError(.badURL), url: Self.url, path: .online()).failureReason == nil)
  }
}
