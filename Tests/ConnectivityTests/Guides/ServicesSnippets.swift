import ConnectivityTesting
import Glibc
import RequestsOnPath
import SystemIO
import Testing

// The types of other packages that the recipes use, reduced to the necessary members.

protocol Service: Sendable {
  func run() async throws
}

/// A graceful shutdown as swift-service-lifecycle has it: SIGTERM begins it, and no task is cancelled by itself.
final class GracefulShutdown: Sendable {
  @TaskLocal static var current: GracefulShutdown?
  private let signals = AsyncStream.makeStream(of: Never.self)
  private let hasBegun = Guarded(false)

  var isUnderWay: Bool { hasBegun.copy }

  func begin() {
    hasBegun.withLock { $0 = true }
    signals.continuation.finish()
  }

  func wait() async { for await _ in signals.stream {} }
}

/// Cancels the operation when the shutdown begins, and throws the error of the operation, as the real one does.
func cancelWhenGracefulShutdown<Value: Sendable>(
  _ operation: @Sendable @escaping () async throws -> Value
) async throws -> Value {
  let work = Task { try await operation() }
  let watch = Task {
    await GracefulShutdown.current?.wait()
    if Task.isShuttingDownGracefully { work.cancel() }
  }
  defer { watch.cancel() }
  return try await withTaskCancellationHandler {
    try await work.value
  } onCancel: {
    work.cancel()
  }
}

extension Task where Success == Never, Failure == Never {
  static var isShuttingDownGracefully: Bool { GracefulShutdown.current?.isUnderWay ?? false }
}

struct IOError: Error {
  var errnoCode: CInt
}

struct NIOConnectionError: Error {
  struct Single {
    var error: any Error
  }

  var connectionErrors: [Single]
}

struct HTTPClientError: Error, Equatable {
  private var code: Int

  static let connectTimeout = HTTPClientError(code: 1)
  static let readTimeout = HTTPClientError(code: 2)
  static let deadlineExceeded = HTTPClientError(code: 3)
  static let remoteConnectionClosed = HTTPClientError(code: 4)
}

struct HTTPClientRequest {
  var url: String
}

struct HTTPClientResponse: Sendable {
  struct Headers: Sendable {
    var fields: [String: String]
    func first(name: String) -> String? { fields[name] }
  }

  struct Status: Sendable {
    var code: UInt
  }

  var status: Status
  var headers = Headers(fields: [:])
}

struct HTTPClient: Sendable {
  var answer: @Sendable () throws -> HTTPClientResponse

  func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse { try answer() }
}

struct Request {}
struct Response: Equatable {}

protocol RequestContext {}

protocol RouterMiddleware {
  associatedtype Context
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response
}

enum HeaderName: Hashable {
  case retryAfter
}

enum Status {
  case serviceUnavailable
}

struct HTTPError: Error, Equatable {
  var status: Status
  var headers: [HeaderName: String]
  var message: String?

  init(_ status: Status, headers: [HeaderName: String] = [:], message: String? = nil) {
    (self.status, self.headers, self.message) = (status, headers, message)
  }
}

struct Abort: Error {
  var reason: String

  init(_ status: Status, headers: [String: String] = [:], reason: String) { self.reason = reason }
}

/// Work that ends by itself, or only with its task.
private enum Synchronization {
  @TaskLocal static var isEndless = false
}

private func synchronize() async throws {
  if Synchronization.isEndless { try await Task.sleep(for: .seconds(86_400)) }
}

private func receive(from server: String) async throws {}

// guide: begin
struct SyncService: Service {
  let monitor: PathMonitor

  func run() async throws {
    do {
      try await cancelWhenGracefulShutdown {
        try await monitor.whilePath(.unmetered) { try await synchronize() }
      }
    } catch is CancellationError where Task.isShuttingDownGracefully {
      print("the synchronization has ended")
    }
  }
}
// guide: end

// guide: begin
func follow(_ server: String, _ monitor: PathMonitor) async throws {
  try await monitor.whilePath(.connected, onLoss: .ignore, restartingOn: [.source, .better]) {
    try await receive(from: server)
  }
}
// guide: end

// guide: begin
func judge(_ error: any Error) -> FailureTraits {
  if let error = error as? NIOConnectionError {
    let errno = error.connectionErrors.lazy.compactMap { ($0.error as? IOError)?.errnoCode }.first
    return FailureTraits(errno: errno ?? 0, whileConnecting: true)
  }
  if let error = error as? IOError { return FailureTraits(errno: error.errnoCode) }
  switch error as? HTTPClientError {
  case .connectTimeout: return FailureTraits(.timedOut, isUnsent: true)
  case .readTimeout, .deadlineExceeded: return FailureTraits(.timedOut)
  case .remoteConnectionClosed: return FailureTraits(.transient)
  default: return FailureTraits(of: error)
  }
}
// guide: end

/// The recipe for AsyncHTTPClient.
private struct Recipe: Sendable {
  let client: HTTPClient
  let monitor: PathMonitor

  func now() -> Int64 { 1_445_412_480 }

  // guide: begin
  struct Refusal: FailureTraitsProviding {
    var status: Int
    var retryAfter: Duration?

    var failureTraits: FailureTraits {
      let kind: FailureTraits.Kind = [429, 502, 503, 504].contains(status) ? .transient : .permanent
      return FailureTraits(kind, isAnswer: true, retryAfter: retryAfter)
    }
  }

  func get(_ url: String) async throws -> HTTPClientResponse {
    var policy = RetryPolicy.idempotent
    policy.judge = judge
    policy.budget = .shared(for: "api.example.org")
    return try await retry(policy, on: monitor) { _ in
      let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
      guard response.status.code >= 400 else { return response }
      let retryAfter = response.headers.first(name: "Retry-After").flatMap { RetryAfter($0, now: now()) }
      throw Refusal(status: Int(response.status.code), retryAfter: retryAfter?.delay(from: now()))
    }
  }
  // guide: end
}

// guide: begin
struct OfflineMiddleware<Context: RequestContext>: RouterMiddleware {
  private let monitor: PathMonitor

  init(monitor: PathMonitor = .shared) {
    self.monitor = monitor
    monitor.start(queue: .global())
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard case .offline(let reason) = ConnectivityPhase(monitor.currentPath) else {
      return try await next(request, context)
    }
    throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "30"], message: "offline: \(reason.words)")
  }
}
// guide: end

// guide: begin
func unavailable(_ reason: UnsatisfiedReason) -> Abort {
  Abort(.serviceUnavailable, headers: ["Retry-After": "30"], reason: "offline: \(reason.words)")
}
// guide: end

@Suite("The guide to services")
struct ServicesTests {
  private struct Context: RequestContext {}

  private func monitor(_ path: NetworkPath) -> PathMonitor { PathMonitor(source: .scripted(PathScript(path))) }

  @Test func `a service runs while there is a path`() async throws {
    try await SyncService(monitor: monitor(.online())).run()
  }

  @Test(
    "a service ends without an error when the group shuts down: it would be one of the whole program",
    arguments: [NetworkPath.offline, .online()])
  func shutdown(_ path: NetworkPath) async throws {
    let shutdown = GracefulShutdown()
    let service = Task {
      try await GracefulShutdown.$current.withValue(shutdown) {
        try await Synchronization.$isEndless.withValue(true) { try await SyncService(monitor: monitor(path)).run() }
      }
    }
    shutdown.begin()
    try await service.value
  }

  @Test func `a service whose task is cancelled without a shutdown has not ended by itself`() async {
    let service = Task {
      try await Synchronization.$isEndless.withValue(true) { try await SyncService(monitor: monitor(.online())).run() }
    }
    service.cancel()
    await #expect(throws: CancellationError.self) { try await service.value }
  }

  @Test func `the errors of SwiftNIO have their traits`() {
    let refused = NIOConnectionError(connectionErrors: [.init(error: IOError(errnoCode: ECONNREFUSED))])
    #expect(judge(refused) == FailureTraits(.transient, isUnsent: true, isAnswer: true))
    let unreachable = IOError(errnoCode: ENETUNREACH)
    #expect(judge(unreachable) == FailureTraits(.offline), "recv(2) of a connection that dies has this errno, too")
    let unconnected = NIOConnectionError(connectionErrors: [.init(error: unreachable)])
    #expect(judge(unconnected) == FailureTraits(.offline, isUnsent: true))
    #expect(judge(NIOConnectionError(connectionErrors: [])).isUnsent)
    #expect(judge(HTTPClientError.connectTimeout) == FailureTraits(.timedOut, isUnsent: true))
    #expect(judge(HTTPClientError.readTimeout).kind == .timedOut)
    #expect(judge(HTTPClientError.remoteConnectionClosed).kind == .transient)
    #expect(judge(CancellationError()).kind == .cancelled)
  }

  @Test func `an answer that says no is an error with the time that the server asks for`() async throws {
    let headers = HTTPClientResponse.Headers(fields: ["Retry-After": "500"])
    let busy = Recipe(
      client: HTTPClient { HTTPClientResponse(status: .init(code: 503), headers: headers) }, monitor: monitor(.online())
    )
    let error = await #expect(throws: Recipe.Refusal.self) { try await busy.get("http://api.example.org/") }
    #expect(error?.retryAfter == .seconds(500))
    let fine = Recipe(client: HTTPClient { HTTPClientResponse(status: .init(code: 200)) }, monitor: monitor(.online()))
    #expect(try await fine.get("http://api.example.org/").status.code == 200)
  }

  @Test func `a server that is offline answers 503`() async throws {
    let script = PathScript(.online())
    let middleware = OfflineMiddleware<Context>(monitor: PathMonitor(source: .scripted(script)))
    // Nobody else follows the monitor, and each of the script has the path when this returns.
    script.send(.offline(because: .noCarrier))
    let message = "offline: \(UnsatisfiedReason.noCarrier.words)"
    await #expect(throws: HTTPError(.serviceUnavailable, headers: [.retryAfter: "30"], message: message)) {
      try await middleware.handle(Request(), context: Context()) { _, _ in Response() }
    }
    script.send(.online())
    let response = try await middleware.handle(Request(), context: Context()) { _, _ in Response() }
    #expect(response == Response())
    #expect(unavailable(.noRoute).reason == "offline: \(UnsatisfiedReason.noRoute.words)")
  }
}
