internal import SystemIO

/// The listening socket of a server and its connections, on the server's thread.
final class FaultListener {
  private let socket: OwnedDescriptor
  private let loop: EventLoop
  private let log: RequestLog
  private let answer: @Sendable (FaultRequest) -> FaultAnswer
  private var connections: [Int32: FaultConnection] = [:]

  init(
    _ socket: consuming OwnedDescriptor, on loop: EventLoop, log: RequestLog,
    answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
  ) throws(SystemError) {
    self.socket = socket
    (self.loop, self.log, self.answer) = (loop, log, answer)
    try loop.watch(self.socket.number) { [unowned self] _ in accept() }
  }

  deinit {
    loop.unwatch(socket.number)
  }

  private func accept() {
    while let socket = try? UnixSocket.accept(from: socket.number) {
      log.noteConnection()
      let number = socket.number
      connections[number] = try? FaultConnection(socket, on: loop, log: log, answer: answer) { [unowned self] in
        connections[number] = nil
      }
    }
  }
}
