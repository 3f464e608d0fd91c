internal import SystemIO

/// Moves the bytes of one direction from a socket through a line to the other socket.
final class LinkPump {
  enum State: Hashable {
    case open
    /// The source has sent its end, which is on its way.
    case ending
    /// The end has been passed on.
    case ended
    /// One of the sockets has failed.
    case failed
  }

  /// The time by which bytes may be early. The loop counts whole milliseconds, and they would be late by half of one.
  private static let earliness = Duration.microseconds(500)

  private let source: LinkEnd
  private let target: LinkEnd
  private var line: LinkLine
  private var generator = SystemRandomNumberGenerator()
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private var outgoing: (bytes: [UInt8], sent: Int) = ([], 0)
  private var timer: EventLoop.Timer?
  private let loop: EventLoop
  private let count: (Int) -> Void
  private(set) var state = State.open
  var isStalled = false
  /// Called when the state has become `ended` or `failed`.
  var ended: () -> Void = {}

  init(
    from source: LinkEnd, to target: LinkEnd, on loop: EventLoop, line: LinkLine,
    count: @escaping (Int) -> Void
  ) {
    (self.source, self.target, self.line, self.loop, self.count) = (source, target, line, loop, count)
    timer = loop.makeTimer { [unowned self] in work() }
  }

  deinit {
    if let timer { loop.remove(timer) }
  }

  func change(to direction: LinkProfile.Direction, roundTrip: Duration) {
    line.change(to: direction, roundTrip: roundTrip)
    work()
  }

  func fail() {
    guard state != .failed, state != .ended else { return }
    state = .failed
    ended()
  }

  /// Delivers what has arrived, accepts what there is room for, and sets the timer for the next time.
  func work() {
    guard !isStalled, state == .open || state == .ending else {
      if state == .open || state == .ending {
        source.want(.readable, false)
        target.want(.writable, false)
      }
      timer?.set(nil)
      return
    }
    let now = MonotonicInstant.now
    let early = now.advanced(by: Self.earliness)
    do throws(SystemError) {
      try deliver(until: early)
      try accept(at: now, until: early)
    } catch {
      return fail()
    }
    guard state == .open || state == .ending else { return }
    var moments: [MonotonicInstant] = []
    if outgoing.bytes.isEmpty, let arrival = line.nextArrival { moments.append(arrival) }
    if state == .open, let opening = line.acceptsFrom, opening > early { moments.append(opening) }
    timer?.set(moments.min()?.advanced(by: .zero - Self.earliness))
  }

  private func deliver(until moment: MonotonicInstant) throws(SystemError) {
    while true {
      while outgoing.sent < outgoing.bytes.count {
        let sent = try UnixSocket.send(outgoing.bytes, from: outgoing.sent, over: target.number)
        target.want(.writable, sent == 0)
        if sent == 0 { return }
        outgoing.sent += sent
        count(sent)
      }
      outgoing = ([], 0)
      target.want(.writable, false)
      switch line.receive(at: moment) {
      case .bytes(let bytes): outgoing.bytes = bytes
      case .end:
        UnixSocket.endSending(over: target.number)
        state = .ended
        return ended()
      case nil: return
      }
    }
  }

  private func accept(at now: MonotonicInstant, until moment: MonotonicInstant) throws(SystemError) {
    while state == .open {
      guard let opening = line.acceptsFrom, opening <= moment else { return source.want(.readable, false) }
      switch try UnixSocket.receive(into: &buffer, from: source.number) {
      case .bytes(let count): line.send(.bytes(Array(buffer[..<count])), at: now, using: &generator)
      case .nothing: return source.want(.readable, true)
      case .end:
        state = .ending
        source.want(.readable, false)
        line.send(.end, at: now, using: &generator)
      }
    }
  }
}
