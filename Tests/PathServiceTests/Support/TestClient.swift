import KernelTestSupport
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

/// A client of the service on a stage, on the thread of the service: while it waits, the service works.
final class TestClient {
  private let stage: ServiceStage
  private let client: VarlinkClient
  /// The replies that have come and were not returned, in order.
  private(set) var replies: [VarlinkReply] = []

  init(_ stage: ServiceStage) throws {
    self.stage = stage
    client = try VarlinkClient(connectingTo: stage.socketPath)
  }

  /// Sends a call, and does not wait.
  func send(
    _ method: PathMonitorInterface.Method, _ parameters: JSONObject = [:], acceptsMore: Bool = false,
    isOneway: Bool = false
  ) throws {
    try send(VarlinkCall(method.fullName, parameters, acceptsMore: acceptsMore, isOneway: isOneway))
  }

  func send(_ call: VarlinkCall) throws { try client.send(call) }

  /// Reads all that has come; never waits.
  func pull() throws {
    do {
      replies += try client.readReplies()
    } catch  where error.kind == .disconnected {
      isDisconnected = true
    }
  }

  /// Whether the service has ended the connection.
  private(set) var isDisconnected = false

  /// Runs the service until so many replies are there.
  func has(_ count: Int, within limit: Duration = .seconds(60)) throws -> Bool {
    try stage.run(within: limit) {
      try pull()
      return replies.count >= count
    }
  }

  /// Removes and returns the next reply.
  func next(within limit: Duration = .seconds(60)) throws -> VarlinkReply {
    let isThere = try has(1, within: limit)
    try #require(isThere, "no reply came")
    return replies.removeFirst()
  }

  /// The reply to a call.
  func call(_ method: PathMonitorInterface.Method, _ parameters: JSONObject = [:]) throws -> VarlinkReply {
    try send(method, parameters)
    return try next()
  }

  func call(_ call: VarlinkCall) throws -> VarlinkReply {
    try send(call)
    return try next()
  }

  /// Begins to watch, and returns the first path.
  @discardableResult
  func watch(_ parameters: JSONObject = [:]) throws -> NetworkPath {
    try send(.watchPath, parameters, acceptsMore: true)
    let reply = try next()
    #expect(reply.continues)
    return try reply.path()
  }

  /// The paths of all replies that have come, which stay.
  var paths: [NetworkPath] {
    get throws { try replies.map { try $0.path() } }
  }
}

extension VarlinkReply {
  /// The path in a reply, or in the error `TimedOut`.
  func path() throws -> NetworkPath {
    try NetworkPath(json: try #require(parameters["path"], "no path in \(self)"))
  }

  /// Expects one of the interface's errors.
  func expectError(_ name: PathMonitorInterface.ErrorName, _ parameters: JSONObject) {
    #expect(error == name.fullName)
    #expect(self.parameters == parameters)
  }
}

extension [NetworkPath] {
  /// Whether no path equals the one before.
  var haveNoRepetitions: Bool { zip(self, dropFirst()).allSatisfy { $0 != $1 } }
  /// Whether each number is greater than the one before.
  var areNumberedUpwards: Bool { zip(self, dropFirst()).allSatisfy { $0.sequence < $1.sequence } }
}
