import Foundation
import History
import HistoryTestSupport
import PathModel
import ProcessTestSupport
import Testing

/// The recorder with a real service and a real kernel.
@Suite(.enabled(if: mayMakeNamespaces, "needs root for a network namespace of its own"))
struct RecorderTests {
  private let directory: ScratchDirectory
  private let file: String
  private let socket: String

  init() throws {
    directory = try ScratchDirectory()
    (file, socket) = (directory("history.sqlite"), directory("socket"))
  }

  /// Runs a test with a machine that is connected.
  private func connected(_ body: @Sendable (TestNetwork) async throws -> Void) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      try await body(network)
    }
  }

  /// Runs a test with a service and a recorder that has recorded the path.
  private func recorded(
    _ body: @Sendable (TestNetwork, TestDaemon, RunningRecorder) async throws -> Void
  ) async throws {
    try await connected { network in
      let daemon = try await daemon(network)
      let recorder = try RunningRecorder(file, socket: socket)
      try await waitForStates("up", in: file)
      try await body(network, daemon, recorder)
    }
  }

  /// Runs a test with a service and a recorder that has recorded the beginning of an outage.
  private func inOutage(
    _ body: @Sendable (TestNetwork, TestDaemon, RunningRecorder) async throws -> Void
  ) async throws {
    try await recorded { network, daemon, recorder in
      try await network.ip("route del default")
      try await waitForStates("up", "down", in: file)
      try await body(network, daemon, recorder)
    }
  }

  private func daemon(_ network: TestNetwork) async throws -> TestDaemon {
    try await TestDaemon(socket: socket, namespace: network.near)
  }

  @Test func `a recorder that is killed in an outage has not watched until it is back`() async throws {
    try await inOutage { network, daemon, first in
      try await first.running.killAndWait()
      let known = try #require(try storedSpans(file).last)
      let second = try RunningRecorder(file, socket: socket)
      try await waitForStates("down", "gap", "down", in: file)
      try await network.ip("route add default via 192.0.2.1 dev eth0")
      try await waitForStates("down", "gap", "down", "up", in: file)
      try await second.stop()
      try await daemon.stop()
      let recorded = try storedSpans(file)
      #expect(recorded.first { $0.number == known.number }?.duration == known.duration)
      let totals = try StoredHistory(reading: file).lifetimeTotals()
      #expect(totals == ListedHistory(recorded).lifetimeTotals())
      #expect(totals.outages == 2)
    }
  }

  @Test func `a service that is killed in an outage is not watched until it is back`() async throws {
    try await inOutage { network, first, recorder in
      try await first.program.killAndWait()
      try await waitForStates("down", "gap", in: file)
      try await network.ip("route add default via 192.0.2.1 dev eth0")
      let second = try await daemon(network)
      try await waitForStates("down", "gap", "up", in: file)
      try await recorder.stop()
      try await second.stop()
    }
  }

  @Test func `a damaged history is kept aside, reported once, and a new one begins`() async throws {
    try await recorded { _, daemon, first in
      try await first.stop()
      let torn = try Data(contentsOf: URL(fileURLWithPath: file)).dropLast(1_000)
      try torn.write(to: URL(fileURLWithPath: file))
      let second = try RunningRecorder(file, socket: socket)
      try await waitForStates("up", in: file)
      try await second.stop()
      try await daemon.stop()
      let complaints = second.running.complaints.lines
      #expect(complaints.count == 1)
      let aside = try #require(complaints.first?.firstMatch(of: /It is kept as (.*), and a new history begins/)).1
      #expect(try Data(contentsOf: URL(fileURLWithPath: String(aside))) == torn)
    }
  }

  @Test func `a recorder whose history is locked ends at once, and loses nothing`() async throws {
    try await recorded { network, daemon, recorder in
      let reader = try RunningProgram(["python3", "-u", "-c", Self.holding, file])
      try await reader.output.wait(lineWith: "reading")
      try await network.ipFar("link set eth0 down")
      _ = try await recorder.running.complaints.wait(lineWith: "Changes are kept in memory")
      let began = ContinuousClock.now
      try await recorder.stop()
      #expect(began.duration(to: .now) < .seconds(5))
      #expect(recorder.running.complaints.lines.last?.contains("Nothing is missing in it") == true)
      // The reader holds the former file, and nothing of the copying is left.
      try await waitForStates("up", "down", "gap", in: file)
      #expect(!FileManager.default.fileExists(atPath: "\(file)-copy"))
      let next = try RunningRecorder(file, socket: socket)
      try await waitForStates("up", "down", "gap", "down", in: file)
      try await next.stop()
      #expect(areContiguous(Array(try storedSpans(file).prefix(2))))
      try await reader.killAndWait()
      try await daemon.stop()
    }
  }

  /// Begins to read a database and stops in the middle.
  private static let holding = """
    import sqlite3, sys, time
    history = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, isolation_level=None)
    history.execute("BEGIN")
    history.execute("SELECT count(*) FROM span").fetchall()
    print("reading")
    time.sleep(600)
    """

  @Test(arguments: ["size=48k", "ro"])
  func `a disk that is full or read-only costs no change`(disk: String) async throws {
    try await connected { network in
      let daemon = try await daemon(network)
      let disk = """
        mount -t tmpfs -o \(disk) disk "$0" && exec "$@"
        """
      let mount = directory("disk")
      try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
      let recorder = try RunningRecorder(
        "\(mount)/history.sqlite", socket: socket, launcher: ["unshare", "--mount", "sh", "-c", disk, mount],
        environment: ["RUNTIME_DIRECTORY": directory.path])
      let complaint = try await recorder.running.complaints.wait(lineWith: "Changes are kept in memory")
      #expect(complaint.contains("cannot"))
      try await daemon.waitForSubscribers(1)
      try await network.ipFar("link set eth0 down")
      try await daemon.waitForPath("offline")
      try await network.ipFar("link set eth0 up")
      try await daemon.waitForPath("connected")
      // Readers of the history see that it lacks the loss and the return.
      let number = directory("unwritten")
      try await waitUntil(#"[ "$(cat "$1" 2>/dev/null || echo 0)" -ge 2 ]"#, number)
      let inside = ["nsenter", "--mount", "--target", "\(recorder.running.processIdentifier)"]
      try await RunningProgram.succeed(inside + ["mount", "-o", "remount,rw,size=16m", mount])
      _ = try await recorder.running.complaints.wait(lineWith: "Nothing is missing in it")
      try await waitUntil(#"[ ! -e "$1" ]"#, number)
      try await waitForStates("up", "down", "up", in: "\(mount)/history.sqlite", launcher: inside)
      try await RunningProgram.succeed(inside + ["cp", "\(mount)/history.sqlite", file])
      #expect(areContiguous(try storedSpans(file)))
      try await recorder.stop()
      try await daemon.stop()
      #expect(recorder.running.complaints.lines.count == 2)
    }
  }
}

/// Waits until a condition of the shell holds for the file `$1`.
private func waitUntil(_ condition: String, _ file: String) async throws {
  let loop = "until \(condition); do sleep 0.02; done"
  #expect(try await RunningProgram.run(["sh", "-c", loop, "sh", file], within: .seconds(30)).status == 0)
}

extension TestDaemon {
  /// Waits until the path is as required.
  fileprivate func waitForPath(_ requirement: String) async throws {
    let outcome = try await pathctl("wait", requirement, "--timeout", "20s")
    guard outcome.status == 0 else { throw NothingCame(description: outcome.complaints) }
  }
}

/// The script of `make history-outages`, for a few short ones.
@Suite(.enabled(if: mayMakeNamespaces, "needs root for a network namespace of its own"))
struct ScriptedOutageTests {
  @Test func `each scripted outage is recorded with its cause, and no other`() async throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "History/outages").path
    let programs = URL(fileURLWithPath: RunningRecorder.program).deletingLastPathComponent().path
    let outcome = try await RunningProgram.run(
      [
        "python3", script, "--count", "18", "--machines", "3", "--longest", "0.6", "--untimed", "--programs", programs,
      ], within: .seconds(120))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
    #expect(outcome.output.contains("18 outages"))
  }
}
