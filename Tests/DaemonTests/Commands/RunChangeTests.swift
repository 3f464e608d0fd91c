import Glibc
import ProcessTestSupport
import Testing

/// Members of scripted paths.
enum ScriptedWay {
  static let wired = way("eth0", 2, "192.0.2", ".2")
  static let wireless = way("wlan0", 3, "198.51.100", ".2")
  /// The wired network with another address from its server.
  static let moved = way("eth0", 2, "192.0.2", ".77")

  private static func way(_ name: String, _ index: Int, _ network: String, _ host: String) -> String {
    """
    {"interfaces":[{"name":"\(name)","index":\(index),"type":"wiredEthernet","addresses":["\(network)\(host)/24"]}],\
    "sourceAddresses":["\(network)\(host)"],"gateways":["\(network).1"],"isExpensive":false}
    """
  }
}

@Suite("pathctl run: changes")
struct RunChangeTests {
  /// A step of the path, and the restarts of the command that have come after it.
  struct Row: Sendable {
    var way: String?
    var restarts: Int
  }

  private static let wired = Row(way: ScriptedWay.wired, restarts: 0)
  /// A lost path; what follows from it shows with the next row.
  private static let lost = Row(way: nil, restarts: 0)

  static let tables: [(options: [String], rows: [Row])] = [
    // Equal paths, a loss without a change, and a return before the command was told restart nothing.
    (
      ["--on-loss", "continue", "--on-change", "restart"],
      [
        wired, wired, lost, wired, Row(way: ScriptedWay.wireless, restarts: 1), lost,
        Row(way: ScriptedWay.wired, restarts: 2), Row(way: ScriptedWay.moved, restarts: 3),
      ]
    ),
    // A paused command goes on where the path is the same, and begins anew where it is not.
    (
      ["--on-loss", "pause", "--on-change", "restart"],
      [wired, lost, wired, lost, Row(way: ScriptedWay.wireless, restarts: 1)]
    ),
    (
      ["--on-loss", "continue", "--on-change", "restart", "--on-change-of", "interface,gateway"],
      [wired, Row(way: ScriptedWay.moved, restarts: 0), Row(way: ScriptedWay.wireless, restarts: 1)]
    ),
    (["--on-loss", "continue", "--on-change", "ignore"], [wired, Row(way: ScriptedWay.wireless, restarts: 0)]),
  ]

  @Test(arguments: tables.indices)
  func `a command is restarted at the changes that count, and at no other`(index: Int) async throws {
    let (options, rows) = Self.tables[index]
    let path = try await ScriptedPath()
    try await path.become(ScriptedWay.wired)
    let script = "trap 'echo told' USR1; echo begun; while :; do sleep 0.01; done"
    let run = try path.start(["run", "connected"] + options + ["--", "sh", "-c", script])
    try await run.output.wait(lineWith: "begun")
    var told = 0
    for (number, row) in rows.enumerated() {
      guard let way = row.way else {
        try await path.become(satisfied: false)
        continue
      }
      try await path.become(way)
      _ = try await run.output.wait(for: "row \(number): \(row.restarts) restarts") { lines in
        lines.count { $0 == "begun" } > row.restarts ? true : nil
      }
      // The signal comes behind the path. A command that the path has ended would not hear it.
      run.send(SIGUSR1)
      told += 1
      _ = try await run.output.wait(for: "row \(number): an answer") { [told] lines in
        lines.count { $0 == "told" } == told ? true : nil
      }
      #expect(run.output.lines.count { $0 == "begun" } == row.restarts + 1, "row \(number)")
    }
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
  }

  @Test func `the reason is a line, and --quiet leaves it out`() async throws {
    for (option, expected) in [
      ("--on-loss=continue", ["pathctl: the command is restarted, as there is another source address: "]), ("-q", []),
    ] {
      let path = try await ScriptedPath()
      try await path.become(ScriptedWay.wired)
      let run = try path.run(option, "--on-change", "restart", script: "echo pid $$; exec sleep 1000")
      let first = try await run.output.number(after: "pid")
      try await path.become(ScriptedWay.wireless)
      _ = try await run.output.number(after: "pid", skipping: 1)
      #expect(ProcessTable.isEmpty(group: first))
      #expect(run.complaints.lines.count == expected.count)
      for (line, beginning) in zip(run.complaints.lines, expected) { #expect(line.hasPrefix(beginning), "\(line)") }
      run.send(SIGTERM)
      #expect(try await run.waitForExit() == 143)
    }
  }

  @Test func `a signal tells the group of the command, once for each change`() async throws {
    let path = try await ScriptedPath()
    try await path.become(ScriptedWay.wired)
    let run = try path.run(
      "--on-change", "signal:HUP", "--on-loss", "continue",
      script: "trap 'echo told' HUP; echo begun; while :; do sleep 0.01; done")
    try await run.output.wait(lineWith: "begun")
    for (number, way) in [ScriptedWay.wireless, ScriptedWay.wired, ScriptedWay.moved].enumerated() {
      try await path.become(way)
      try await path.become(way)
      _ = try await run.output.wait(for: "\(number + 1) signals") { $0.count { $0 == "told" } > number ? true : nil }
    }
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(run.output.lines.count { $0 == "told" } == 3)
    #expect(run.complaints.lines.count { $0.hasPrefix("pathctl: the command is sent SIGHUP, as there is ") } == 3)
  }
}

/// The source addresses of real connections.
@Suite(
  "pathctl run: changes of real cables", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct RunCableTests {
  /// A program that connects to a host behind both routers, prints its source address, and waits for more to read.
  private static let client = """
    import socket
    connection = socket.create_connection(("203.0.113.1", 7))
    print("from", connection.getsockname()[0], flush=True)
    connection.recv(1)
    """

  @Test func `a command connects anew over the cable that is left, and again when the other is back`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("wire", metric: 100)
      try await network.connect("radio", network: "198.51.100", metric: 600)
      // As network managers do by removing routes, the kernel leaves a cable that is out.
      try await RunningProgram.succeed([
        "ip", "netns", "exec", network.near, "sysctl", "-qw", "net.ipv4.conf.all.ignore_routes_with_linkdown=1",
      ])
      for words in ["192.0.2.1/24 dev wire", "198.51.100.1/24 dev radio", "203.0.113.1/32 dev lo"] {
        try await network.ipFar("address add \(words)")
      }
      let listener = try RunningProgram(
        [
          "python3", "-u", "-c",
          "import socket\nlistener = socket.create_server(('203.0.113.1', 7))\nprint('ready')\n"
            + "kept = []\nwhile True: kept.append(listener.accept()[0])",
        ], namespace: network.far)
      _ = try await listener.output.wait(lines: 1)
      let daemon = try await TestDaemon(namespace: network.near)
      let run = try RunningProgram(
        [
          RunningProgram.pathctl, "run", "connected", "--socket", daemon.socket, "--on-change", "restart", "--",
          "python3", "-c", Self.client,
        ], namespace: network.near)
      try await run.output.wait(lineWith: "from 192.0.2.2")
      // A renewed lease, an alias, another cable's new address: nothing that the connection depends on.
      try await network.ip(
        "address change 192.0.2.2/24 dev wire valid_lft 1000 preferred_lft 1000", "address add 192.0.2.9/24 dev wire",
        "address add 198.51.100.9/24 dev radio")
      try await network.ipFar("link set wire down")
      #expect(try await run.output.wait(lines: 2).last == "from 198.51.100.2")
      try await network.ipFar("link set wire up")
      #expect(try await run.output.wait(lines: 3).last == "from 192.0.2.2")
      let reason = "pathctl: the command is restarted, as there is another source address: connected over "
      #expect(run.complaints.lines.map { String($0.prefix(reason.count)) } == [reason, reason])
      // The server of the lease gives another address.
      try await network.ip(
        "address flush dev wire", "address add 192.0.2.77/24 dev wire",
        "route add default via 192.0.2.1 dev wire metric 100")
      #expect(try await run.output.wait(for: "the new address") { $0.last == "from 192.0.2.77" ? true : nil })
      run.send(SIGTERM)
      #expect(try await run.waitForExit() == 143)
      try await daemon.stop()
    }
  }
}
