import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl metrics", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct MetricsVerbTests {
  /// The samples of a text by their names and labels.
  private static func samples(_ text: String) -> [String: Double] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in
        line.lastIndex(of: " ").map { (String(line[..<$0]), Double(line[$0...].dropFirst()) ?? .nan) }
      })
  }

  @Test func `a pulled cable is in the state, the outages and the time of its reason`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let daemon = try await TestDaemon(namespace: network.near)
      let before = Self.samples(try await daemon.pathctl("metrics").output)
      #expect(before["pathmonitor_up"] == 1)
      #expect(before["pathmonitor_path_satisfied"] == 1)
      #expect(before[#"pathmonitor_path_info{device="uplink0",type="wiredEthernet",reason=""}"#] == 1)
      try await network.ip("route delete default")
      let during = Self.samples(try await daemon.pathctl("metrics").output)
      #expect(during["pathmonitor_path_satisfied"] == 0)
      #expect(during["pathmonitor_path_outages_total"] == (before["pathmonitor_path_outages_total"] ?? .nan) + 1)
      #expect(during[#"pathmonitor_unsatisfied_seconds_total{reason="noRoute"}"#] ?? 0 > 0)
      try await network.ip("route add default via 192.0.2.1 metric 100")
      let after = Self.samples(try await daemon.pathctl("metrics", "--openmetrics").output)
      #expect(after["pathmonitor_path_satisfied"] == 1)
      for (name, value) in during where name.contains("_total") { #expect(after[name] ?? -1 >= value, "\(name)") }
      try await daemon.stop()
    }
  }

  @Test func `a service that is gone is pathmonitor_up 0 and success, so that a timer keeps on`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await RunningProgram.pathctl("metrics", "--socket", directory("socket"))
    #expect(outcome.status == 0)
    #expect(Self.samples(outcome.output) == ["pathmonitor_up": 0])
    #expect(outcome.complaints.contains("does not answer"))
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a full disk is reported, and leaves the old file and no draft`() async throws {
    let directory = try ScratchDirectory()
    let script = #"""
      mount -t tmpfs -o size=16k none "$1"; echo old >"$1/path.prom"; head -c 16384 /dev/zero >"$1/full" 2>/dev/null
      "$2" metrics --textfile "$1/path.prom" --socket "$1/none"; echo "$?"; cat "$1/path.prom"; ls -A "$1"
      """#
    let outcome = try await RunningProgram.run(
      ["unshare", "-m", "sh", "-c", script, "sh", directory.path, RunningProgram.pathctl])
    #expect(outcome.output == "69\nold\nfull\npath.prom\n")
    #expect(
      outcome.complaints.hasSuffix("pathctl: cannot write \(directory("path.prom")): No space left on device.\n"),
      "\(outcome.complaints)")
  }

  @Test func `a file that may not grow is reported, although the kernel would end the program`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await RunningProgram.run([
      "bash", "-c", #"ulimit -f 0; exec "$@""#, "bash", RunningProgram.pathctl, "metrics", "--textfile",
      directory("path.prom"), "--socket", directory("none"),
    ])
    #expect(outcome.status == 69)
    #expect(
      outcome.complaints.hasSuffix("pathctl: cannot write \(directory("path.prom")): File too large.\n"),
      "\(outcome.complaints)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory(".")).isEmpty)
  }

  @Test func `a file that cannot be written is 69, with the reason, and leaves nothing behind`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await RunningProgram.pathctl(
      "metrics", "--textfile", directory("missing/path.prom"), "--socket", directory("none"))
    #expect(outcome.status == 69)
    #expect(outcome.complaints.contains("missing/path.prom: No such file or directory"))
  }

  @Test func `metrics never take the place of a link or a pipe`() async throws {
    let directory = try ScratchDirectory()
    try await RunningProgram.succeed(["mkfifo", directory("pipe")])
    try FileManager.default.createSymbolicLink(atPath: directory("link"), withDestinationPath: "pipe")
    for name in ["pipe", "link", "."] {
      let outcome = try await RunningProgram.pathctl(
        "metrics", "--textfile", directory(name), "--socket", directory("none"))
      #expect(outcome.status == 64, "\(name)")
      #expect(
        outcome.complaints.hasSuffix(
          " is not a regular file. Name another one, or leave --textfile out for standard output.\n"),
        "\(outcome.complaints)")
      #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory("."))
    #expect(left.sorted() == ["link", "pipe"])
  }
}
