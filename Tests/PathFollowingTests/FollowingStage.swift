import Glibc
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathFollowing

/// A follower of a service that the test plays, on the loop of the test.
final class FollowingStage {
  enum Update: Equatable {
    case path(NetworkPath.Status)
    case interrupted(PathSourceError.Code)
    case lost(PathSourceError.Code)
    case trouble(PathSourceError.Code?)
  }

  /// A socket that is closed with its last reference.
  private final class Socket {
    private let descriptor: OwnedDescriptor
    var number: Int32 { descriptor.number }

    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
  }

  /// Far longer than any step: a test that waits in vain fails.
  private static let limit = Duration.seconds(60)

  private let directory: ScratchDirectory
  private let loop: EventLoop
  private let follower: PathFollower
  private(set) var updates: [Update] = []
  private(set) var errors: [PathSourceError] = []
  /// The numbers of the subscribers in the order of their deliveries; that of ``updates`` is 0.
  private(set) var recipients: [Int] = []
  var stopsAtNextUpdate = false
  private var listener: Socket?
  private var connection: Socket?
  private var queue: [Socket] = []

  init(settle: Duration? = nil, _ change: (inout FollowingPolicy) -> Void = { _ in }) throws {
    directory = try ScratchDirectory()
    loop = try EventLoop()
    var policy = FollowingPolicy(.service, socket: directory("socket"))
    change(&policy)
    let kernel = SharedEngine(loop: loop, policy: policy)
    follower = PathFollower(loop: loop, policy: policy, settle: settle, kernel: kernel)
    follower.add(0) { [unowned self] in self.record($0) }
  }

  deinit { follower.stop() }

  func start() { follower.start() }

  /// Starts while the directory of the socket cannot be watched.
  func startWithoutWatch() throws { try directory.withoutReading { follower.start() } }

  /// Adds a subscriber that only leaves its number.
  ///
  /// - Parameter leaves: Whether its first update ends it.
  func add(_ number: Int, leaves: Bool = false) {
    follower.add(number) { [unowned self] _ in
      self.recipients.append(number)
      if leaves { self.follower.remove(number) }
    }
  }

  private func record(_ update: SourceUpdate) {
    recipients.append(0)
    if stopsAtNextUpdate { follower.stop() }
    switch update {
    case .path(let path): updates.append(.path(path.status))
    case .interrupted(let error):
      updates.append(.interrupted(error.code))
      errors.append(error)
    case .lost(let error):
      updates.append(.lost(error.code))
      errors.append(error)
    case .trouble(let error): updates.append(.trouble(error?.code))
    }
  }

  /// Runs the loop until the condition holds. Returns whether it holds.
  func run(until condition: () -> Bool) throws -> Bool {
    let deadline = MonotonicInstant.now.advanced(by: Self.limit)
    while !condition(), .now < deadline { try loop.runOnce(until: deadline) }
    return condition()
  }

  /// Handles what is ready now.
  func runRound() throws { try loop.runOnce(until: .now) }

  // MARK: The service

  /// Begins to listen, and accepts connections.
  func listen() throws {
    let listener = Socket(try UnixSocket.listen(at: directory("socket"), mode: 0o600))
    try loop.watch(listener.number) { [unowned self] _ in
      if let accepted = try? UnixSocket.accept(from: listener.number) { self.connection = Socket(accepted) }
    }
    self.listener = listener
  }

  /// Begins to listen, and lets the queue of connections be full for good.
  func listenWithFullQueue() throws {
    let listener = Socket(try UnixSocket.listen(at: directory("socket"), mode: 0o600))
    #expect(Glibc.listen(listener.number, 0) == 0)
    while let waiting = try? UnixSocket.connect(to: directory("socket")) { queue.append(Socket(waiting)) }
    self.listener = listener
  }

  var isConnected: Bool { connection != nil }

  /// The call that the follower has sent, as far as it has arrived.
  func call() throws -> String {
    let descriptor = connection?.number ?? -1
    _ = try UnixSocket.waitForInput(from: descriptor, until: .now.advanced(by: Self.limit))
    var buffer = [UInt8](repeating: 0, count: 4_096)
    guard case .bytes(let count) = try UnixSocket.receive(into: &buffer, from: descriptor) else { return "" }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Replies as the service does.
  func reply(_ text: String) throws {
    _ = try UnixSocket.send(Array(text.utf8) + [0], over: connection?.number ?? -1)
  }

  /// Replies a path.
  func reply(_ status: NetworkPath.Status, continues: Bool = true) throws {
    let path = #"{"status": "\#(status.rawValue)", "knowledge": "known", "interfaces": []}"#
    try reply(#"{"continues": \#(continues), "parameters": {"path": \#(path)}}"#)
  }

  /// Ends the connection.
  func disconnect() { connection = nil }

  /// Ends the service, with its socket.
  func die() throws {
    if let listener { loop.unwatch(listener.number) }
    listener = nil
    try directory.remove("socket")
    disconnect()
  }
}
