import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// sd_notify(3), with the test as the service manager.
@Suite("pathmonitord's messages to the service manager")
struct NotificationTests {
  /// The daemon and the network that it sees, with a service manager that records all messages.
  private struct Stage {
    var daemon: TestDaemon
    var manager: RunningProgram
    var directory: ScratchDirectory
  }

  private static func makeStage(
    _ arguments: [String] = [], environment: [String: String?] = [:], namespace: String? = nil,
    address: String? = nil
  ) async throws -> Stage {
    let directory = try ScratchDirectory()
    let address = address ?? directory("notify")
    let manager = try Python.datagrams(at: address)
    _ = try await manager.output.wait(lines: 1)
    var environment = environment
    environment["NOTIFY_SOCKET"] = address
    let daemon = try await TestDaemon(arguments, environment: environment, namespace: namespace)
    return Stage(daemon: daemon, manager: manager, directory: directory)
  }

  private static func seen(_ stage: Stage) -> [String] { Array(stage.manager.output.lines.dropFirst()) }

  @Test(arguments: [false, true])
  func `the ready message has the path in words, and the end is reported`(isAbstract: Bool) async throws {
    let stage = try await Self.makeStage(address: isAbstract ? "@pmtest-\(UUID().uuidString)" : nil)
    let ready = try await stage.manager.output.wait(lineWith: "READY=1")
    let path = try await stage.daemon.program.complaints.wait(lines: 1)[0].dropFirst("pathmonitord: ".count)
    #expect(ready == #""READY=1\nSTATUS=\#(path)""#)
    try await stage.daemon.stop()
    try await stage.manager.output.wait(lineWith: "STOPPING=1")
    #expect(Self.seen(stage) == [ready, #""STOPPING=1""#])
  }

  @Test func `when ready is reported the socket is there and answers`() async throws {
    let directory = try ScratchDirectory()
    // The manager connects as soon as it has the message, and prints the result.
    let manager = try RunningProgram([
      "python3", "-u", "-c",
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind(sys.argv[1])
      print("listening")
      print(s.recv(65536).split(b"\\n")[0].decode())
      c = socket.socket(1)
      c.connect(sys.argv[2])
      print("connected")
      """, directory("notify"), directory("socket"),
    ])
    _ = try await manager.output.wait(lines: 1)
    let daemon = try await TestDaemon(
      socket: directory("socket"), environment: ["NOTIFY_SOCKET": directory("notify")])
    #expect(try await manager.waitForExit() == 0)
    #expect(manager.output.lines == ["listening", "READY=1", "connected"])
    try await daemon.stop()
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `each change is reported as a status`() async throws {
    try await TestNetwork.with { network in
      let stage = try await Self.makeStage(namespace: network.near)
      try await stage.manager.output.wait(lineWith: "READY=1")
      try await network.connect()
      try await stage.manager.output.wait(lineWith: #""STATUS=connected over eth0 (wired Ethernet) via 192.0.2.1""#)
      try await network.ip("route delete default")
      try await stage.manager.output.wait(lineWith: #""STATUS=offline: "#)
      try await stage.daemon.stop()
    }
  }

  @Test func `the watchdog gets a message at each half of its time, and from a living daemon only`() async throws {
    let stage = try await Self.makeStage(environment: ["WATCHDOG_USEC": "1000000"])
    func waitForMessages(_ count: Int) async throws {
      _ = try await stage.manager.output.wait(for: "\(count) watchdog messages", within: .seconds(60)) { lines in
        lines.count { $0.contains("WATCHDOG=1") } >= count ? true : nil
      }
    }
    try await waitForMessages(1)
    let first = ContinuousClock.now
    try await waitForMessages(7)
    // On average: on a busy machine a single message may be late.
    #expect(first.duration(to: .now) < .seconds(6))
    stage.daemon.program.send(SIGSTOP)
    // A message that is under way may still come. Then there is silence for several times of the watchdog.
    await #expect(throws: NothingCame.self) {
      let count = Self.seen(stage).count
      _ = try await stage.manager.output.wait(for: "silence", within: .seconds(3)) { $0.count > count + 2 ? true : nil }
    }
    let count = Self.seen(stage).count
    stage.daemon.program.send(SIGCONT)
    _ = try await stage.manager.output.wait(lines: count + 3)
    try await stage.daemon.stop()
  }

  @Test(arguments: [[:], ["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"]])
  func `without a watchdog, and with that of another process, there are no watchdog messages`(
    variables: [String: String]
  ) async throws {
    let stage = try await Self.makeStage(environment: variables.mapValues { $0 })
    try await stage.manager.output.wait(lineWith: "READY=1")
    await #expect(throws: NothingCame.self) {
      try await stage.manager.output.wait(lineWith: "WATCHDOG", within: .seconds(1))
    }
    try await stage.daemon.stop()
  }

  @Test(arguments: ["[Monitor]\nProbe=192.0.2.9\n", "[Monitor]\nProve=192.0.2.9\n"])
  func `a reload is reported with its time, and its end, also when the file is bad`(text: String) async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\n")
    let stage = try await Self.makeStage(["--config", directory("conf")])
    try await stage.manager.output.wait(lineWith: "READY=1")
    let before = Self.monotonicMicroseconds()
    try directory.write("conf", text)
    stage.daemon.program.send(SIGHUP)
    let lines = try await stage.manager.output.wait(lines: 4)
    let prefix = #""RELOADING=1\nMONOTONIC_USEC="#
    #expect(lines[2].hasPrefix(prefix))
    let moment = try #require(Int(lines[2].dropFirst(prefix.count).dropLast()))
    #expect((before...Self.monotonicMicroseconds()).contains(moment))
    #expect(lines[3].hasPrefix(#""READY=1\nSTATUS="#))
    #expect(lines[3].count > #""READY=1\nSTATUS=""#.count)
    try await stage.daemon.stop()
  }

  private static func monotonicMicroseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}
