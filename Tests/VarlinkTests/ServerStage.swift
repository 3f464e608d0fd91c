import PathModel
import ProcessTestSupport
import SystemIO
import Testing
import Varlink

/// A server with a service to test it, and its clients, all on one event loop in the thread of the test.
///
/// The service has the interface `org.example.test`, with the methods that `serve` explains.
final class ServerStage {
  let loop: EventLoop
  let server: VarlinkServer
  let path: String
  private let directory: ScratchDirectory
  private let listener: OwnedDescriptor
  private let service: TestService

  init(limits: VarlinkServer.Limits = VarlinkServer.Limits()) throws {
    directory = try ScratchDirectory()
    path = directory("socket")
    listener = try UnixSocket.listen(at: path, mode: 0o666)
    loop = try EventLoop()
    let service = TestService()
    self.service = service
    server = VarlinkServer(
      loop: loop, limits: limits,
      service: VarlinkServer.Service(
        directory: ServiceDirectory(
          vendor: "vendor", product: "product", version: "1", url: "url",
          descriptions: [(TestService.interface, "interface \(TestService.interface)\n")]),
        limitReached: { limit, value in
          VarlinkError(
            "\(TestService.interface).LimitReached", ["limit": .string(limit), "value": .integer(Int64(value))])
        },
        serve: { service.serve($0, on: $1) }))
    try server.listen(on: listener.number)
  }

  deinit { server.stop() }

  /// Another name in the stage's directory.
  func path(_ name: String) -> String { directory(name) }

  /// A client of the server, which sends calls at once.
  func connect(isReading: Bool = true, sending calls: VarlinkCall...) throws -> TestClient {
    let client = try TestClient(connectingTo: path, on: loop, isReading: isReading)
    if !calls.isEmpty { try client.send(calls.flatMap(\.frame)) }
    return client
  }

  /// A client whose call the test itself answers, over the connection.
  func connectHeld(isReading: Bool = true) throws -> (client: TestClient, connection: VarlinkConnection) {
    let (client, count) = (try connect(isReading: isReading, sending: .test("Hold")), held.count)
    try run { held.count > count }
    return (client, held[count])
  }

  /// Expects that the server answers a call of the client.
  func expectAnswer(to client: TestClient, _ location: SourceLocation = #_sourceLocation) throws {
    let count = client.replies.count
    try client.send(.test("Echo"))
    try run(until: { client.replies.count > count }, location)
  }

  /// The methods that were called, in order, without those of `org.varlink.service`.
  var served: [String] { service.served }
  /// Connections whose call is still to be answered.
  var held: [VarlinkConnection] { service.held }
  /// How many of them have ended before.
  var cancelled: Int { service.cancelled }
  /// How often the server had room again for a stream.
  var drained: Int { service.drained }

  /// Sets the body that serves the method, which is any but those of ``TestService``.
  func handle(_ method: String, _ body: @escaping (VarlinkConnection) -> Void) { service.handlers[method] = body }

  /// Runs the loop until the condition holds.
  func run(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) throws {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(120))
    while !condition() {
      try #require(.now < deadline, "it took too long", sourceLocation: location)
      try loop.runOnce(until: deadline)
    }
  }

  /// Runs the loop until nothing more happens by itself.
  func settle() throws {
    for _ in 0..<8 { try loop.runOnce(until: .now) }
  }
}

/// A service with methods for tests.
final class TestService {
  static let interface = "org.example.test"

  var handlers: [String: (VarlinkConnection) -> Void] = [:]
  private(set) var served: [String] = []
  private(set) var held: [VarlinkConnection] = []
  private(set) var cancelled = 0
  private(set) var drained = 0

  func serve(_ call: VarlinkCall, on connection: VarlinkConnection) {
    served.append(call.name)
    switch call.name {
    // Answers with its parameters.
    case "Echo":
      connection.reply(
        VarlinkReply.frame { writer in
          for member in call.parameters.members {
            writer.key(member.key)
            member.value.write(to: &writer)
          }
        })
    // The test itself answers.
    case "Hold":
      connection.whenCancelled = { [unowned self] in cancelled += 1 }
      held.append(connection)
    // Sends `count` replies, each of `size` bytes, one whenever the client has read those before.
    case "Stream":
      connection.whenCancelled = { [unowned self] in cancelled += 1 }
      stream(call.parameters["count"]?.integerValue ?? 0, call.parameters["size"]?.integerValue ?? 0, connection)
    default:
      guard let handler = handlers[call.name] else { return connection.fail(.methodNotFound(call.method)) }
      handler(connection)
    }
  }

  private func stream(_ count: Int64, _ size: Int64, _ connection: VarlinkConnection) {
    let text = String(repeating: "x", count: Int(size))
    var next: Int64 = 1
    func frame(continues: Bool) -> [UInt8] {
      VarlinkReply.frame(continues: continues) { writer in
        writer.key("number")
        writer.integer(next)
        writer.key("text")
        writer.string(text)
      }
    }
    func push() {
      while next < count, connection.isDrained {
        connection.replyAndContinue(frame(continues: true))
        next += 1
      }
      if next == count, connection.isDrained {
        connection.reply(frame(continues: false))
        next += 1
      }
      guard next <= count else { return }
      connection.whenDrained { [unowned self] in
        drained += 1
        push()
      }
    }
    push()
  }
}

extension VarlinkCall {
  /// A call of a method of the interface for tests.
  static func test(
    _ name: String, _ parameters: JSONObject = JSONObject(), acceptsMore: Bool = false, isOneway: Bool = false
  ) -> VarlinkCall {
    VarlinkCall("\(TestService.interface).\(name)", parameters, acceptsMore: acceptsMore, isOneway: isOneway)
  }

  /// A call for a stream of replies.
  static func stream(_ count: Int64, size: Int64) -> VarlinkCall {
    test("Stream", ["count": .integer(count), "size": .integer(size)], acceptsMore: true)
  }
}

extension VarlinkReply {
  /// The reply to a call beyond a limit.
  static func limitReached(_ limit: String, _ value: Int64) -> VarlinkReply {
    VarlinkReply(
      ["limit": .string(limit), "value": .integer(value)], error: "\(TestService.interface).LimitReached")
  }
}
