import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// Options and words that administrators know from other programs.
@Suite(
  "pathctl for hands that know other programs", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HabitTests {
  @Test func `one value is printed alone, and the exit status is the answer`() async throws {
    try await TestNetwork.withService { daemon, network in
      for (field, value) in [
        ("interface", "uplink0"), ("status", "satisfied"), ("gateways", "192.0.2.1"), ("isExpensive", "false"),
      ] {
        let outcome = try await daemon.pathctl("status", "--field", field)
        #expect(outcome.output == "\(value)\n" && outcome.status == 0 && outcome.complaints.isEmpty, "\(field)")
      }
      #expect(try await daemon.pathctl("route", "192.0.2.9", "--field", "interface").output == "uplink0\n")
      #expect(try await daemon.pathctl("wait", "online", "--field", "interface").output == "uplink0\n")
      let quiet = try await daemon.pathctl("show", "--quiet")
      #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.complaints.isEmpty)
      try await network.ip("route delete default")
      let offline = try await daemon.pathctl("status", "--field", "interface")
      #expect(offline.output == "\n" && offline.status == 1)
      #expect(try await daemon.pathctl("status", "-q").status == 1)
    }
  }

  @Test func `the first path of a stream has changed nothing, also when others have seen changes before`() async throws
  {
    try await TestNetwork.withService { daemon, network in
      let first = try daemon.start("watch", "--json")
      _ = try await first.output.wait(lines: 1)
      try await network.ip("route delete default")
      try await first.output.wait(lineWith: #""changed":["status""#)
      let watch = try await daemon.pathctl("watch", "--count", "1", "--exec", "echo \"[$PATH_CHANGED]\"")
      #expect(watch.output == "[]\n")
      #expect(watch.status == 0)
      let json = try await daemon.pathctl("watch", "--json", "--count", "1")
      #expect(json.output.contains(#""changed":[]"#), "\(json.output)")
      first.kill()
    }
  }

  @Test func `a watch ends after the given number of updates, or the given time`() async throws {
    try await TestNetwork.withService { daemon, network in
      let watch = try daemon.start("monitor", "--format", "{summary}", "--count", "2")
      #expect(try await watch.output.wait(lines: 1) == ["Ethernet uplink0"])
      try await network.ip("route delete default")
      #expect(try await watch.waitForExit() == 0)
      #expect(watch.output.lines == ["Ethernet uplink0", "offline"])
      #expect(try await daemon.pathctl("watch", "--field", "status", "--timeout", "200ms").status == 124)
      let now = try await daemon.pathctl("watch", "--format", "waybar", "--timeout", "0")
      #expect(now.status == 124)
      #expect(try JSONValue(parsing: Array(now.output.utf8))["alt"]?.stringValue == "offline")
    }
  }

  @Test func `with a timeout of zero the present path decides`() async throws {
    try await TestNetwork.withService { daemon, _ in
      #expect(try await daemon.pathctl("wait", "connected", "--timeout", "0").status == 0)
      #expect(try await daemon.pathctl("wait", "offline", "--timeout", "0").status == 124)
      let words = [RunningProgram.pathctl, "run", "--socket", daemon.socket, "--timeout"]
      let inTime = try await RunningProgram.run(words + ["0", "connected", "--", "echo", "ran"])
      #expect(inTime.status == 0 && inTime.output == "ran\n")
      for time in ["0", "200ms"] {
        let late = try await RunningProgram.run(words + [time, "wifi", "--", "echo", "ran"])
        #expect(late.status == 124 && late.output.isEmpty)
        #expect(late.complaints.hasPrefix("pathctl: the path has not become 'wifi' in time, so the command was not"))
        let quiet = try await RunningProgram.run(words + [time, "--quiet", "wifi", "--", "echo", "ran"])
        #expect(quiet.status == 124 && quiet.complaints.isEmpty)
      }
    }
  }

  @Test func `a path that has rested for longer than the settle time is shown at once`() async throws {
    // Long before boot: whatever the machine's uptime, the path is older than a week.
    let path = """
      {"path": {"status": "satisfied", "knowledge": "known", "interfaces": [], "boottimeMicroseconds": -6000000000000}}
      """
    let directory = try ScratchDirectory()
    let service = try Python.service(
      at: directory("socket"), [#"{"continues": true, "parameters": \#(path)}"#, #"{"parameters": \#(path)}"#])
    _ = try await service.output.wait(lines: 1)
    let outcome = try await RunningProgram.pathctl(
      "status", "--settle", "1w", "--field", "status", "--socket", directory("socket"))
    #expect(outcome.status == 0)
    #expect(outcome.output == "satisfied\n")
    #expect(outcome.complaints.isEmpty, "\(outcome.complaints)")
    service.kill()
  }

  @Test func `the service knows how long the path has been unchanged`() async throws {
    try await TestNetwork.withService { daemon, network in
      let words = ["watch", "--count", "1", "--field", "boottimeMicroseconds", "--socket", daemon.socket]
      let first = try await RunningProgram.run([RunningProgram.pathctl] + words)
      #expect(first.status == 0)
      for _ in 0..<3 {
        #expect(try await daemon.pathctl("status").status == 0)
        #expect(try await RunningProgram.run([RunningProgram.pathctl] + words).output == first.output)
      }
      try await network.ip("route delete default")
      #expect(try await daemon.pathctl("status", "--settle", "1ms").status == 1)
    }
  }

  @Test func `a requirement with an interface that does not exist is warned about, and is not met`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let check = try await daemon.pathctl("check", "interface=uplnik0")
      #expect(check.status == 1)
      #expect(
        check.complaints == """
          pathctl: there is no interface 'uplnik0' now (did you mean 'uplink0'?). 'pathctl interfaces' lists all.

          """)
      let via = try await daemon.pathctl("check", "via=cabel")
      #expect(via.status == 1)
      #expect(via.complaints.contains("there is no interface 'cabel' now, and no such type: the types are wifi, "))
      #expect(try await daemon.pathctl("check", "via=wired").status == 0)
      for words in [["check", "interface=uplink0"], ["check", "interface=uplnik0", "--quiet"]] {
        let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", daemon.socket])
        #expect(outcome.complaints.isEmpty)
      }
      for words in [["check"], ["wait"], ["run", "--", "true"]] {
        let place = words.firstIndex(of: "--") ?? words.endIndex
        let line = words[..<place] + ["not-(interface=uplnik0)", "--socket", daemon.socket] + words[place...]
        let negated = try await RunningProgram.run([RunningProgram.pathctl] + line)
        #expect(negated.status == 0, "\(words)")
        #expect(negated.complaints.hasPrefix("pathctl: there is no interface 'uplnik0' now"), "\(words)")
      }
      let wait = try await daemon.pathctl("wait", "via=uplnik0", "--timeout", "0")
      #expect(wait.status == 124)
      #expect(wait.complaints.hasPrefix("pathctl: there is no interface 'uplnik0' now"))
    }
  }

  @Test func `check --nagios prints one line, and ends with the status of a monitoring plugin`() async throws {
    try await TestNetwork.withService { daemon, network in
      func check(_ words: String...) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(
          [RunningProgram.pathctl, "check", "--nagios", "--socket", daemon.socket] + words, namespace: network.near)
      }
      let fine = try await check("connected")
      #expect([0, 1].contains(fine.status))
      #expect(fine.output.hasPrefix("PATH ") && fine.output.contains("connected over uplink0"))
      #expect(fine.output.contains(" | connected=1;;;0;1 ") && fine.output.split(separator: "\n").count == 1)
      let other = try await check("wifi")
      #expect(other.status == 2 && other.output.hasPrefix("PATH CRITICAL - not 'wifi': connected over uplink0"))
      try await network.ipFar("link set uplink0 down")
      let lost = try await check("connected")
      #expect(lost.status == 2)
      #expect(lost.output.hasPrefix("PATH CRITICAL - offline: uplink0, the only interface, has no carrier"))
      #expect(lost.output.contains(" | connected=0;;;0;1 "))
      for words in [["conected"], ["connected", "--jsn"], ["connected", "--quiet"], ["connected", "--condition"]] {
        let wrong = try await RunningProgram.run([RunningProgram.pathctl, "check", "--nagios"] + words)
        #expect(wrong.status == 3 && wrong.output.hasPrefix("PATH UNKNOWN - "), "\(words)")
        #expect(wrong.output.split(separator: "\n").count == 1)
      }
    }
    let absent = try await RunningProgram.pathctl(
      "check", "unmetered", "--nagios", "--socket", "/run/pathmonitor-of-nobody")
    #expect(absent.status == 3)
    #expect(absent.output.hasPrefix("PATH UNKNOWN - 'unmetered' cannot be known without the service."))
  }

  @Test func `a requirement knows the alternative names of interfaces`() async throws {
    try await TestNetwork.withService { daemon, network in
      try await network.ip("link property add dev uplink0 altname cable")
      for (requirement, status) in [
        ("via=cable", 0), ("interface=cable", 0), ("not-(interface=cable)", 1), ("via=cable,wifi", 1),
        ("offline,via=cable", 1),
      ] as [(String, Int32)] {
        for direct in [false, true] {
          let source = direct ? ["--direct"] : ["--socket", daemon.socket]
          let check = try await RunningProgram.run(
            [RunningProgram.pathctl, "check", requirement] + source, namespace: network.near)
          #expect(check.status == status && check.complaints.isEmpty, "\(requirement) \(source)")
        }
      }
      let json = try await daemon.pathctl("status", "--json")
      #expect(json.output.contains(#""alternativeNames":["cable"]"#))
    }
  }

  @Test func `all about one interface is shown, link-local addresses included`() async throws {
    try await TestNetwork.withService { daemon, network in
      try await network.ip(
        "address add fe80::2/64 dev uplink0", "link property add dev uplink0 altname cable",
        "address add 2001:db8::2/64 dev uplink0 nodad preferred_lft 0")
      for name in ["uplink0", "cable"] {
        let outcome = try await daemon.pathctl("interfaces", name, namespace: network.near)
        #expect(outcome.status == 0 && outcome.complaints.isEmpty)
        for text in [
          "uplink0 (index ", "carries the traffic", "up, carrier, operational state UP", "wired Ethernet", "veth",
          "192.0.2.2/24", "fe80::2/64 (link-local", "2001:db8::2/64 (deprecated)", "cable", "unmetered",
        ] {
          #expect(outcome.output.contains(text), "\(text): \(outcome.output)")
        }
      }
      let json = try await daemon.pathctl("interfaces", "uplink0", "--json", namespace: network.near)
      let object = try #require(try JSONValue(parsing: Array(json.output.utf8)).objectValue)
      #expect(object["interface"]?["name"]?.stringValue == "uplink0")
      #expect(object["use"]?.stringValue == "primary" && object["isUp"]?.booleanValue == true)
      #expect(object["allAddresses"]?.arrayValue?.count == 3)
      // From another namespace only the service knows the interface.
      let far = try await daemon.pathctl("interfaces", "uplink0", namespace: network.far)
      #expect(far.status == 0 && far.output.contains("192.0.2.2/24") && !far.output.contains("fe80::2"))
      let none = try await daemon.pathctl("interfaces", "uplnik0")
      #expect(none.status == 64)
      #expect(none.complaints.hasPrefix("pathctl: there is no interface 'uplnik0' (did you mean 'uplink0'?)."))
    }
  }

  @Test func `the health has a version and units`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let health = try await daemon.pathctl("health")
      #expect(health.output.hasPrefix("version"))
      #expect(health.output.contains(" MiB\n") && health.output.contains("uptime"))
      let json = try JSONValue(parsing: Array(try await daemon.pathctl("health", "--json").output.utf8))
      #expect(json["version"]?.stringValue?.isEmpty == false)
      #expect(json["health"]?["memoryBytes"]?.integerValue ?? 0 > 0)
    }
  }

  @Test func `overrides are listed as objects, and nothing is cleared silently`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let set = try await daemon.pathctl(
        "override", "set", "expensive", "on", "--interface", "uplink0", "--for", "2h", "--why", "roaming")
      #expect(set.status == 0)
      #expect(try await daemon.pathctl("override", "set", "isConstrained", "1").status == 0)
      let list = try await daemon.pathctl("override", "list", "--json")
      let overrides = try #require(try JSONValue(parsing: Array(list.output.utf8))["overrides"]?.arrayValue)
      let expensive = try #require(overrides.first { $0["field"]?.stringValue == "isExpensive" })
      #expect(expensive["value"]?.stringValue == "true" && expensive["interface"]?.stringValue == "uplink0")
      #expect(expensive["why"]?.stringValue == "roaming" && expensive["user"]?.integerValue == Int64(geteuid()))
      #expect((1...7_200).contains(expensive["secondsLeft"]?.integerValue ?? 0))
      #expect(expensive["expiresBoottimeMicroseconds"]?.integerValue != nil)
      let constrained = try #require(overrides.first { $0["field"]?.stringValue == "isConstrained" })
      #expect(constrained["secondsLeft"]?.isNull == true && constrained["interface"]?.isNull == true)
      let table: [(words: [String], complaint: String)] = [
        (["--interface", "eth9"], "nothing is overridden on 'eth9'."), (["status"], "status is not overridden."),
        (["isConstrained", "--interface", "uplink0"], "isConstrained is not overridden on 'uplink0'."),
      ]
      for (words, complaint) in table {
        let outcome = try await RunningProgram.run(
          [RunningProgram.pathctl, "override", "clear"] + words + ["--socket", daemon.socket])
        #expect(outcome.status == 1, "\(words)")
        #expect(outcome.complaints == "pathctl: \(complaint) 'pathctl override list' shows what is.\n")
      }
      #expect(try await daemon.pathctl("override", "clear", "--interface", "uplink0").status == 0)
      for _ in 0..<2 { #expect(try await daemon.pathctl("override", "clear").status == 0) }
      #expect(try await daemon.pathctl("override", "set", "metered", "yes").status == 0)
      #expect(try await daemon.pathctl("override", "set", "status", "offline").status == 0)
      let both = try await daemon.pathctl("override", "list")
      let author = geteuid() == 0 ? "set by root" : "set by user \(geteuid())"
      #expect(both.output == "metered, \(author)\noffline, \(author)\n")
    }
  }

  @Test func `on a terminal a line names the wait, and is removed at its end`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let outcome = try await Python.run(
        """
        import os, pty, re, signal, sys
        def seen(words, pattern):
            child, fd = pty.fork()
            if child == 0:
                os.environ.update(TERM="xterm", PATHMONITOR_SOCKET=sys.argv[2])
                os.execvp(words[0], words)
            signal.alarm(20)
            text = b""
            while not re.search(pattern, text):
                text += os.read(fd, 4096)
            os.kill(child, signal.SIGTERM)
            try:
                while data := os.read(fd, 4096):
                    text += data
            except OSError:
                pass
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            print(status, text.decode().replace("\\r", "<CR>").replace("\\x1b", "<ESC>"))
        seen([sys.argv[1], "wait", "wifi"], rb"waiting for wifi; now connected over uplink0.*K")
        seen([sys.argv[1], "run", "wifi", "--", "true"], rb"waiting for wifi; now connected over uplink0.*K")
        """, RunningProgram.pathctl, daemon.socket)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      for line in outcome.output.split(separator: "\n") {
        #expect(line.hasPrefix("143 <CR>pathctl: waiting for wifi; now connected over uplink0"), "\(line)")
        #expect(line.hasSuffix("<CR><ESC>[K"), "\(line)")
      }
      #expect(outcome.output.split(separator: "\n").count == 2)
    }
  }
}
