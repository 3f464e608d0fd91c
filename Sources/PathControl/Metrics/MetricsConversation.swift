internal import JSON
internal import Metrics
internal import SystemIO
internal import Varlink

/// Serves `io.systemd.Metrics` to the one client on standard input and output, as systemd hands it over with
/// `Accept=yes` and `StandardInput=socket`.
struct MetricsConversation {
  /// The longest call, in bytes; ours have none that is longer than its name.
  private static let longestCall = 65_536
  /// How long the client may be silent between calls.
  private static let patience = Duration.seconds(30)

  private let directory = MetricsInterface.directory
  private let families: () -> [MetricFamily]

  /// A conversation.
  ///
  /// - Parameter families: Returns the metrics as they are now; called once for each call that needs them.
  init(families: @escaping () -> [MetricFamily]) {
    self.families = families
  }

  /// Answers until the client has closed the connection or is silent for too long.
  ///
  /// - Throws: ``SystemError`` when the connection fails.
  func run() throws(SystemError) {
    var session = ServerSession(limit: Self.longestCall) { limit in
      .invalidParameter("call", "a call has at most \(limit.limit) bytes")
    }
    while true {
      switch session.next() {
      case .serve(let call): answer(call, in: &session)
      case .refuse(let error): session.refuse(error.frame)
      case .close: return
      case .wait where session.isDrained:
        let deadline = MonotonicInstant.now.advanced(by: Self.patience)
        guard let bytes = try Input.read(from: 0, until: deadline) else { return }
        if bytes.isEmpty { session.receiveEnd() } else { session.receive(bytes[...]) }
      case .wait:
        try Output.write(Array(session.frameToSend.dropFirst(session.bytesSent)), to: 1)
        session.sent(session.frameToSend.count - session.bytesSent)
      }
    }
  }

  private func answer(_ call: VarlinkCall, in session: inout ServerSession) {
    if case .reply(let frame) = directory.answer(to: call) { return session.answer(frame) }
    do throws(VarlinkError) {
      let frames = try MetricsInterface.replies(to: call, families: families)
      for frame in frames.dropLast() { session.answer(frame, continues: true) }
      if let last = frames.last { session.answer(last) }
    } catch {
      session.answer(error.frame)
    }
  }
}
