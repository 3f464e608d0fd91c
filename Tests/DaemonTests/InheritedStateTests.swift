import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("Limits and settings that programs inherit", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct InheritedStateTests {
  @Test func `a service whose files may not grow goes on, and says that an override is lost at its end`() async throws {
    let daemon = try await TestDaemon(launcher: ["bash", "-c", "ulimit -f 0; exec \"$@\"", "bash"])
    let set = try await daemon.pathctl("override", "set", "metered", "yes")
    #expect(set.complaints.contains("File too large") || set.status == 0, "\(set)")
    let health = try await daemon.pathctl("health")
    #expect(health.output.contains("File too large"), "\(health)")
    #expect(daemon.program.isRunning)
    try await daemon.stop()
  }

  @Test(arguments: 4...24)
  func `a service serves its clients, or ends with a sentence about descriptors`(count: Int) async throws {
    let directory = try ScratchDirectory()
    let service = try RunningProgram.service(at: directory("socket"), descriptors: count)
    // The first line is the path, or the reason for the end.
    let line = try await service.complaints.wait(lines: 1)[0]
    if line.contains("Too many open files") || line.contains("too few files may be open; raise the limit") {
      #expect(try await service.waitForExit() == 69)
      #expect(line.hasPrefix("pathmonitord: cannot "), "\(line)")
    } else if line.contains("error while loading shared libraries") {
      // The program needs three descriptors to be loaded.
      #expect(try await service.waitForExit() == 127)
    } else {
      let health = try await RunningProgram.pathctl("health", "--socket", directory("socket"))
      #expect(health.status == 0, "\(line) \(health)")
      service.send(SIGTERM)
      #expect(try await service.waitForExit() == 0)
    }
  }

  @Test func `metrics have the totals of the history where the parent ignores the ends of its children`() async throws {
    let daemon = try await TestDaemon()
    let history = RunningProgram.built("pathmonitor-history")
    let script = #"""
      mount -t tmpfs none /var/lib && mkdir /var/lib/pathmonitor-history
      "$1" record --socket "$3" & recorder=$!
      recording() { "$2" metrics --socket "$3" 2>/dev/null | grep -q "^pathmonitor_history_up 1"; }
      for attempt in $(seq 200); do recording "$@" && break; sleep 0.1; done
      ignoring='import os, signal, sys
      signal.signal(signal.SIGCHLD, signal.SIG_IGN)
      os.execv(sys.argv[1], sys.argv[1:])'
      python3 -c "$ignoring" "$2" metrics --socket "$3" | grep ^pathmonitor_history_up
      kill $recorder; wait
      """#
    let outcome = try await RunningProgram.run(
      ["unshare", "--mount", "sh", "-c", script, "sh", history, RunningProgram.pathctl, daemon.socket])
    #expect(outcome.output == "pathmonitor_history_up 1\n", "\(outcome)")
    try await daemon.stop()
  }

  @Test(arguments: [["watch", "--direct"], ["watch", "--direct", "--json"]])
  func `a full pipe that nobody reads keeps no verb from its end`(words: [String]) async throws {
    let directory = try ScratchDirectory()
    // The program itself holds the end for reading, so that the pipe never breaks.
    let script = "mkfifo $0 && exec 3<>$0 && head -c 65536 /dev/zero >&3 && exec \"$@\" >&3 2>&3"
    let program = try RunningProgram(["bash", "-c", script, directory("fifo"), RunningProgram.pathctl] + words)
    var isReady = false
    for _ in 0..<200 where !isReady {
      try await Task.sleep(for: .milliseconds(100))
      isReady = try program.blocks(SIGTERM)
    }
    #expect(isReady)
    program.send(SIGTERM)
    _ = try await program.waitForExit()
  }

  @Test(arguments: ["100000", "-1000"])
  func `moments are those of the machine in a time namespace`(offset: String) async throws {
    let directory = try ScratchDirectory()
    let daemon = try await TestDaemon(socket: directory("socket"))
    #expect(try await daemon.pathctl("override", "set", "metered", "yes", "--for", "1h").status == 0)
    let elsewhere = ["unshare", "--time", "--boottime", offset, "--fork", RunningProgram.pathctl]
    let list = try await RunningProgram.run(elsewhere + ["override", "list", "--socket", daemon.socket])
    #expect(list.output.contains("for 59 min"), "\(list)")
    func moment(_ words: [String]) async throws -> Int {
      let field = ["status", "--direct", "--field", "boottimeMicroseconds"]
      let outcome = try await RunningProgram.run(words + field)
      return try #require(Int(outcome.output.dropLast()), "\(outcome)")
    }
    let before = try await moment([RunningProgram.pathctl])
    let between = try await moment(elsewhere)
    let after = try await moment([RunningProgram.pathctl])
    #expect(before <= between && between <= after)
    try await daemon.stop()
  }
}
