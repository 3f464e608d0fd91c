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

  private static func withJournal(
    _ arguments: [String] = [], _ body: (TestNetwork, LineLog, _ daemon: Int32) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try FileManager.default.createDirectory(atPath: "/run/systemd", withIntermediateDirectories: true)
      let journal = try RunningProgram(
        [
          "unshare", "-m", "--propagation", "private", "python3", "-u", "-c", Self.script, RunningProgram.pathmonitord,
          "--socket", directory("socket"),
        ] + arguments, namespace: network.near)
      let first = try await journal.output.wait(lines: 1)
      let daemon = try #require(Self.entry(first[0])["pid"].flatMap { Int32($0) })
      defer {
        kill(daemon, SIGKILL)
        journal.kill()
      }
      try await body(network, journal.output, daemon)
    }
  }

  private static func entry(_ line: String) -> [String: String] {
    let members = (try? JSONValue(parsing: Array(line.utf8)))?.objectValue?.members ?? []
    return Dictionary(members.map { ($0.key, $0.value.stringValue ?? "") }) { $1 }
  }

  private static let changed = "7c1a4b6de0f94b0f8a3f6c1d2e5b9a47"

  @Test func `each change is one entry with its fields, and nothing else is written`() async throws {
    try await Self.withJournal { network, journal, _ in
      try await journal.wait(lineWith: "PATH_STATUS")
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      try await network.ip("route delete default")
      _ = try await journal.wait(for: "the loss") { $0.last?.contains(#""REASON": "noRoute""#) == true ? true : nil }
      let entries = journal.lines.dropFirst().map(Self.entry)
      #expect(entries.allSatisfy { $0["MESSAGE_ID"] == Self.changed })
      #expect(entries.allSatisfy { $0["PRIORITY"] == "5" && $0["SYSLOG_IDENTIFIER"] == "pathmonitord" })
      let connected = try #require(entries.first { $0["INTERFACE"] == "eth0" })
      #expect(connected["MESSAGE"] == "connected over eth0 (wired Ethernet) via 192.0.2.1")
      #expect(connected["PATH_STATUS"] == "satisfied")
      #expect(connected["PATH_KNOWLEDGE"] == "known")
      #expect(connected["INTERFACE_TYPE"] == "wiredEthernet")
      #expect(connected["REASON"] == "")
      #expect(connected["PATH_EXPENSIVE"] == "false")
      #expect(connected["PATH_CONSTRAINED"] == "false")
      let lost = try #require(entries.last)
      #expect(lost["PATH_STATUS"] == "unsatisfied")
      #expect(lost["REASON"] == "noRoute")
      #expect(lost["MESSAGE"]?.hasPrefix("offline: ") == true)
    }
  }

  @Test func `a loss by policy rules names the rule, and a lost rule for table main is no missing route`() async throws
  {
    try await Self.withJournal { network, journal, _ in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      try await network.ip("rule add priority 100 prohibit")
      let refused = Self.entry(try await journal.wait(lineWith: #""REASON": "prohibited""#))
      #expect(refused["DIAGNOSIS"] == "refusedByRule")
      #expect(refused["DIAGNOSIS_SUBJECT"] == "rule 100")
      #expect(
        refused["MESSAGE"]
          == "offline: the kernel answers EACCES by policy rule 100 (from all prohibit) before table main")
      try await network.ip("rule delete priority 32766", "rule delete priority 100")
      // The last line: the moment before the first route may have an entry with this reason, too.
      let lost = Self.entry(
        try await journal.wait(for: "the loss") { lines in
          lines.last.flatMap { $0.contains(#""REASON": "noRoute""#) ? $0 : nil }
        })
      #expect(lost["DIAGNOSIS"] == "noRuleForMainTable")
      #expect(lost["MESSAGE"] == "offline: no policy rule leads to table main, which has a default route")
    }
  }

  @Test func `the cost of the path is in the sentence and in fields`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "")
    try FileManager.default.createDirectory(atPath: directory("conf.d"), withIntermediateDirectories: false)
    try directory.write("conf.d/rule.conf", "[Match]\nName=eth0\n[Path]\nExpensive=yes\nConstrained=yes\n")
    try await Self.withJournal(["--config", directory("conf")]) { network, journal, _ in
      try await network.connect()
      let entry = Self.entry(try await journal.wait(lineWith: #""INTERFACE": "eth0""#))
      #expect(entry["MESSAGE"] == "connected over eth0 (wired Ethernet) via 192.0.2.1, metered, constrained")
      #expect(entry["PATH_EXPENSIVE"] == "true")
      #expect(entry["PATH_CONSTRAINED"] == "true")
    }
  }

  @Test func `an event that changes nothing is not written`() async throws {
    try await Self.withJournal { network, journal, _ in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      let count = journal.lines.count
      try await network.ip(
        "route add 203.0.113.0/24 via 192.0.2.1", "link add idle0 type veth peer name idle1",
        "link set idle0 addrgenmode none",
        "link set idle0 up",
        "route delete 203.0.113.0/24", "route replace default via 192.0.2.1 dev eth0 metric 100")
      await #expect(throws: NothingCame.self) {
        _ = try await journal.wait(for: "another entry", within: .seconds(2)) { $0.count > count ? true : nil }
      }
    }
  }

  @Test func `after a burst of changes one entry stands for all that follow, at the latest at the end`() async throws {
    try await Self.withJournal { network, journal, daemon in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      let socket = try #require(try Self.argument(after: "--socket", of: daemon))
      let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", socket])
      // The journal has the changes that a watch has, and so has the limit.
      for number in 0..<24 {
        _ = try await watch.output.wait(lines: 1 + number)
        try await network.ip("route \(number % 2 == 0 ? "delete default" : "add default via 192.0.2.1 dev eth0")")
      }
      _ = try await watch.output.wait(lines: 25)
      watch.kill()
      kill(daemon, SIGTERM)
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
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\n")
    try await Self.withJournal(["--config", directory("conf")]) { _, journal, daemon in
      try await journal.wait(lineWith: "PATH_STATUS")
      try directory.write("conf", "[Monitor]\nSettle=soon\n")
      kill(daemon, SIGHUP)
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
    let manager = directory("socket")
    _ = try await Python.run(
      """
      import os, sys, time
      deadline = time.monotonic() + 10
      while not os.path.exists(sys.argv[1]) and time.monotonic() < deadline: time.sleep(0.01)
      """, manager)
    #expect(try await RunningProgram.pathctl("health", "--socket", manager).status == 0)
    quiet.send(SIGTERM)
    #expect(try await quiet.waitForExit() == 0)
    #expect(quiet.complaints.text.isEmpty)
    #expect(quiet.output.text.isEmpty)
  }

  @Test func `a journal that does not read keeps nobody waiting, and learns how many entries it has missed`()
    async throws
  {
    try await Self.withJournal { network, journal, daemon in
      try await network.connect()
      try await journal.wait(lineWith: #""INTERFACE": "eth0""#)
      // On a busy machine the network has had an address without a route before.
      let former = journal.lines.count
      let player = try #require(try Self.parent(of: daemon))
      #expect(kill(player, SIGSTOP) == 0)
      defer { kill(player, SIGCONT) }
      // Another program fills the journal's queue, and the daemon goes on.
      let fill = """
        import socket
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.setblocking(False)
        try:
            while True: s.sendto(b"OTHER=1\\n", "/run/systemd/journal/socket")
        except BlockingIOError: pass
        """
      let words = ["nsenter", "-t", "\(daemon)", "-m", "python3", "-c", fill]
      #expect(try await RunningProgram.run(words).status == 0)
      let socket = try #require(try Self.argument(after: "--socket", of: daemon))
      let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", socket])
      try await watch.output.wait(lineWith: "eth0")
      try await network.ip("route delete default")
      try await watch.output.wait(lineWith: "noRoute")
      // The watch has the change when it has settled, and the next answer comes when its entry is sent, too.
      #expect(try await RunningProgram.pathctl("health", "--socket", socket).status == 0)
      watch.kill()
      kill(player, SIGCONT)
      try await network.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      let warning = Self.entry(try await journal.wait(lineWith: "the journal has not taken 1 entry"))
      #expect(warning["PRIORITY"] == "4")
      #expect(!journal.lines.dropFirst(former).contains { $0.contains("noRoute") })
    }
  }

  private static func argument(after option: String, of process: Int32) throws -> String? {
    let words = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0")
    return words.firstIndex { $0 == option }.flatMap { words.indices.contains($0 + 1) ? String(words[$0 + 1]) : nil }
  }

  private static func parent(of process: Int32) throws -> Int32? {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
    return line?.split(separator: "\t").last.flatMap { Int32($0) }
  }
}
