import Foundation
import ProcessTestSupport
import Testing

/// The administrator's files in a program that asks the kernel itself, as they change while it runs.
@Suite(
  "Files that change while the kernel is asked directly",
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct DirectSettingsTests {
  /// A watch of the path over `eth0`, with a configuration and a file of overrides of its own.
  private struct Stage {
    let network: TestNetwork
    let files: ScratchDirectory
    let watcher: RunningProgram

    /// Waits until the last line of the watch contains the text.
    func comes(_ text: String) async throws {
      _ = try await watcher.output.wait(for: text) { lines in
        lines.last.flatMap { $0.contains(text) ? true : nil }
      }
    }

    func write(rule: String, to name: String = "50-rule.conf", for interface: String = "eth0") throws {
      try files.write("main.conf.d/\(name)", "[Match]\nName=\(interface)\n[Path]\n\(rule)\n")
    }
  }

  private static let expensive = #""isExpensive":true,"isConstrained":false,"confidence":"user""#
  private static let constrained = #""isExpensive":false,"isConstrained":true"#
  private static let both = #""isExpensive":true,"isConstrained":true"#
  private static let unknown = #""isExpensive":false,"isConstrained":false,"confidence":"unknown""#

  @Test func `addresses of a host beyond those that are shown are counted in a note`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let files = try ScratchDirectory()
      try files.write("hosts", (1...11).map { "198.51.100.\($0) many\n" }.joined())
      let script = #"mount --bind "$1" /etc/hosts && "$0" route many --direct --json"#
      let outcome = try await RunningProgram.run(
        ["unshare", "--mount", "sh", "-c", script, RunningProgram.pathctl, files("hosts")], namespace: network.near)
      #expect(outcome.output.split(separator: #""destination""#).count > 8)
      #expect(
        outcome.complaints
          == "pathctl: 'many' has 3 more addresses, which are not shown. Name one of them to see its path.\n")
    }
  }

  private static func run(_ body: (Stage) async throws -> Void) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let files = try ScratchDirectory()
      try files.write("main.conf", "")
      let watcher = try RunningProgram(
        [
          RunningProgram.pathctl, "watch", "--direct", "--json", "--settle", "0", "--config", files("main.conf"),
          "--socket", files("socket"),
        ], namespace: network.near)
      _ = try await watcher.output.wait(lines: 1)
      try await body(Stage(network: network, files: files, watcher: watcher))
      #expect(watcher.isRunning)
    }
  }

  @Test func `rules and probes apply once they are written, a mistake is reported once, and then the program sleeps`()
    async throws
  {
    try await Self.run { stage in
      #expect(stage.watcher.output.text.contains(Self.unknown))
      try stage.write(rule: "Expensive=yes")
      try await stage.comes(Self.expensive)
      try stage.write(rule: "Expensive=perhaps")
      let complaint = try await stage.watcher.complaints.wait(lineWith: "50-rule.conf, line 4")
      #expect(complaint.contains("The file is used as it was before"))
      let lines = stage.watcher.output.lines.count
      // A change of another file does not repeat the report.
      try stage.write(rule: "Constrained=yes", to: "60-other.conf")
      try await stage.comes(Self.both)
      #expect(stage.watcher.output.lines.count == lines + 1)
      try stage.write(rule: "Constrained=yes", to: "60-other.conf", for: "enp*")
      try await stage.comes(Self.expensive)
      try await stage.network.ip("link property add dev eth0 altname enp0s31f6")
      try await stage.comes(Self.both)
      let explained = try await RunningProgram.pathctl(
        "explain", "--config", stage.files("main.conf"), namespace: stage.network.near)
      #expect(explained.output.contains("link eth0 (index 2, also enp0s31f6, kind veth)"), "\(explained.output)")
      try stage.files.remove("main.conf.d/50-rule.conf")
      try await stage.comes(Self.constrained)
      try await stage.network.ip("link property del dev eth0 altname enp0s31f6")
      try await stage.comes(Self.unknown)
      try await stage.network.ip("route del default", "route add 198.51.100.0/24 via 192.0.2.1 dev eth0")
      try await stage.comes(#""status":"unsatisfied""#)
      try stage.files.write("main.conf", "[Monitor]\nProbe=198.51.100.7\n")
      try await stage.comes(#""status":"satisfied""#)
      try await stage.watcher.expectSleep(for: .seconds(3))
      #expect(stage.watcher.complaints.lines.count == 1)
    }
  }

  @Test func `an override of the service, and its end, apply at once`() async throws {
    try await Self.run { stage in
      let daemon = try await TestDaemon(socket: stage.files("socket"), namespace: stage.network.near)
      #expect(try await daemon.pathctl(line: "override set isExpensive true").status == 0)
      try await stage.comes(Self.expensive)
      #expect(try await daemon.pathctl(line: "override clear").status == 0)
      try await stage.comes(Self.unknown)
      #expect(try await daemon.pathctl(line: "override set isConstrained true --for 2s").status == 0)
      try await stage.comes(Self.constrained)
      try await stage.comes(Self.unknown)
      try await daemon.stop()
      #expect(stage.watcher.complaints.lines.isEmpty)
    }
  }
}
