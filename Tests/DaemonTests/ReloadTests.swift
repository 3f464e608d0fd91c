import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("The configuration file of pathmonitord")
struct ReloadTests {
  private static func run(_ directory: ScratchDirectory, config: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      [RunningProgram.pathmonitord, "--socket", directory("socket"), "--config", directory(config)])
  }

  @Test func `a file that was named must be there`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await Self.run(directory, config: "none")
    #expect(outcome.status == 64)
    #expect(
      outcome.complaints == """
        pathmonitord: cannot open \(directory("none")): No such file or directory. \
        Name a file that can be read, or leave --config out.

        """)
  }

  @Test(arguments: [
    ("[Monitor]\nProbe=router\n", "line 2: 'router' is no address for Probe=: IPv4 or IPv6 in numbers is needed"),
    ("[Monitor]\n\nSettle=5x\n", "line 3: '5x' is no time for Settle=: 'x' is not a unit (us, ms, s, min, h, d, w)"),
    ("[Monitor]\nProbes=192.0.2.1\n", "line 2: there is no key 'Probes' in [Monitor]"),
    ("[Network]\n", "line 1: there is no section '[Network]'; allowed: [Monitor]"),
  ])
  func `a mistake in a file that was named is told with its place`(text: String, message: String) async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", text)
    let outcome = try await Self.run(directory, config: "conf")
    #expect(outcome.status == 64)
    #expect(outcome.complaints.hasPrefix("pathmonitord: \(directory("conf")), \(message)"), "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: directory("socket")))
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a reload takes over probes without dropping a subscriber, and a bad file changes nothing`() async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try directory.write("conf", "[Monitor]\nSettle=0\n")
      let daemon = try await TestDaemon(["--config", directory("conf")], namespace: network.near)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      // There is a way to 203.0.113.0/24 only, which stands for nothing yet.
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)", "link set eth0 up")
      try await network.ipFar("link set eth0 up")
      try await network.ip("address add 192.0.2.2/24 dev eth0", "route add 203.0.113.0/24 via 192.0.2.1")
      #expect(try await daemon.pathctl("status").status == 1)

      try directory.write("conf", "[Monitor]\nProbe=203.0.113.5\nSettle=0\n")
      daemon.program.send(SIGHUP)
      try await watcher.output.wait(lineWith: #""status":"satisfied""#)
      #expect(try await daemon.pathctl("status").status == 0)
      #expect(watcher.complaints.text.isEmpty, "the subscriber has not noticed")

      try directory.write("conf", "[Monitor]\nProbe=203.0.113.5\nSettel=0\n")
      daemon.program.send(SIGHUP)
      let warning = try await daemon.program.complaints.wait(lineWith: "Settel")
      #expect(
        warning == """
          pathmonitord: \(directory("conf")), line 3: there is no key 'Settel' in [Monitor] (did you mean 'Settle'?); \
          allowed: Probe=, Settle=. The file is not used; mend the line, then reload.
          """)
      #expect(try await daemon.pathctl("status").status == 0)
      #expect(watcher.isRunning)
      #expect(watcher.complaints.text.isEmpty)

      try directory.write("conf", "[Monitor]\nProbe=203.0.113.5\nSettle=0\n")
      daemon.program.send(SIGHUP)
      try await daemon.program.complaints.wait(lineWith: "read again")
      try await network.ip("route delete 203.0.113.0/24")
      _ = try await watcher.output.wait(for: "the loss") { lines in
        lines.last.flatMap { $0.contains(#""status":"unsatisfied""#) ? true : nil }
      }
      try await daemon.stop()
    }
  }

  @Test func `a file that has gone is told, and the daemon goes on`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nSettle=10s\n")
    let daemon = try await TestDaemon(["--config", directory("conf")])
    try FileManager.default.removeItem(atPath: directory("conf"))
    daemon.program.send(SIGHUP)
    try await daemon.program.complaints.wait(lineWith: "cannot open \(directory("conf"))")
    #expect(try await daemon.pathctl("health").status == 0)
    try await daemon.stop()
  }
}
