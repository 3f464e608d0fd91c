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
    let outcome = try await ScriptedService([]).pathctl("metrics")
    #expect(outcome.status == 0)
    #expect(Self.samples(outcome.output) == ["pathmonitor_up": 0])
    #expect(outcome.complaints.hasSuffix(": No such file or directory. Is pathmonitord running?\n"), "\(outcome)")
    #expect(outcome.complaints.isOneLine)
  }

  @Test(arguments: [
    ("full/path.prom", 69, "full/path.prom: No space left on device.\n"),
    ("none/path.prom", 69, "none/path.prom: No such file or directory.\n"),
    ("pipe", 64, " is not a regular file. Name another one, or leave --textfile out for standard output.\n"),
    ("link", 64, " is not a regular file. Name another one, or leave --textfile out for standard output.\n"),
  ])
  func `a file that cannot be written is reported, and nothing else takes its place`(
    file: String, status: Int, complaint: String
  ) async throws {
    let directory = try ScratchDirectory()
    let script = #"""
      cd "$1"; mkdir full; mount -t tmpfs -o size=16k none full; mkfifo pipe; ln -s pipe link
      echo old >full/path.prom; head -c 16384 /dev/zero >full/zero 2>/dev/null
      "$2" metrics --textfile "$1/$3" --socket "$1/none"; echo "$?"; cat full/path.prom; ls -A . full; readlink link
      """#
    let outcome = try await RunningProgram.run(
      ["unshare", "-m", "sh", "-c", script, "sh", directory.path, RunningProgram.pathctl, file])
    #expect(outcome.output == "\(status)\nold\n.:\nfull\nlink\npipe\n\nfull:\npath.prom\nzero\npipe\n")
    #expect(outcome.complaints.hasSuffix(complaint), "\(outcome.complaints)")
  }
}
