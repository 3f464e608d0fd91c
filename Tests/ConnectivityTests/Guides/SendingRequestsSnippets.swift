import Connectivity
import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// The snippets of "Requests on a path", with the declarations that they use.
private struct SendingRequests: Sendable {
  let request: URLRequest
  let url: URL
  let options: RequestOptions
  let spoken = SpokenLines()

  init(_ url: URL, _ options: RequestOptions = RequestOptions()) {
    self.url = url
    self.options = options
    request = URLRequest(url: url)
  }

  func print(_ item: Any) { spoken.say(item) }

  func get() async throws -> (Data, URLResponse) {
    // guide: begin
    let (data, response) = try await URLSession.shared.data(for: request, requiring: .unmetered)
    // guide: end
    return (data, response)
  }

  func show(_ data: Data, _ response: URLResponse) { print(data.count) }
  func show(_ text: String) { print(text) }
  func showOfflinePage() { print("offline page") }

  func open() async {
    // guide: begin
    do {
      let (data, response) = try await URLSession.shared.data(for: request, requiring: .connected)
      show(data, response)
    } catch {
      switch error.reason {
      case .offline, .connectionLost: showOfflinePage()
      case .cancelled: break
      default: show(error.localizedDescription)
      }
    }
    // guide: end
  }

  func wait() async throws -> Data {
    // guide: begin
    let (data, _) = try await URLSession.shared.data(from: url, requiring: .connected) { path in
      print("waiting: \(path.unsatisfiedReason?.words ?? "")")
    }
    // guide: end
    return data
  }

  func download() async throws -> URL {
    // guide: begin
    let options = RequestOptions(whenUnmet: .refuse, timeout: .seconds(30), requiresThroughout: true)
    let (file, _) = try await URLSession.shared.download(from: url, requiring: .unmetered, options: options)
    // guide: end
    return file
  }

  func judge(_ response: URLResponse) throws {
    // guide: begin
    if let failure = AnswerFailure(judging: response) { throw failure }
    // guide: end
  }

  static func closedNetwork() -> RequestOptions {
    // guide: begin
    let monitor = PathMonitor(probes: [IPAddress("10.0.0.5")].compactMap(\.self))
    let options = RequestOptions(monitor: monitor)
    // guide: end
    return options
  }

  // guide: begin
  func load() async -> String {
    do {
      let (data, _) = try await URLSession.shared.data(for: request, requiring: .connected, options: options)
      return String(decoding: data, as: UTF8.self)
    } catch {
      switch error.reason {
      case .offline, .connectionLost: return "offline page"
      case .cancelled: return ""
      default: return error.localizedDescription
      }
    }
  }
  // guide: end

  func downloadAgain() async throws -> URL {
    // guide: begin
    var policy = RetryPolicy.idempotent
    policy.timeout = .seconds(3_600)
    policy.reconnection.requirement = .unmetered
    policy.onEvent = { event in
      if case .pausing(let pause) = event { print("trying again in \(pause)") }
    }
    let file = try await retry(policy, on: .shared) { path in
      print("waiting: \(path.unsatisfiedReason?.words ?? "")")
    } operation: { _ in
      let (file, response) = try await URLSession.shared.download(from: url, requiring: .unmetered, options: options)
      if let failure = AnswerFailure(judging: response) { throw failure }
      return file
    }
    // guide: end
    return file
  }
}

@Suite("The guide to requests on a path")
struct SendingRequestsTests {
  /// No server listens there.
  private static let url = "http://127.0.0.1:9/"

  private func guide(_ path: NetworkPath, _ whenUnmet: RequestOptions.UnmetReaction = .refuse) throws -> SendingRequests
  {
    let monitor = PathMonitor(source: .scripted(PathScript(path)))
    return SendingRequests(
      try #require(URL(string: Self.url)), RequestOptions(whenUnmet: whenUnmet, monitor: monitor))
  }

  @Test func `a page is the offline page without a path, and shows the error with one`() async throws {
    #expect(try await guide(.offline).load() == "offline page")
    #expect(try await guide(.online()).load() == "The server \"127.0.0.1\" cannot be reached.")
  }

  @Test func `a request that is cancelled while it waits says nothing`() async throws {
    let guide = try guide(.offline, .wait)
    let loading = Task { await guide.load() }
    loading.cancel()
    #expect(await loading.value.isEmpty)
  }

  @Test func `a download that is to be repeated ends when it is cancelled, also before it has begun`() async throws {
    let guide = try guide(.offline, .wait)
    let loading = Task { try await guide.downloadAgain() }
    loading.cancel()
    await #expect(throws: (any Error).self) { try await loading.value }
  }

  @Test func `without a listener the other snippets fail as any request does`() async throws {
    let guide = try guide(.online())
    await #expect(throws: RequestFailure.self) { _ = try await guide.get() }
    await #expect(throws: RequestFailure.self) { _ = try await guide.wait() }
    await #expect(throws: RequestFailure.self) { _ = try await guide.download() }
    await guide.open()
    #expect(await guide.spoken.next() == "The server \"127.0.0.1\" cannot be reached.")
    #expect(SendingRequests.closedNetwork().monitor != nil)
  }
}
