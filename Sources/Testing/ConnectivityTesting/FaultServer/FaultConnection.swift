internal import SystemIO

/// One connection of a server: a request comes, and the steps of its answer are carried out.
final class FaultConnection {
  private var socket: OwnedDescriptor?
  private let number: Int32
  private let loop: EventLoop
  private let log: RequestLog
  private let answer: @Sendable (FaultRequest) -> FaultAnswer
  private let end: () -> Void
  private var parser = RequestParser()
  private var request: FaultRequest?
  private var steps: [FaultAnswer.Step] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// Bytes of the current step, and the number of those that are sent.
  private var outgoing: (bytes: [UInt8], sent: Int) = ([], 0)
  private var timer: EventLoop.Timer?
  private var isAnswered = false

  /// - Parameter end: Releases the connection.
  init(
    _ socket: consuming OwnedDescriptor, on loop: EventLoop, log: RequestLog,
    answer: @escaping @Sendable (FaultRequest) -> FaultAnswer, end: @escaping () -> Void
  ) throws(SystemError) {
    number = socket.number
    self.socket = consume socket
    (self.loop, self.log, self.answer, self.end) = (loop, log, answer, end)
    try InternetSocket.sendAtOnce(over: number)
    timer = loop.makeTimer { [unowned self] in proceed() }
    try loop.watch(number) { [unowned self] readiness in handle(readiness) }
  }

  deinit {
    loop.unwatch(number)
    if let timer { loop.remove(timer) }
    // A server that ends in the middle of an answer breaks the connection off.
    if let socket = socket.take() { InternetSocket.reset(socket) }
  }

  private func handle(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable), !outgoing.bytes.isEmpty { return proceed() }
    while true {
      switch try? UnixSocket.receive(into: &buffer, from: number) {
      case .bytes(let count) where request == nil:
        take(parser.add(buffer[..<count]))
        if isAnswered { return }
      // Bytes after the request are of no interest.
      case .bytes: break
      case .nothing: return
      case .end, nil: return finish(isComplete: isAnswered)
      }
    }
  }

  private func take(_ step: RequestParser.Step) {
    switch step {
    case .receive: break
    case .invite: _ = try? UnixSocket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), over: number)
    case .refuse(let status): begin(FaultAnswer(status))
    case .complete(let request):
      let request = log.number(request)
      self.request = request
      begin(ForeignCode.run { answer(request) })
    }
  }

  private func begin(_ answer: FaultAnswer) {
    steps = answer.steps.reversed()
    proceed()
  }

  /// Carries out steps until one has to wait.
  private func proceed() {
    guard flush() else { return }
    while let step = steps.popLast() {
      switch step {
      case .send(let bytes):
        outgoing = (bytes, 0)
        guard flush() else { return }
      case .pause(let time):
        timer?.set(.now.advanced(by: time))
        return
      case .drain:
        if UnixSocket.bytesUnread(over: number) > 0 {
          steps.append(.drain)
          timer?.set(.now.advanced(by: .milliseconds(1)))
          return
        }
      case .waitForClient: return
      case .reset:
        isAnswered = true
        if let socket = socket.take() {
          loop.unwatch(number)
          InternetSocket.reset(socket)
        }
        return end()
      case .close: return endSending()
      }
    }
  }

  /// Sends what is left of the step. Returns whether all of it is sent.
  private func flush() -> Bool {
    while outgoing.sent < outgoing.bytes.count {
      do throws(SystemError) {
        let count = try UnixSocket.send(outgoing.bytes, from: outgoing.sent, over: number)
        if count == 0 {
          try loop.rewatch(number, for: [.readable, .writable])
          return false
        }
        outgoing.sent += count
      } catch {
        finish(isComplete: false)
        return false
      }
    }
    if !outgoing.bytes.isEmpty {
      outgoing = ([], 0)
      try? loop.rewatch(number, for: .readable)
    }
    return true
  }

  /// Sends the end, and waits for that of the client: closing before it is read would reset the connection.
  private func endSending() {
    isAnswered = true
    UnixSocket.endSending(over: number)
  }

  private func finish(isComplete: Bool) {
    if let request, !isComplete { log.noteAbandoned(request) }
    if isComplete {
      loop.unwatch(number)
      _ = socket.take()
    }
    end()
  }
}
