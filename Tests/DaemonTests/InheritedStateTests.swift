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
}
