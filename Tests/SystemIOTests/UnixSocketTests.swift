import CLinux
import Foundation
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Unix sockets")
struct UnixSocketTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  // MARK: Connecting

  @Test func `a client that connects is accepted, once`() throws {
    let listener = try UnixSocket.listen(at: directory("socket"), mode: 0o600)
    #expect(try UnixSocket.accept(from: listener.number) == nil)
    let client = try UnixSocket.connect(to: directory("socket"))
    guard let accepted = try UnixSocket.accept(from: listener.number) else {
      Issue.record("nobody is there")
      return
    }
    #expect(accepted.number != client.number)
    #expect(try UnixSocket.accept(from: listener.number) == nil)
  }

  @Test(arguments: [0o600, 0o660, 0o666, 0o777] as [UInt32])
  func `a socket has the permissions that were asked for, whatever the umask`(mode: UInt32) throws {
    let listener = try UnixSocket.listen(at: directory("socket"), mode: mode)
    let attributes = try FileManager.default.attributesOfItem(atPath: directory("socket"))
    #expect(attributes[.posixPermissions] as? Int == Int(mode))
    _ = listener.number
  }

  @Test func `the permissions of a file that replaced the socket stay as they are`() throws {
    try directory.write("precious", "mine")
    #expect(unsafe chmod(directory("precious"), 0o600) == 0)
    try directory.link("link", to: "precious")
    for name in ["precious", "link"] {
      #expect(unsafe clinux_unix_set_mode(directory(name), 0o666) == -1)
      #expect(errno == EEXIST)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: directory("precious"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `no descriptor waits or outlives exec`() throws {
    let listener = try UnixSocket.listen(at: directory("socket"), mode: 0o600)
    let pair = try SocketPair(in: directory)
    for number in [listener.number, pair.client, pair.server] {
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test func `a path may have 107 bytes and not one more`() throws {
    let room = UnixSocket.longestPath - directory("").utf8.count
    let longest = directory(String(repeating: "x", count: room))
    #expect(longest.utf8.count == 107)
    let listener = try UnixSocket.listen(at: longest, mode: 0o600)
    let client = try UnixSocket.connect(to: longest)
    #expect(client.number != listener.number)
    for call in Self.calls {
      #expect(throws: SystemError("\(call.attempt) \(longest)x", errorNumber: ENAMETOOLONG)) {
        try call.make(longest + "x")
      }
    }
  }

  @Test func `an empty path is no file, and no abstract name either`() {
    for call in Self.calls {
      #expect(throws: SystemError("\(call.attempt) ", errorNumber: ENOENT)) { try call.make("") }
    }
  }

  /// The calls that take a path.
  private static let calls: [(attempt: String, make: @Sendable (String) throws -> Void)] = [
    ("listen at", { _ = try UnixSocket.listen(at: $0, mode: 0o600).number }),
    ("connect to", { _ = try UnixSocket.connect(to: $0).number }),
  ]

  @Test func `listening at the path of a file fails, and leaves it unchanged`() throws {
    try directory.write("file", "mine")
    #expect(throws: SystemError("listen at \(directory("file"))", errorNumber: EADDRINUSE)) {
      _ = try UnixSocket.listen(at: directory("file"), mode: 0o600).number
    }
    #expect(try Files.read(directory("file")) == Array("mine".utf8))
  }

  // MARK: Bytes

  @Test func `bytes arrive in order, then nothing, then the end`() throws {
    let pair = try SocketPair(in: directory)
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(try UnixSocket.receive(into: &buffer, from: pair.server) == .nothing)
    #expect(try UnixSocket.send(Array("abcdef".utf8), over: pair.client) == 6)
    #expect(try UnixSocket.send(Array("xyz".utf8), from: 2, over: pair.client) == 1)
    #expect(try UnixSocket.receive(into: &buffer, from: pair.server) == .bytes(4))
    #expect(buffer == Array("abcd".utf8))
    #expect(try UnixSocket.receive(into: &buffer, from: pair.server) == .bytes(3))
    #expect(buffer.prefix(3) == Array("efz".utf8)[...])
    #expect(try UnixSocket.receive(into: &buffer, from: pair.server) == .nothing)
    UnixSocket.endSending(over: pair.client)
    #expect(try UnixSocket.receive(into: &buffer, from: pair.server) == .end)
    #expect(try UnixSocket.send([1], over: pair.server) == 1, "the other direction goes on")
    #expect(try UnixSocket.receive(into: &buffer, from: pair.client) == .bytes(1))
  }

  @Test func `input is waited for until it comes, or until the deadline`() throws {
    let pair = try SocketPair(in: directory)
    let deadline = MonotonicInstant.now.advanced(by: .milliseconds(30))
    #expect(try !UnixSocket.waitForInput(from: pair.server, until: deadline))
    #expect(MonotonicInstant.now >= deadline)
    let server = pair.server
    let waiting = Background { try UnixSocket.waitForInput(from: server, until: nil) }
    _ = try UnixSocket.send([1], over: pair.client)
    #expect(try waiting.wait())
    #expect(try UnixSocket.waitForInput(from: pair.server, until: .now), "also when the deadline is over")
  }

  // MARK: Peers

  @Test func `both ends know the other process`() throws {
    let pair = try SocketPair(in: directory)
    let own = PeerCredentials(process: getpid(), user: geteuid(), group: getegid())
    #expect(try PeerCredentials(of: pair.server) == own)
    #expect(try PeerCredentials(of: pair.client) == own)
    #expect(try PeerCredentials.supplementaryGroups(of: pair.server) == Self.ownGroups())
    #expect(throws: SystemError("learn who is connected", errorNumber: EBADF)) { try PeerCredentials(of: -1) }
    #expect(throws: SystemError("learn the groups of who is connected", errorNumber: EBADF)) {
      try PeerCredentials.supplementaryGroups(of: -1)
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func `all supplementary groups are known, however many`() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try ScratchDirectory()
      for count in [0, 1, 64, 65, 1_000] {
        let groups = (0..<count).map { gid_t(10_000 + $0) }
        try #require(unsafe setgroups(groups.count, groups) == 0)
        let pair = try SocketPair(in: directory)
        try #require(try PeerCredentials.supplementaryGroups(of: pair.server) == groups)
        Files.remove(directory("pair"))
      }
    }
  }

  private static func ownGroups() -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return Array(groups.prefix(Int(count)))
  }
}

/// Two ends of a connection, closed with it.
private final class SocketPair {
  private let clientEnd: OwnedDescriptor
  private let serverEnd: OwnedDescriptor

  var client: Int32 { clientEnd.number }
  var server: Int32 { serverEnd.number }

  init(in directory: ScratchDirectory) throws {
    let listener = try UnixSocket.listen(at: directory("pair"), mode: 0o600)
    clientEnd = try UnixSocket.connect(to: directory("pair"))
    guard let accepted = try UnixSocket.accept(from: listener.number) else { throw CancellationError() }
    serverEnd = accepted
  }
}
