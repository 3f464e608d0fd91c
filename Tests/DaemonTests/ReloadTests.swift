import Glibc
import ProcessTestSupport
import Testing

@Suite("The configuration file of pathmonitord")
struct ReloadTests {
  private let directory: ScratchDirectory
  /// The file that programs are given.
  private var file: String { directory("conf") }

  init() throws { directory = try ScratchDirectory() }

  /// Writes the file that programs are given.
  private func write(_ text: String) throws { try directory.write("conf", text) }

  /// Writes a file beside it.
  private func write(_ text: String, to name: String) throws { try directory.write("conf.d/\(name)", text) }

  private static func daemon(_ words: String...) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run([RunningProgram.pathmonitord] + words)
  }

  @Test(arguments: [
    "pathmonitord", "status", "check connected", "watch", "wait connected", "run connected -- true", "explain",
    "config",
  ])
  func `a file that is named must be there and be right`(line: String) async throws {
    try directory.write("bad", "[Monitor]\nProbe=router\n")
    for (name, message) in [
      ("none", "cannot open \(directory("none")): No such file or directory"),
      ("bad", "\(directory("bad")), line 2: 'router' is no address"),
    ] {
      let options = "--config \(directory(name)) --socket \(directory("socket"))"
      let isDaemon = line == "pathmonitord"
      let outcome =
        if isDaemon {
          try await RunningProgram.run(
            [RunningProgram.pathmonitord] + options.split(separator: " ").map(String.init))
        } else {
          try await RunningProgram.pathctl(line: "\(options) \(line)", at: directory("socket"))
        }
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.complaints.hasPrefix("\(isDaemon ? line : "pathctl"): \(message)"), "\(outcome.complaints)")
      #expect(outcome.complaints.isOneLine)
    }
  }

  @Test func `a named file that is not there fails a condition`() async throws {
    let line = "check connected --condition --config \(directory("none"))"
    #expect(try await RunningProgram.pathctl(line: line, at: directory("socket")).status == 255)
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a reload reaches subscribers without dropping one, and a file with a mistake is used as it was`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      try write("[Monitor]\nSettle=0\n")
      try write("[Match]\nName=eth0\n[Path]\nExpensive=perhaps\n", to: "10-bad.conf")
      let bad = directory("conf.d/10-bad.conf")
      let daemon = try await TestDaemon(["--config", file], namespace: network.near)
      try await daemon.program.complaints.wait(lineWith: "\(bad), line 4: 'perhaps' is no value")
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      // The bad file may say that the interface is metered, as it does.
      let doubt = try await daemon.pathctl("check", "unmetered")
      #expect(doubt.status == 69)
      #expect(
        doubt.complaints.hasPrefix("pathctl: eth0 may be metered by a rule that is not used: \(bad), line 4"),
        "\(doubt.complaints)")
      #expect(
        doubt.complaints.hasSuffix(
          "Correct the file, which 'pathmonitord --check-config' checks, then 'systemctl reload pathmonitord'.\n"))

      try write("[Match]\nName=eth0\n[Path]\nExpensive=yes\n", to: "10-bad.conf")
      daemon.program.send(SIGHUP)
      try await watcher.output.wait(lineWith: #""isExpensive":true,"isConstrained":false,"cost":{"#)
      let explained = try await daemon.pathctl("explain").output
      #expect(
        explained.contains("  * user  expensive  configuration  Expensive=yes for eth0 in \(bad):4"), "\(explained)")

      // A mistake leaves what the file said before; the other files change.
      try write("[Match]\nNome=eth0\n[Path]\nExpensive=no\n", to: "10-bad.conf")
      try write("[Match]\nType=ethernet\n[Path]\nConstrained=yes\n", to: "20-save.conf")
      daemon.program.send(SIGHUP)
      try await watcher.output.wait(lineWith: #""isExpensive":true,"isConstrained":true"#)
      try await daemon.program.complaints.wait(lineWith: "there is no key 'Nome' in [Match] (did you mean 'Name'?)")

      // There is only a route to 203.0.113.0/24, which contains no probe yet.
      try await network.ip("route delete default", "route add 203.0.113.0/24 via 192.0.2.1")
      try await watcher.output.wait(lineWith: #""status":"unsatisfied""#)
      try write("[Monitor]\nProbe=203.0.113.5\nSettle=0\n")
      daemon.program.send(SIGHUP)
      _ = try await watcher.output.wait(for: "the path to the probe") { lines in
        lines.last.flatMap { $0.contains(#""status":"satisfied""#) ? true : nil }
      }
      #expect(watcher.isRunning && watcher.complaints.text.isEmpty, "the subscriber has not noticed")
      try await daemon.stop()
    }
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `the usual files apply without an option that names them`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      // A /run of its own, so that the machine's is not touched.
      let script = """
        mount -t tmpfs none /run && mkdir -p /run/pathmonitor-config/pathmonitord.conf.d &&
        printf '[Match]\\nType=ethernet\\n[Path]\\nExpensive=yes\\n' >/run/pathmonitor-config/pathmonitord.conf.d/x.conf &&
        "$0" check unmetered --direct; "$0" config; "$0" status --direct
        """
      let outcome = try await RunningProgram.run(
        ["unshare", "--mount", "sh", "-c", script, RunningProgram.pathctl], namespace: network.near)
      #expect(outcome.output.contains("# /run/pathmonitor-config/pathmonitord.conf.d/x.conf\n[Match]\nType=ethernet\n"))
      #expect(outcome.output.contains("Expensive=yes for eth0 in /run/pathmonitor-config/pathmonitord.conf.d/x.conf:4"))
      #expect(outcome.complaints.isEmpty)
    }
  }

  @Test func `a reload with a mistake fails: the journal, the health and its exit status say so`() async throws {
    try write("[Monitor]\nSettle=1s\n")
    let daemon = try await TestDaemon(["--config", file])
    // The unit's reload command.
    let reload = "kill -HUP \"$1\" && exec \"$2\" health --socket \"$3\""
    let words = [
      "sh", "-c", reload, "sh", "\(daemon.program.processIdentifier)", RunningProgram.pathctl, daemon.socket,
    ]
    try write("[Monitor]\nSettle=soon\n")
    try write("[Match]\nName=!a !b\n[Path]\nExpensive=yes\n", to: "rule.conf")
    let failed = try await RunningProgram.run(words)
    #expect(failed.status == 1)
    #expect(failed.output.contains("configuration: \(file), line 2: 'soon' is no time for Settle="))
    #expect(failed.output.contains("The file is used as it was before"))
    #expect(failed.output.contains("configuration: \(directory("conf.d/rule.conf")), line 2: '!b' is no value"))
    try await daemon.program.complaints.wait(
      lineWith: "the reload was not a success: 2 configuration files have mistakes")
    let json = try await daemon.pathctl("health", "--json")
    #expect(json.status == 1)
    #expect(json.output.contains(#""configurationProblems":["\#(file), line 2:"#))

    try directory.remove("conf.d/rule.conf")
    try directory.remove("conf")
    let removed = try await RunningProgram.run(words)
    #expect(removed.status == 1)
    #expect(removed.output.contains("configuration: cannot open \(file): No such file or directory."))
    try await daemon.program.complaints.wait(lineWith: "cannot open \(file)")
    try write("[Monitor]\nSettle=2s\n")
    let mended = try await RunningProgram.run(words)
    #expect(mended.status == 0)
    #expect(!mended.output.contains("configuration: "))
    try await daemon.stop()
  }

  // MARK: Looking at it

  @Test func `a check reads the named file with those beside it, and reports every mistake of each`() async throws {
    try write("[Monitor]\nProbe=router\nSettel=1s\n")
    try write("[Match]\nNome=eth0\n[Path]\nExpensive=yes\n", to: "rule.conf")
    let named = try await Self.daemon("--check-config", "--config", file)
    #expect(named.status == 1 && named.output.isEmpty)
    let lines = named.complaints.split(separator: "\n")
    try #require(lines.count == 2, "\(named.complaints)")
    #expect(lines[0].hasPrefix("pathmonitord: \(file), line 2: 'router' is no address"))
    #expect(lines[1].hasPrefix("pathmonitord: \(file), line 3: there is no key 'Settel'"))

    try write("[Monitor]\nSettle=1s\n")
    let beside = try await Self.daemon("--config", file, "--check-config")
    #expect(beside.status == 1)
    #expect(beside.complaints.hasPrefix("pathmonitord: \(directory("conf.d/rule.conf")), line 2"), "\(beside)")
    let alone = try await Self.daemon("--check-config", file)
    #expect(alone.status == 0 && alone.output == "\(file) is correct\n")
    try directory.remove("conf.d/rule.conf")
    let right = try await Self.daemon("--check-config", "--config", file)
    #expect(right.status == 0)
    #expect(right.output == "the configuration is correct: 1 files, 0 of them with a rule for interfaces\n")
    let none = try await Self.daemon("--check-config", "--config", directory("none"))
    #expect(none.status == 1 && none.complaints.contains("cannot open \(directory("none"))"))
    #expect(try await Self.daemon("--check-config", file, "--config", file).status == 64)
    try write("[Match]\nName=*\n[Path]\nPreference=high\n")
    let wrong = try await Self.daemon("--check-config", file)
    #expect(wrong.status == 1)
    #expect(wrong.complaints.hasPrefix("pathmonitord: \(file), line 4: 'high' is no value"))
    #expect(wrong.complaints.hasSuffix("The file is not used; correct the line, then reload.\n"))
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a check by root finds files that the service's user cannot read`() async throws {
    // A /run of its own, so that the machine's is not touched.
    let script = """
      mount -t tmpfs none /run && cd /run && folder=pathmonitor-config/pathmonitord.conf.d && mkdir -p $folder &&
      printf '[Match]\\nType=wifi\\n[Path]\\nExpensive=yes\\n' >$folder/x.conf
      chmod 600 $folder/x.conf; "$0" --check-config; echo $?
      "$0" --check-config /run/$folder/x.conf; echo $?
      cp -p $folder/x.conf draft.conf; "$0" --check-config /run/draft.conf; echo $?
      chmod 644 $folder/x.conf; "$0" --check-config; echo $?
      chmod 700 pathmonitor-config; "$0" --check-config; echo $?
      """
    let outcome = try await RunningProgram.run(["unshare", "--mount", "sh", "-c", script, RunningProgram.pathmonitord])
    let statuses = outcome.output.split(separator: "\n").compactMap { Int($0) }
    #expect(statuses == [1, 1, 0, 0, 1], "\(outcome)")
    let complaints = outcome.complaints.split(separator: "\n")
    #expect(complaints.count == 3)
    for complaint in complaints {
      #expect(
        complaint == """
          pathmonitord: /run/pathmonitor-config/pathmonitord.conf.d/x.conf cannot be read by the service, which runs as a \
          user of its own: Permission denied. Let everybody read it: chmod a+r for the file, a+rx for the directories \
          above it.
          """)
    }
  }

  @Test func `the merged configuration is shown with its origins`() async throws {
    try write("[Monitor]\nProbe=192.0.2.1\nSettle=1s\n")
    try write("[Monitor]\nSettle=2s\nProbe=192.0.2.2\n", to: "10-more.conf")
    try write("# mine\n[Match]\nSSID=\"My phone\"\n\n[Path]\nExpensive = yes\n", to: "20-phone.conf")
    try directory.link("conf.d/30-off.conf", to: "/dev/null")
    let shown = try await RunningProgram.pathctl("config", "--config", file)
    #expect(shown.status == 0)
    #expect(
      shown.output == """
        [Monitor]
        # \(file):2
        SampleAddress=192.0.2.1
        # \(directory("conf.d/10-more.conf")):2
        Settle=2s
        # \(directory("conf.d/10-more.conf")):3
        SampleAddress=192.0.2.2

        # \(directory("conf.d/20-phone.conf"))
        [Match]
        SSID="My phone"
        [Path]
        Expensive=yes

        # \(directory("conf.d/30-off.conf")) has no settings

        """)
    try write("[Path]\n", to: "40-bad.conf")
    let bad = try await RunningProgram.pathctl("config", "--config", file, "--json")
    #expect(bad.status == 1)
    #expect(bad.complaints.contains("40-bad.conf, line 1: [Path] without [Match] means no interface"))
    #expect(bad.output.contains(#"{"section":"Match","key":"SSID","value":"\"My phone\"","file":""#))
    #expect(bad.output.contains(#"40-bad.conf","counts":false,"note":"is not used: it has a mistake"}"#))
  }
}
