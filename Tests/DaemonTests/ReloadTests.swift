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
        Name a file that can be read, or none.

        """)
  }

  @Test func `a mistake in a file that was named is reported with its place`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\n\nSettle=5x\n")
    let outcome = try await Self.run(directory, config: "conf")
    #expect(outcome.status == 64)
    #expect(
      outcome.complaints.hasPrefix("pathmonitord: \(directory("conf")), line 3: '5x' is no time for Settle=: "),
      "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: directory("socket")))
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a reload applies probes without dropping a subscriber, and a bad file changes nothing`() async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try directory.write("conf", "[Monitor]\nSettle=0\n")
      let daemon = try await TestDaemon(["--config", directory("conf")], namespace: network.near)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      // There is only a route to 203.0.113.0/24, which contains no probe yet.
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
          allowed: SampleAddress=, Settle=, Connections=, ConnectionsPerUser=. The file is used as it was \
          before; correct it, then reload.
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

  // MARK: Several files

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `rule files make an interface expensive, a mistake concerns one file, and a reload reaches subscribers`()
    async throws
  {
    try await TestNetwork.with { network in
      try await network.connect()
      let directory = try ScratchDirectory()
      try directory.write("conf", "[Monitor]\nSettle=0\n")
      try FileManager.default.createDirectory(atPath: directory("conf.d"), withIntermediateDirectories: true)
      try directory.write("conf.d/10-bad.conf", "[Match]\nName=eth0\n[Path]\nExpensive=perhaps\n")
      try directory.write("conf.d/20-save.conf", "[Match]\nType=ethernet\n[Path]\nConstrained=yes\n")
      let daemon = try await TestDaemon(["--config", directory("conf")], namespace: network.near)
      try await daemon.program.complaints.wait(
        lineWith: "\(directory("conf.d/10-bad.conf")), line 4: 'perhaps' is no value")
      let watcher = try daemon.start("watch", "--json")
      try await watcher.output.wait(lineWith: #""isExpensive":false,"isConstrained":true"#)
      #expect(try await daemon.pathctl("check", "unconstrained").status == 1)
      // The bad file may say that the interface is metered, as it does.
      let doubt = try await daemon.pathctl("check", "unmetered")
      #expect(doubt.status == 69)
      #expect(
        doubt.complaints.hasPrefix(
          "pathctl: eth0 may be metered by a rule that is not used: \(directory("conf.d/10-bad.conf")), line 4"),
        "\(doubt.complaints)")
      #expect(
        doubt.complaints.hasSuffix(
          "Correct the file, which 'pathmonitord --check-config' checks, then 'systemctl reload pathmonitord'.\n"))

      try directory.write("conf.d/10-bad.conf", "[Match]\nName=eth0\n[Path]\nExpensive=yes\n")
      daemon.program.send(SIGHUP)
      try await watcher.output.wait(lineWith: #""isExpensive":true,"isConstrained":true,"cost":{"#)
      #expect(try await daemon.pathctl("check", "unmetered").status == 1)
      let explained = try await daemon.pathctl("explain").output
      #expect(
        explained.contains(
          "  * user  expensive    configuration  Expensive=yes for eth0 in \(directory("conf.d/10-bad.conf")):4"),
        "\(explained)")

      // A mistake leaves what the file said before; the other files change.
      try directory.write("conf.d/10-bad.conf", "[Match]\nNome=eth0\n[Path]\nExpensive=no\n")
      try FileManager.default.removeItem(atPath: directory("conf.d/20-save.conf"))
      daemon.program.send(SIGHUP)
      try await watcher.output.wait(lineWith: #""isExpensive":true,"isConstrained":false"#)
      try await daemon.program.complaints.wait(lineWith: "there is no key 'Nome' in [Match] (did you mean 'Name'?)")
      #expect(watcher.isRunning)
      #expect(watcher.complaints.text.isEmpty)
      try await daemon.stop()
    }
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `without the service the same files apply`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let directory = try ScratchDirectory()
      try directory.write("conf", "[Match]\nName=eth*\n[Path]\nExpensive=yes\n")
      let check = try await RunningProgram.pathctl(
        "check", "unmetered", "--config", directory("conf"), namespace: network.near)
      #expect(check.status == 1)
      let other = try await RunningProgram.pathctl("check", "unmetered", "--direct", namespace: network.near)
      #expect(other.status == 0)
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
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nSettle=1s\n")
    try FileManager.default.createDirectory(atPath: directory("conf.d"), withIntermediateDirectories: true)
    let daemon = try await TestDaemon(["--config", directory("conf")])
    let healthy = try await daemon.pathctl("health")
    #expect(healthy.status == 0)
    #expect(!healthy.output.contains("configuration: "))

    // The unit's reload command.
    let reload = "kill -HUP \"$1\" && exec \"$2\" health --socket \"$3\""
    let words = [
      "sh", "-c", reload, "sh", "\(daemon.program.processIdentifier)", RunningProgram.pathctl, daemon.socket,
    ]
    try directory.write("conf", "[Monitor]\nSettle=soon\n")
    try directory.write("conf.d/rule.conf", "[Match]\nName=!a !b\n[Path]\nExpensive=yes\n")
    let failed = try await RunningProgram.run(words)
    #expect(failed.status == 1)
    #expect(failed.output.contains("configuration: \(directory("conf")), line 2: 'soon' is no time for Settle="))
    #expect(failed.output.contains("The file is used as it was before"))
    #expect(failed.output.contains("configuration: \(directory("conf.d/rule.conf")), line 2: '!b' is no value"))
    try await daemon.program.complaints.wait(
      lineWith: "the reload was not a success: 2 configuration files have mistakes")
    let json = try await daemon.pathctl("health", "--json")
    #expect(json.status == 1)
    #expect(json.output.contains(#""configurationProblems":["\#(directory("conf")), line 2:"#))

    try directory.write("conf", "[Monitor]\nSettle=2s\n")
    try FileManager.default.removeItem(atPath: directory("conf.d/rule.conf"))
    let mended = try await RunningProgram.run(words)
    #expect(mended.status == 0)
    #expect(!mended.output.contains("configuration: "))
    try await daemon.stop()
  }

  @Test(arguments: [
    "status", "check connected", "watch", "wait connected", "run connected -- true", "explain", "config",
  ])
  func `a file that is named to pathctl must be there and be right, as one that is named to the service`(
    order: String
  ) async throws {
    let directory = try ScratchDirectory()
    try directory.write("bad", "[Monitor]\nProbe=router\n")
    for (file, message) in [
      ("none", "cannot open \(directory("none")): No such file or directory"),
      ("bad", "\(directory("bad")), line 2: 'router' is no address"),
    ] {
      var words = order.split(separator: " ").map(String.init)
      words.insert(contentsOf: ["--config", directory(file)], at: 1)
      let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words)
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.complaints.hasPrefix("pathctl: \(message)"), "\(outcome.complaints)")
      #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    }
    let condition = try await RunningProgram.pathctl("check", "connected", "--condition", "--config", directory("none"))
    #expect(condition.status == 255)
  }

  // MARK: Looking at it

  @Test func `a check reads the named file with those beside it, and reports every mistake of each`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nProbe=router\nSettel=1s\n")
    try FileManager.default.createDirectory(atPath: directory("conf.d"), withIntermediateDirectories: true)
    try directory.write("conf.d/rule.conf", "[Match]\nNome=eth0\nType=radio\n[Path]\nExpensive=yes\n")
    func check(_ words: String...) async throws -> RunningProgram.Outcome {
      try await RunningProgram.run([RunningProgram.pathmonitord] + words)
    }
    let named = try await check("--check-config", "--config", directory("conf"))
    #expect(named.status == 1)
    #expect(named.output.isEmpty)
    let lines = named.complaints.split(separator: "\n")
    try #require(lines.count == 2, "\(named.complaints)")
    #expect(lines[0].hasPrefix("pathmonitord: \(directory("conf")), line 2: 'router' is no address"))
    #expect(lines[1].hasPrefix("pathmonitord: \(directory("conf")), line 3: there is no key 'Settel'"))

    try directory.write("conf", "[Monitor]\nSettle=1s\n")
    let beside = try await check("--config", directory("conf"), "--check-config")
    #expect(beside.status == 1)
    #expect(
      beside.complaints.split(separator: "\n").map { $0.dropFirst("pathmonitord: \(directory.path)/".count).prefix(24) }
        == ["conf.d/rule.conf, line 2", "conf.d/rule.conf, line 3"], "\(beside.complaints)")
    try FileManager.default.removeItem(atPath: directory("conf.d/rule.conf"))
    let right = try await check("--check-config", "--config", directory("conf"))
    #expect(right.status == 0)
    #expect(right.output == "the configuration is correct: 1 files, 0 of them with a rule for interfaces\n")
    let none = try await check("--check-config", "--config", directory("none"))
    #expect(none.status == 1)
    #expect(none.complaints.contains("cannot open \(directory("none"))"))
    for words in [[directory("conf"), "--config", directory("conf")], ["a", "b"]] {
      #expect(try await RunningProgram.run([RunningProgram.pathmonitord, "--check-config"] + words).status == 64)
    }
    let alone = try await check("--check-config", directory("conf"))
    #expect(alone.status == 0)
    #expect(alone.output == "\(directory("conf")) is correct\n")
    try directory.write("conf", "[Match]\nName=*\n[Path]\nPreference=high\n")
    let wrong = try await check("--check-config", directory("conf"))
    #expect(wrong.status == 1)
    #expect(wrong.complaints.hasPrefix("pathmonitord: \(directory("conf")), line 4: 'high' is no value"))
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
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nProbe=192.0.2.1\nSettle=1s\n")
    try FileManager.default.createDirectory(atPath: directory("conf.d"), withIntermediateDirectories: true)
    try directory.write("conf.d/10-more.conf", "[Monitor]\nSettle=2s\nProbe=192.0.2.2\n")
    try directory.write("conf.d/20-phone.conf", "# mine\n[Match]\nSSID=\"My phone\"\n\n[Path]\nExpensive = yes\n")
    try FileManager.default.createSymbolicLink(
      atPath: directory("conf.d/30-off.conf"), withDestinationPath: "/dev/null")
    let shown = try await RunningProgram.pathctl("config", "--config", directory("conf"))
    #expect(shown.status == 0)
    #expect(
      shown.output == """
        [Monitor]
        # \(directory("conf")):2
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
    try directory.write("conf.d/40-bad.conf", "[Path]\n")
    let bad = try await RunningProgram.pathctl("config", "--config", directory("conf"), "--json")
    #expect(bad.status == 1)
    #expect(bad.complaints.contains("40-bad.conf, line 1: [Path] without [Match] means no interface"))
    #expect(bad.output.contains(#"{"section":"Match","key":"SSID","value":"\"My phone\"","file":""#))
    #expect(bad.output.contains(#"40-bad.conf","counts":false,"note":"is not used: it has a mistake"}"#))
  }

  @Test func `a file that was removed is reported, and the daemon goes on`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nSettle=10s\n")
    let daemon = try await TestDaemon(["--config", directory("conf")])
    try FileManager.default.removeItem(atPath: directory("conf"))
    daemon.program.send(SIGHUP)
    try await daemon.program.complaints.wait(lineWith: "cannot open \(directory("conf"))")
    let health = try await daemon.pathctl("health")
    #expect(health.status == 1)
    #expect(health.output.contains("configuration: cannot open \(directory("conf")): No such file or directory."))
    try await daemon.stop()
  }
}
