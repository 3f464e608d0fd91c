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
    .invalidResponse, .unusableFile, .cancelled, .other, .captivePortal(nil),
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

  @Test("a sentence about the path ends with one mark", arguments: UnsatisfiedReason.all)
  func mark(_ reason: UnsatisfiedReason) throws {
    let sentence = try #require(RequestFailure(.offline, path: .offline(because: reason)).failureReason)
    #expect(sentence.hasSuffix("."))
    #expect(sentence.dropLast().last?.isLetter == true)
  }

  @Test func `a reason reads as words in a log`() throws {
    #expect("\(RequestFailure.Reason.timedOut(.resource))" == "resource timed out")
    #expect("\(RequestFailure.Reason.requirementNotMet(.unmetered && !.vpn))" == "the path is not 'unmetered,not-vpn'")
    let page = try #require(URL(string: "http://portal.example/"))
    #expect("\(RequestFailure.Reason.captivePortal(page))" == "captive portal at http://portal.example/")
    #expect("\(AnswerFailure.Reason.tooManyRequests)" == "too many requests")
  }

  @Test(
    "a path that lacks what is required is called by what it lacks",
    arguments: [
      ("unmetered", NetworkPath.online(isExpensive: true), "The present network connection is metered."),
      ("ethernet,unmetered", .online(isExpensive: true), "The present network connection is metered."),
      ("unconstrained", .online(isConstrained: true), "The present network connection is to be used sparingly."),
      (
        "wifi,unmetered", .online(isExpensive: true),
        "The present network connection is not of the kind that this needs."
      ),
    ])
  func lack(_ requirement: String, _ path: NetworkPath, _ sentence: String) throws {
    let reason = RequestFailure.Reason.requirementNotMet(try PathRequirement(requirement))
    #expect(RequestFailure(reason, path: path).localizedDescription == sentence)
  }

  @Test(
    "the advice to try again has whole seconds, and waits no shorter than the server asks",
    arguments: [
      (Duration.zero, "Try again."), (.milliseconds(300), "Try again in 1 second."),
      (.seconds(1), "Try again in 1 second."), (.milliseconds(1_001), "Try again in 2 seconds."),
      (.seconds(17), "Try again in 17 seconds."),
      (.seconds(Int64.max) + .milliseconds(1), "Try again in 1000000000 seconds."),
    ])
  func advice(_ time: Duration, _ sentence: String) {
    #expect(AnswerFailure(.serverError, status: 503, retryAfter: time).recoverySuggestion == sentence)
  }

  @Test func `the text for logs has the words of an error that is none of Foundation's`() throws {
    let late = RequestFailure(RetryInterruption(.timedOut)).description
    #expect(late == "resource timed out (all attempts together took too long); path: \(NetworkPath.unknown)")
    let cancelled = RequestFailure(judging: CancellationError()).description
    #expect(cancelled == "cancelled (CancellationError()); path: \(NetworkPath.unknown)")
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([Int].self, from: Data("[true]".utf8))
    }
    let undecodable = AnswerFailure(.undecodable, status: 200, underlying: error)
    #expect(undecodable.description.contains("(the value is not of type Int at [0])"))
    struct Odd: Error, CustomStringConvertible { var description: String { "two\nlines" } }
    #expect(RequestFailure(.other, underlying: Odd()).description.contains(#"(two\nlines)"#))
    #expect(RequestFailure(judging: POSIXError(.EPIPE)).description.contains("(NSPOSIXErrorDomain 32: "))
  }

  /// Code for Apple's platforms that has to compile with a warning, so nobody calls it.
  @available(*, deprecated)
  private func configuration(waiting: Bool) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = waiting
    return configuration
  }

  @Test func `the failure of a URL with an IPv6 address names that as the reason`() throws {
    let url = try #require(URL(string: "http://[2001:db8::1]/"))
    let failure = RequestFailure(judging: URLError(.badURL), url: url, path: .online())
    #expect(failure.failureReason?.contains("IPv6") == true)
    #expect(RequestFailure(judging: URLError(.badURL), url: Self.url, path: .online()).failureReason == nil)
  }
}
