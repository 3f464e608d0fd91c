import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The daemon with standard error at a journal that the test plays, in a mount namespace where
/// `/run/systemd/journal/socket` is the test's.
@Suite(
  "What pathmonitord writes to the journal",
  .enabled(if: mayMakeNamespaces, "needs root for namespaces of its own"))
struct JournalTests {
  private static let script = """
    import json, os, socket, subprocess, sys
    subprocess.run(["mount", "-t", "tmpfs", "journal", "/run/systemd"], check=True)
    os.makedirs("/run/systemd/journal")
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind("/run/systemd/journal/socket")
    # The stream that a unit's standard error is connected to.
    ours, theirs = socket.socketpair()
    status = os.fstat(theirs.fileno())
    environment = dict(os.environ, JOURNAL_STREAM=f"{status.st_dev}:{status.st_ino}")
    daemon = subprocess.Popen(sys.argv[1:], stderr=theirs, env=environment)
    print(json.dumps({"pid": str(daemon.pid)}))
    while True:
        data, entry = s.recv(1 << 16), {}
        while data:
            line, _, data = data.partition(b"\\n")
            name, sign, value = line.partition(b"=")
            if not sign:
                length = int.from_bytes(data[:8], "little")
                value, data = data[8:8 + length], data[9 + length:]
            entry[name.decode()] = value.decode()
        print(json.dumps(entry))
    """

  private struct Daemon {
    let process: Int32
    /// The process that plays the journal.
    let journal: Int32
    let directory: ScratchDirectory
    var socket: String { directory("socket") }

    /// Starts a watch of its path.
    func watch() throws -> RunningProgram {
      try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", socket])
    }
  }

  private static func withJournal(
    configuration: String = "", _ body: (TestNetwork, LineLog, Daemon) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try directory.write("conf", configuration)
      try FileManager.default.createDirectory(atPath: "/run/systemd", withIntermediateDirectories: true)
      let journal = try RunningProgram(
        [
          "unshare", "-m", "--propagation", "private", "python3", "-u", "-c", Self.script, RunningProgram.pathmonitord,
          "--socket", directory("socket"), "--config", directory("conf"),
        ], namespace: network.near)
      let first = try await journal.output.wait(lines: 1)
      let process = try #require(Self.entry(first[0])["pid"].flatMap { Int32($0) })
      defer {
        kill(process, SIGKILL)
        journal.kill()
      }
      let stage = Daemon(process: process, journal: journal.processIdentifier, directory: directory)
      try await body(network, journal.output, stage)
    }
  }

  private static func entry(_ line: String) -> [String: String] {
    let members = (try? JSONValue(parsing: Array(line.utf8)))?.objectValue?.members ?? []
    return Dictionary(members.map { ($0.key, $0.value.stringValue ?? "") }) { $1 }
  }

  private static let changed = "7c1a4b6de0f94b0f8a3f6c1d2e5b9a47"

  @Test func `each change is one entry with its fields, and nothing else is written`() async throws {
    let rule = "[Match]\nName=eth0\n[Path]\nExpensive=yes\nConstrained=yes\n"
    try await Self.withJournal(configuration: rule) { network, journal, _ in
      try await journal.wait(lineWith: "PATH_STATUS")
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      try await network.ipFar("link set eth0 down")
      _ = try await journal.wait(for: "the loss") { $0.last?.contains(#""REASON": "noCarrier""#) == true ? true : nil }
      let entries = journal.lines.dropFirst().map(Self.entry)
      #expect(entries.allSatisfy { $0["MESSAGE_ID"] == Self.changed })
      #expect(entries.allSatisfy { $0["PRIORITY"] == "5" && $0["SYSLOG_IDENTIFIER"] == "pathmonitord" })
      let connected = try #require(entries.first { $0["INTERFACE"] == "eth0" })
      #expect(connected["MESSAGE"] == "connected over eth0 (wired Ethernet) via 192.0.2.1, metered, constrained")
      for (field, value) in [
        ("PATH_STATUS", "satisfied"), ("PATH_KNOWLEDGE", "known"), ("INTERFACE_TYPE", "wiredEthernet"),
        ("REASON", ""), ("DIAGNOSIS", ""), ("PATH_EXPENSIVE", "true"), ("PATH_CONSTRAINED", "true"),
      ] {
        #expect(connected[field] == value, "\(field)")
      }
      let lost = try #require(entries.last)
      #expect(lost["PATH_STATUS"] == "unsatisfied" && lost["MESSAGE"]?.hasPrefix("offline: eth0, ") == true)
      #expect(lost["DIAGNOSIS"] == "noCarrier" && lost["DIAGNOSIS_SUBJECT"] == "eth0")
    }
  }

  @Test func `after a burst of changes one entry stands for all that follow, at the latest at the end`() async throws {
    try await Self.withJournal { network, journal, daemon in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      let watch = try daemon.watch()
      // The journal has the changes that a watch has, and so has the limit.
      for number in 0..<24 {
        _ = try await watch.output.wait(lines: 1 + number)
        try await network.ip("route \(number % 2 == 0 ? "delete default" : "add default via 192.0.2.1 dev eth0")")
      }
      _ = try await watch.output.wait(lines: 25)
      watch.kill()
      kill(daemon.process, SIGTERM)
      let sum = Self.entry(try await journal.wait(lineWith: "PATH_CHANGES"))
      let changes = try #require(sum["PATH_CHANGES"].flatMap { Int($0) })
      #expect(changes >= 4)
      #expect(sum["MESSAGE"]?.contains("; \(changes) changes in the last ") == true)
      #expect(sum["MESSAGE"]?.hasPrefix("connected over eth0") == true)
      let entries = journal.lines.map(Self.entry).filter { $0["MESSAGE_ID"] == Self.changed }
      #expect(entries.count == 21, "twenty, and the sum")
    }
  }

  @Test func `a bad configuration is a warning`() async throws {
    try await Self.withJournal { _, journal, daemon in
      try await journal.wait(lineWith: "PATH_STATUS")
      try daemon.directory.write("conf", "[Monitor]\nSettle=soon\n")
      kill(daemon.process, SIGHUP)
      let warning = Self.entry(try await journal.wait(lineWith: "Settle="))
      #expect(warning["PRIORITY"] == "4")
      #expect(warning["MESSAGE_ID"] == nil)
      #expect(warning["MESSAGE"]?.contains("line 2") == true)
    }
  }

  @Test func `if standard error is no journal, changes are reported only on request`() async throws {
    let directory = try ScratchDirectory()
    let quiet = try RunningProgram(
      [RunningProgram.pathmonitord, "--socket", directory("socket")], environment: ["JOURNAL_STREAM": "1:2"])
    try await RunningProgram.succeed(["sh", "-c", "until [ -S $0 ]; do sleep 0.01; done", directory("socket")])
    #expect(try await RunningProgram.pathctl("health", "--socket", directory("socket")).status == 0)
    quiet.send(SIGTERM)
    #expect(try await quiet.waitForExit() == 0)
    #expect(quiet.complaints.text.isEmpty && quiet.output.text.isEmpty)
  }

  @Test func `a journal that does not read keeps nobody waiting, and learns how many entries it has missed`()
    async throws
  {
    try await Self.withJournal { network, journal, daemon in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      // On a busy machine the network has had an address without a route before.
      let former = journal.lines.count
      #expect(kill(daemon.journal, SIGSTOP) == 0)
      defer { kill(daemon.journal, SIGCONT) }
      // Another program fills the journal's queue, and the daemon goes on.
      let fill = """
        import socket
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.setblocking(False)
        try:
            while True: s.sendto(b"OTHER=1\\n", "/run/systemd/journal/socket")
        except BlockingIOError: pass
        """
      let words = ["nsenter", "-t", "\(daemon.process)", "-m", "python3", "-c", fill]
      #expect(try await RunningProgram.run(words).status == 0)
      let watch = try daemon.watch()
      try await watch.output.wait(lineWith: "eth0")
      try await network.ip("route delete default")
      try await watch.output.wait(lineWith: "noRoute")
      // The watch has the change when it has settled, and the next answer comes when its entry is sent, too.
      #expect(try await RunningProgram.pathctl("health", "--socket", daemon.socket).status == 0)
      watch.kill()
      kill(daemon.journal, SIGCONT)
      try await network.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      let warning = Self.entry(try await journal.wait(lineWith: "the journal has not taken 1 entry"))
      #expect(warning["PRIORITY"] == "4")
      #expect(!journal.lines.dropFirst(former).contains { $0.contains("noRoute") })
    }
  }
}
