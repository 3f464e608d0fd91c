internal import SystemIO

/// A client and its server with a link between them.
final class LinkedConnection {
  private let uplink: LinkPump
  private let downlink: LinkPump
  private let ends: [LinkEnd]
  private let end: () -> Void

  /// - Parameter end: Releases the connection soon, but not within the call.
  init(
    _ client: consuming OwnedDescriptor, to server: (address: String, port: UInt16), on loop: EventLoop,
    profile: LinkProfile, isStalled: Bool, counts: Guarded<LinkCounts>, end: @escaping () -> Void
  ) throws(SystemError) {
    self.end = end
    let client = try LinkEnd(client)
    let server = try LinkEnd(
      InternetSocket.connect(to: server.address, port: server.port, receiveBuffer: LinkProxy.kernelBuffer))
    ends = [client, server]
    let opening = MonotonicInstant.now.advanced(by: profile.roundTrip + profile.nameLookupDelay)
    uplink = LinkPump(
      from: client, to: server, on: loop,
      line: LinkLine(profile.uplink, roundTrip: profile.roundTrip, opening: opening)
    ) { count in counts.withLock { $0.uploaded += count } }
    downlink = LinkPump(
      from: server, to: client, on: loop,
      line: LinkLine(profile.downlink, roundTrip: profile.roundTrip, opening: opening)
    ) { count in counts.withLock { $0.downloaded += count } }
    for pump in [uplink, downlink] {
      pump.isStalled = isStalled
      pump.ended = { [unowned self] in ended() }
    }
    for (socket, reader, writer) in [(client, uplink, downlink), (server, downlink, uplink)] {
      socket.watch(on: loop, reader: reader, writer: writer)
    }
    uplink.work()
    downlink.work()
  }

  func change(to profile: LinkProfile) {
    uplink.change(to: profile.uplink, roundTrip: profile.roundTrip)
    downlink.change(to: profile.downlink, roundTrip: profile.roundTrip)
  }

  func setStalled(_ isStalled: Bool) {
    for pump in [uplink, downlink] { pump.isStalled = isStalled }
    uplink.work()
    downlink.work()
  }

  private func ended() {
    if uplink.state == .ended, downlink.state == .ended {
      for end in ends { end.isFinished = true }
      end()
    } else if uplink.state == .failed || downlink.state == .failed {
      end()
    }
  }
}

/// One socket of a link.
final class LinkEnd {
  private var socket: OwnedDescriptor?
  let number: Int32
  private var loop: EventLoop?
  private var readiness: EventLoop.Readiness = []
  /// Whether both directions have come to their end. Otherwise the socket is reset when it is released.
  var isFinished = false

  init(_ socket: consuming OwnedDescriptor) throws(SystemError) {
    number = socket.number
    self.socket = consume socket
    try InternetSocket.sendAtOnce(over: number)
    try InternetSocket.setSendBuffer(of: number, to: LinkProxy.kernelBuffer)
  }

  func watch(on loop: EventLoop, reader: LinkPump, writer: LinkPump) {
    self.loop = loop
    try? loop.watch(number, for: readiness) { [number, unowned loop, unowned reader, unowned writer] readiness in
      if readiness.contains(.failed) { return reader.fail() }
      // Both sides have sent their end. The kernel would report this all the time; the reader's timer reads the rest.
      if readiness.contains(.hungUp) { loop.unwatch(number) }
      if readiness.contains(.writable) { writer.work() }
      if !readiness.isDisjoint(with: [.readable, .hungUp]) { reader.work() }
    }
  }

  /// Changes whether the loop reports input, or room for output.
  func want(_ kind: EventLoop.Readiness, _ isWanted: Bool) {
    let before = readiness
    if isWanted { readiness.insert(kind) } else { readiness.remove(kind) }
    if readiness != before { try? loop?.rewatch(number, for: readiness) }
  }

  deinit {
    loop?.unwatch(number)
    if !isFinished, let socket = socket.take() { InternetSocket.reset(socket) }
  }
}
