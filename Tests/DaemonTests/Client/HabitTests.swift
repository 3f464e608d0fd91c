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
      for line in ["status --field interface", "route 192.0.2.9 --field interface", "wait online --field interface"] {
        let outcome = try await daemon.pathctl(line: line)
        #expect(outcome.output == "uplink0\n" && outcome.status == 0 && outcome.complaints.isEmpty, "\(line)")
      }
      try await network.ip("route delete default")
      let offline = try await daemon.pathctl(line: "status --field interface")
      #expect(offline.output == "\n" && offline.status == 1)
      let quiet = try await daemon.pathctl(line: "show --quiet")
      #expect(quiet.status == 1 && quiet.output.isEmpty && quiet.complaints.isEmpty)
    }
  }

  @Test func `a watch ends after the given number of updates, or the given time`() async throws {
    try await TestNetwork.withService { daemon, network in
      let watch = try daemon.start("monitor", "--format", "{summary}", "--count", "2")
      _ = try await watch.output.wait(lines: 1)
      try await network.ip("route delete default")
      #expect(try await watch.waitForExit() == 0)
      #expect(watch.output.lines == ["Ethernet uplink0", "offline"])
      for time in ["200ms", "0"] {
        let outcome = try await daemon.pathctl("watch", "--field", "status", "--timeout", time)
        #expect(outcome.output == "unsatisfied\n" && outcome.status == 124)
      }
    }
  }

  @Test func `a watch with a format repeats no line`() async throws {
    let path = try await ScriptedPath()
    let watch = try path.start(["watch", "--format", "{connection}"])
    _ = try await watch.output.wait(lines: 1)
    for way in [ScriptedWay.wired, ScriptedWay.wireless] { try await path.become(way) }
    try await path.become(satisfied: false)
    #expect(try await watch.output.wait(lines: 2) == ["connected", "offline"])
  }

  @Test func `with a timeout of zero the present path decides`() async throws {
    try await TestNetwork.withService { daemon, _ in
      #expect(try await daemon.pathctl(line: "wait connected --timeout 0").status == 0)
      #expect(try await daemon.pathctl(line: "wait offline --timeout 0").status == 124)
      let inTime = try await daemon.pathctl(line: "run --timeout 0 connected -- echo ran")
      #expect(inTime.status == 0 && inTime.output == "ran\n")
      for time in ["0", "200ms"] {
        let late = try await daemon.pathctl(line: "run --timeout \(time) wifi -- echo ran")
        #expect(late.status == 124 && late.output.isEmpty)
        #expect(late.complaints.hasPrefix("pathctl: the path has not become 'wifi' in time, so the command was not"))
      }
      let quiet = try await daemon.pathctl(line: "run --timeout 0 --quiet wifi -- echo ran")
      #expect(quiet.status == 124 && quiet.complaints.isEmpty)
    }
  }

  @Test func `a path that has rested for longer than the settle time is shown at once`() async throws {
    // Long before boot: whatever the machine's uptime, the path is older than a week.
    let path = """
      {"path": {"status": "satisfied", "knowledge": "known", "interfaces": [], "boottimeMicroseconds": -6000000000000}}
      """
    let service = try await ScriptedService(
      [#"{"continues": true, "parameters": \#(path)}"#, #"{"parameters": \#(path)}"#])
    let outcome = try await service.pathctl("status --settle 1w --field status")
    #expect(outcome.status == 0 && outcome.output == "satisfied\n" && outcome.complaints.isEmpty, "\(outcome)")
  }

  @Test func `the service knows how long the path has been unchanged`() async throws {
    try await TestNetwork.withService { daemon, network in
      let line = "watch --count 1 --field boottimeMicroseconds"
      let first = try await daemon.pathctl(line: line)
      #expect(first.status == 0)
      #expect(try await daemon.pathctl(line: line).output == first.output)
      try await network.ip("route delete default")
      #expect(try await daemon.pathctl(line: "status --settle 1ms").status == 1)
    }
  }

  @Test func `a requirement with an interface that does not exist is warned about, and is not met`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let unknown = "pathctl: there is no interface 'uplnik0' now (did you mean 'uplink0'?). "
      for (line, status, complaint) in [
        ("check interface=uplnik0", 1, "\(unknown)'pathctl interfaces' lists all.\n"),
        ("check via=cabel", 1, "pathctl: there is no interface 'cabel' now, and no such type: the types are wifi, "),
        ("check not-(interface=uplnik0)", 0, unknown), ("wait not-(interface=uplnik0)", 0, unknown),
        ("run not-(interface=uplnik0) -- true", 0, unknown),
        ("wait via=uplnik0 --timeout 0", 124, "pathctl: there is no interface 'uplnik0' now"),
        ("check interface=uplink0", 0, ""), ("check interface=uplnik0 --quiet", 1, ""),
      ] as [(String, Int32, String)] {
        let outcome = try await daemon.pathctl(line: line)
        #expect(outcome.status == status, "\(line)")
        #expect(outcome.complaints.hasPrefix(complaint) && outcome.complaints.isEmpty == complaint.isEmpty, "\(line)")
      }
    }
  }

  @Test func `check --nagios prints one line, and ends with the status of a monitoring plugin`() async throws {
    try await TestNetwork.withService { daemon, network in
      for (line, statuses, beginning) in [
        ("connected", [0, 1], "PATH "), ("wifi", [2], "PATH CRITICAL - not 'wifi': connected over uplink0"),
        ("conected", [3], "PATH UNKNOWN - "), ("connected --jsn", [3], "PATH UNKNOWN - "),
        ("connected --quiet", [3], "PATH UNKNOWN - "), ("connected --condition", [3], "PATH UNKNOWN - "),
      ] as [(String, Set<Int32>, String)] {
        let outcome = try await daemon.pathctl(line: "check --nagios \(line)")
        #expect(statuses.contains(outcome.status) && outcome.output.hasPrefix(beginning), "\(outcome)")
        #expect(outcome.output.isOneLine)
      }
      try await network.ipFar("link set uplink0 down")
      let lost = try await daemon.pathctl(line: "check --nagios connected")
      #expect(lost.status == 2)
      #expect(lost.output.hasPrefix("PATH CRITICAL - offline: uplink0, the only interface, has no carrier"))
    }
    let absent = try await ScriptedService([]).pathctl("check unmetered --nagios")
    #expect(absent.status == 3)
    #expect(absent.output.hasPrefix("PATH UNKNOWN - 'unmetered' cannot be known without the service."))
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
      let object = try JSONValue(parsing: Array(json.output.utf8))
      #expect(object["interface"]?["name"] == "uplink0" && object["use"] == "primary")
      #expect(object["allAddresses"]?.arrayValue?.count == 3)
      // From another namespace only the service knows the interface.
      let far = try await daemon.pathctl("interfaces", "uplink0", namespace: network.far)
      #expect(far.status == 0 && far.output.contains("192.0.2.2/24") && !far.output.contains("fe80::2"))
      let none = try await daemon.pathctl("interfaces", "uplnik0")
      #expect(none.status == 64)
      #expect(none.complaints.hasPrefix("pathctl: there is no interface 'uplnik0' (did you mean 'uplink0'?)."))
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
