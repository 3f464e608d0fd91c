internal import SystemIO

/// The listening socket of a conditioner and its links, on the conditioner's thread.
final class LinkProxy {
  /// The bytes that the kernel keeps for each socket. Its own choice, megabytes, would swallow an upload at once.
  static let kernelBuffer: Int32 = 16_384

  private let socket: OwnedDescriptor
  private let loop: EventLoop
  private let server: (address: String, port: UInt16)
  let counts: Guarded<LinkCounts>
  private var links: [Int: LinkedConnection] = [:]
  private var nextLink = 0
  /// Links that have ended, and are released when none of their methods runs.
  private var ended: [Int] = []
  private var release: EventLoop.Timer?

  var profile: LinkProfile {
    didSet { for link in links.values { link.change(to: profile) } }
  }

  var isStalled = false {
    didSet { for link in Array(links.values) { link.setStalled(isStalled) } }
  }

  init(
    _ socket: consuming OwnedDescriptor, on loop: EventLoop, profile: LinkProfile,
    server: (address: String, port: UInt16), counts: Guarded<LinkCounts>
  ) throws(SystemError) {
    self.socket = socket
    (self.loop, self.profile, self.server, self.counts) = (loop, profile, server, counts)
    release = loop.makeTimer { [unowned self] in releaseEnded() }
    try loop.watch(self.socket.number) { [unowned self] _ in accept() }
  }

  deinit {
    if let release { loop.remove(release) }
    loop.unwatch(socket.number)
  }

  func reset() { links = [:] }

  private func releaseEnded() {
    for number in ended { links[number] = nil }
    ended = []
  }

  private func accept() {
    while let client = try? UnixSocket.accept(from: socket.number) {
      counts.withLock { $0.connections += 1 }
      nextLink += 1
      let number = nextLink
      // If the server refuses the connection, that of the client is reset.
      links[number] = try? LinkedConnection(
        client, to: server, on: loop, profile: profile, isStalled: isStalled, counts: counts
      ) { [unowned self] in
        ended.append(number)
        release?.set(.now)
      }
    }
  }
}
