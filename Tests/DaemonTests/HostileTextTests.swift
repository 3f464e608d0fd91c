import ProcessTestSupport
import Testing

/// The kernel accepts nearly any bytes as a name, and a service may send anything.
@Suite("Hostile names and services", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HostileTextTests {
  private static let verbs = [
    "status", "explain", "interfaces", "route 192.0.2.1", "check connected", "health", "override list", "config",
    "wait connected --timeout 1s", "metrics", "run connected -- true",
  ]

  /// Fails when a text holds anything but lines of printable characters.
  private static func expectClean(
    _ text: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let garbage = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n"
      case .format, .lineSeparator, .paragraphSeparator: true
      default: scalar == "\u{FFFD}"
      }
    }
    #expect(garbage.isEmpty, "\(what): \(text.debugDescription)", sourceLocation: sourceLocation)
    #expect(!text.contains("\nforged"), "\(what): \(text)", sourceLocation: sourceLocation)
  }

  /// Makes a path over an interface of a hostile name that has a hostile alternative name, and two interfaces whose
  /// names are no UTF-8 and differ in one byte.
  private static let preparation = #"""
    import socket, struct, subprocess
    def ip(*words): subprocess.run([b"ip"] + [w if isinstance(w, bytes) else w.encode() for w in words], check=True)
    evil = b"\x1b[7m\xe2\x80\xae\xc2\x9bx"
    ip("link", "set", "lo", "up")
    ip("link", "add", evil, "type", "veth", "peer", "name", "peer0")
    ip("link", "add", b"bad\xff", "type", "veth", "peer", "name", b"bad\xfe")
    for name in (evil, b"peer0", b"bad\xff", b"bad\xfe"): ip("link", "set", name, "up")
    ip("address", "add", "192.0.2.2/24", "dev", evil)
    ip("route", "add", "default", "via", "192.0.2.1", "dev", evil)
    index = socket.if_nametoindex(b"peer0")
    name = b"x\nforged: connected\n\x1b[2J\0"
    attribute = struct.pack("HH", 4 + len(name), 53) + name + b"\0" * (-len(name) % 4)
    properties = struct.pack("HH", 4 + len(attribute), 52 | 0x8000) + attribute
    body = struct.pack("BxHiII", 0, 0, index, 0, 0) + properties
    route = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    route.send(struct.pack("IHHII", 16 + len(body), 108, 0xe05, 1, 0) + body)
    error = struct.unpack("i", route.recv(4096)[16:20])[0]
    assert error == 0, error
    """#

  @Test func `no verb prints a name of the kernel that garbles a terminal, forges a line or hides another`()
    async throws
  {
    try await TestNetwork.with { network in
      let preparation = try await Python.run(Self.preparation, namespace: network.near)
      try #require(preparation.status == 0, "\(preparation.complaints)")
      let daemon = try await TestDaemon(namespace: network.near)
      for verb in Self.verbs {
        for option in ["", "--json", "--direct"] {
          if verb.hasPrefix("run"), option == "--json" { continue }
          let line = "\(option) \(verb)"
          let outcome = try await RunningProgram.pathctl(line: line, at: daemon.socket, namespace: network.near)
          Self.expectClean(outcome.output, line)
          Self.expectClean(outcome.complaints, line)
        }
      }
      for line in ["interfaces", "interfaces --direct"] {
        let list = try await RunningProgram.pathctl(line: line, at: daemon.socket, namespace: network.near).output
        #expect(list.contains(#"bad\xff"#) && list.contains(#"bad\xfe"#), "\(list)")
      }
      let hook = #"printf '<%s>\n' "$PATH_INTERFACE"; kill -INT $PPID"#
      let watch = try await daemon.pathctl("watch", "--exec", hook, namespace: network.near)
      #expect(watch.output.hasPrefix("<"))
      Self.expectClean(watch.output, "watch --exec")
      let followed = try daemon.start("watch", namespace: network.near)
      Self.expectClean(try await followed.output.wait(lines: 1)[0], "watch")
      followed.kill()
      Self.expectClean(daemon.program.complaints.lines.joined(separator: "\n"), "the daemon's lines")
      try await daemon.stop()
    }
  }

  private static let evil = #"a\u001b[2J\u009b\u202e\nforged: connected"#

  private static let reply = #"""
    {"parameters": {
      "path": {"status": "unsatisfied", "knowledge": "known", "unsatisfiedReason": "\#(evil)", "changed": ["\#(evil)"],
        "overrides": ["\#(evil)"], "interfaces": [
        {"name": "\#(evil)", "index": 7, "type": "\#(evil)", "underlying": ["\#(evil)"], "driver": "\#(evil)",
          "addresses": ["\#(evil)"], "hardwareAddress": "\#(evil)"}],
        "cost": {"isExpensive": true, "isConstrained": false, "confidence": "\#(evil)", "evidence": [
          {"source": "\#(evil)", "verdict": "expensive", "confidence": "\#(evil)", "text": "\#(evil)"}]}},
      "interfaces": [{"name": "\#(evil)", "index": 7, "type": "wifi", "underlying": ["\#(evil)"]}],
      "steps": ["\#(evil)"], "health": {"\#(evil)": 1}, "notes": ["\#(evil)"]}}
    """#

  private static let errors = ["InvalidRequirement", "PermissionDenied", "LimitReached", "PathUnknown", evil].map {
    #"""
    {"error": "io.pathmonitor.PathMonitor.\#($0)", "parameters": {"text": "\#(evil)", "allowed": ["\#(evil)"],
      "needed": "\#(evil)", "limit": "\#(evil)", "reason": "\#(evil)", "name": "\#(evil)", "value": 1}}
    """#
  }

  @Test(arguments: [reply] + errors + [#""{\u001b[2J\nforged\u0000""#])
  func `no verb prints a word of a hostile service that garbles a terminal or forges a line`(reply: String) async throws
  {
    let service = try await ScriptedService([reply])
    for verb in Self.verbs.dropLast(2) + ["override set isExpensive true", "watch"] {
      for options in [[], ["--json"]] {
        let program = try service.start(verb.split(separator: " ").map(String.init) + options)
        if verb == "watch" {
          // It reports the service's replies, and connects again for ever.
          _ = try await program.complaints.wait(lines: 1)
          program.kill()
        } else {
          try await program.waitForExit()
        }
        Self.expectClean(program.output.lines.joined(separator: "\n"), "\(verb) \(options)")
        Self.expectClean(program.complaints.lines.joined(separator: "\n"), "\(verb) \(options)")
      }
    }
  }
}
