import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// Decides about redirections and answers challenges, as the delegate of a session does.
private final class Policy: NSObject, URLSessionTaskDelegate {
  private let follow: @Sendable (URLRequest) -> URLRequest?

  init(_ follow: @escaping @Sendable (URLRequest) -> URLRequest?) { self.follow = follow }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(follow(request))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.useCredential, URLCredential(user: "user", password: "password", persistence: .none))
  }
}

@Suite("The delegate of a session", .timeLimit(.minutes(2)))
struct SessionDelegateTests {
  private let stage = Stage(.online())

  /// Sends a request with an `Authorization`, in a session with or without a delegate; returns the text and the status.
  private func get(_ url: URL, _ delegate: Policy? = nil) async throws -> (text: String, status: Int?) {
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    var request = URLRequest(url: url)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let (data, response) = try await session.data(
      for: request, requiring: .connected, options: stage.options(), clock: stage.clock)
    return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
  }

  @Test func `a session whose delegate refuses redirections gets the answer that redirects`() async throws {
    let server = try FaultServer.forRequests()
    #expect(try await get(server.url("/moved"), Policy { _ in nil }).status == 302)
    #expect(server.requestCount(to: "/head") == 0)
  }

  @Test func `a session whose delegate removes a secret sends it to no other host`() async throws {
    let server = try FaultServer.forRequests()
    let policy = Policy {
      var request = $0
      request.setValue(nil, forHTTPHeaderField: "Authorization")
      return request
    }
    let (text, status) = try await get(server.url("/moved"), policy)
    #expect(status == 200 && text.contains("host: localhost"))
    #expect(!text.contains("secret"))
  }

  @Test func `a cookie of a redirection is sent to its target`() async throws {
    let server = try FaultServer.forRequests()
    #expect(try await get(server.url("/cookie")).text.contains("cookie: name=value"))
  }

  @Test func `a challenge is answered by the delegate`() async throws {
    let server = try FaultServer.forRequests()
    let session = URLSession(configuration: .ephemeral, delegate: Policy { $0 }, delegateQueue: nil)
    let (data, _) = try await session.data(
      from: server.url("/login"), requiring: .connected, options: stage.options(), clock: stage.clock)
    #expect(data == Data("in".utf8))
  }

  @Test(arguments: [false, true])
  func `a request that was redirected is not unsent, with or without a delegate`(hasDelegate: Bool) async throws {
    let server = try FaultServer.forRequests()
    let session = URLSession(
      configuration: .ephemeral, delegate: hasDelegate ? Policy { $0 } : nil, delegateQueue: nil)
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await session.data(
        from: server.url("/away"), requiring: .connected, options: stage.options(), clock: stage.clock)
    }
    #expect(failure?.reason == .hostNotFound && failure?.isUnsent == false)
  }
}
