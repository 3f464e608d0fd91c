import SystemIO

// The types of other packages that "Services" uses, reduced to the members that it does.

protocol Service: Sendable {
  func run() async throws
}

/// A graceful shutdown as swift-service-lifecycle has it: SIGTERM begins it, and no task is cancelled by itself.
final class GracefulShutdown: Sendable {
  @TaskLocal static var current: GracefulShutdown?
  private let state = Guarded((isUnderWay: false, cancellations: [@Sendable () -> Void]()))

  var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  func begin() {
    let cancellations = state.withLock { state in
      state.isUnderWay = true
      return state.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  func atBegin(_ cancel: @escaping @Sendable () -> Void) {
    let isUnderWay = state.withLock { state in
      state.cancellations.append(cancel)
      return state.isUnderWay
    }
    if isUnderWay { cancel() }
  }
}

/// Cancels the operation when the shutdown begins, and throws the error of the operation, as the real one does.
func cancelWhenGracefulShutdown<Value: Sendable>(
  _ operation: @Sendable @escaping () async throws -> Value
) async throws -> Value {
  let work = Task { try await operation() }
  GracefulShutdown.current?.atBegin { work.cancel() }
  return try await withTaskCancellationHandler {
    try await work.value
  } onCancel: {
    work.cancel()
  }
}

extension Task where Success == Never, Failure == Never {
  static var isShuttingDownGracefully: Bool { GracefulShutdown.current?.isUnderWay ?? false }
}

/// Work that ends by itself, or only with its task.
enum Synchronization {
  @TaskLocal static var isEndless = false
}

func synchronize() async throws {
  if Synchronization.isEndless { try await ManualClock().sleep(for: .seconds(1)) }
}

func receive(from server: String) async throws {}
func now() -> Int64 { 0 }

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

struct HTTPHeaders: Sendable {
  func first(name: String) -> String? { nil }
}

struct HTTPClientResponse: Sendable {
  var status: (code: UInt, reasonPhrase: String)
  var headers = HTTPHeaders()
}

struct Request {}
struct Response {}
protocol RequestContext {}

protocol RouterMiddleware {
  associatedtype Context
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response
}

enum HeaderName {
  case retryAfter
}

enum Status {
  case serviceUnavailable
}

struct HTTPError: Error {
  init(_ status: Status, headers: [HeaderName: String], message: String) {}
}

struct Abort: Error {
  init(_ status: Status, headers: [String: String], reason: String) {}
}
