import KernelTestSupport
import PathDecisions
import PathModel
import ProcessTestSupport
import Testing

@testable import KernelPath

@Suite("The devices below PPPoE sessions")
struct PPPoELinesTests {
  private static let header = "Id       Address              Device\n"
  private static let one = header + "01000000 02:00:00:00:00:01     eth0\n"
  private static let long = "2a000000 02:00:00:00:00:01 enp0s31f6u1u2\n"

  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  /// The lines after readings of the sessions, each with the PPP links that are there.
  private func lines(_ readings: (sessions: String, links: [Int32])...) throws -> PPPoELines { try lines(readings) }

  private func lines(_ readings: [(sessions: String, links: [Int32])]) throws -> PPPoELines {
    var lines = PPPoELines(directory("pppoe"))
    for reading in readings {
      try directory.write("pppoe", reading.sessions)
      lines.update(reading.links)
    }
    return lines
  }

  @Test func `the list of the kernel names the device of each session`() {
    #expect(PPPoELines.devices(in: Array(Self.one.utf8)) == ["eth0"])
    #expect(PPPoELines.devices(in: Array((Self.one + Self.long).utf8)) == ["eth0", "enp0s31f6u1u2"])
    #expect(PPPoELines.devices(in: Array(Self.header.utf8)).isEmpty)
    #expect(PPPoELines.devices(in: []).isEmpty)
  }

  @Test func `the name of a device may have odd bytes, and text that is no session is left out`() {
    let start = Array("01000000 02:00:00:00:00:01 ".utf8)
    #expect(PPPoELines.devices(in: start + [0xff, 0x01, 0x22]) == [String(nameBytes: [0xff, 0x01, 0x22])])
    #expect(PPPoELines.devices(in: start + [UInt8](repeating: 0x61, count: 16)).isEmpty)
    #expect(PPPoELines.devices(in: start + Array("     ".utf8)).isEmpty)
    #expect(PPPoELines.devices(in: Array("01000000 02-00-00-00-00-01     eth0\n".utf8)).isEmpty)
    for length in Self.one.utf8.indices {
      _ = PPPoELines.devices(in: Array(Self.one.utf8[..<length]))
    }
  }

  @Test func `a PPP link rests on the device of the only session, two links on that of two sessions on it`() throws {
    let lines = try lines((Self.one, [7]))
    #expect(lines[7] == "eth0" && lines[8] == nil)
    let two = try self.lines((Self.one + "02000000 02:00:00:00:00:01     eth0\n", [7, 9]))
    #expect(two[7] == "eth0" && two[9] == "eth0")
  }

  @Test func `a link keeps its device when the session ends before it, and a new link has none`() throws {
    let lines = try lines((Self.one, [7]), (Self.header, [7, 9]))
    #expect(lines[7] == "eth0" && lines[9] == nil)
  }

  @Test func `the device is unknown without one for all links, or without a list that can be read to its end`() throws {
    for readings in [
      [(Self.one + Self.long, [7])], [(Self.one, [7, 9])], [(Self.one, [7]), (Self.one, [7, 9])],
      [(Self.one, [7]), (Self.header, []), (Self.header, [7])],
      [(Self.one + String(repeating: Self.long, count: 2_000), [7])], [(Self.one, Array(1...65))],
    ] as [[(sessions: String, links: [Int32])]] {
      #expect(try lines(readings)[7] == nil)
    }
    var lines = PPPoELines(directory("missing"))
    lines.update([7])
    #expect(lines[7] == nil)
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `the kernel's state has the device, also after it was made again`() async throws {
    try directory.write("pppoe", Self.one)
    let sessions = directory("pppoe")
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      var paths = KernelFilePaths()
      paths.pppoeSessions = sessions
      let kernel = try Kernel(probes: .standard, paths: paths)
      let information = attribute(18, attribute(1, "ppp"))
      let link = MessageBuilder.linkHeader(hardwareType: 512, index: 700, flags: 0x110d1)
      try kernel.receive(
        MessageBuilder.message(
          16, link + attribute(3, "ppp0") + attribute(16, [0]) + information))
      func device() -> String? {
        kernel.state[700]?.link.parentIndex.flatMap { kernel.state[$0]?.link.name }
      }
      #expect(device() == "eth0")
      let former = try #require(kernel.state[700]?.link.parentIndex)

      try namespace.ip("link delete eth0")
      _ = try kernel.drain()
      #expect(device() == nil)
      try namespace.addCable("eth0")
      _ = try kernel.drain()
      #expect(device() == "eth0")
      #expect(kernel.state[700]?.link.parentIndex != former)
    }
  }
}

extension Kernel {
  /// Receives a message as if the kernel had sent it.
  fileprivate func receive(_ bytes: [UInt8]) throws {
    var messages = NetlinkMessages(bytes.span)
    while let message = try messages.next() { try apply(message) }
    try bringUpToDate()
  }
}
