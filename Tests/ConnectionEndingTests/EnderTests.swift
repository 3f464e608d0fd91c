import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The program: its configuration, its limits, and what cannot be done to it.
@Suite("pathmonitor-connections", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct EnderTests {
  typealias Connection = EndingStage.Connection
  private static let alias = ["address add 192.0.2.7/24 dev eth0", "address add 192.0.2.8/24 dev eth0"]
  private static let other = Connection(name: "other", local: "192.0.2.7")
  private static let sentinel = Connection(name: "sentinel", local: "192.0.2.8")

  /// Runs a test on a stage whose `eth0` has two further addresses.
  private static func run(_ body: @Sendable (EndingStage) async throws -> Void) async throws {
    try await EndingStage.with { stage in
      for command in alias { try await stage.network.ip(command) }
      try await body(stage)
    }
  }

  private static func remove(_ address: String, _ stage: EndingStage) async throws {
    try await stage.network.ip("address delete \(address)/24 dev eth0")
  }

  @Test func `exceptions are untouched, and a dry run ends nothing and names all`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      var ender = try await stage.startEnder("Grace=1s\nDryRun=yes")
      try await Self.remove("192.0.2.7", stage)
      let named = try await stage.endings(1, of: ender)
      #expect(named[0].contains("would end 192.0.2.7:") && named[0].contains("-> 203.0.113.1:7000 of user 0: "))
      #expect(ender.complaints.lines.contains { $0.contains(" would end 1 connection of 192.0.2.7, ") })
      #expect(try await peers.state(of: "other") == "ESTAB")
      try await ender.killAndWait()
      try await stage.network.ip(Self.alias[0])
      ender = try await stage.startEnder("Grace=1s\nExcept=192.0.2.7")
      try await Self.remove("192.0.2.7", stage)
      try await Self.remove("192.0.2.8", stage)
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await peers.holds("other"))
      // The total is written before the lines.
      _ = try await stage.endings(1, of: ender)
      let totals = try String(contentsOfFile: stage.directory("totals.json"), encoding: .utf8)
      #expect(totals == #"{"ended":1}"#)
    }
  }

  @Test func `a file with a mistake may be the one that spares a connection, so nothing ends`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other])
      let ender = try await stage.startEnder("Grace=1s\nExcept=192.0.2")
      try await Self.remove("192.0.2.7", stage)
      _ = try await ender.complaints.wait(lineWith: "would end 1 connection of 192.0.2.7, which was removed")
      #expect(try await peers.state(of: "other") == "ESTAB")
    }
  }

  @Test func `without a path and without the service nothing ends, and with them it does`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other])
      let ender = try await stage.startEnder()
      try await stage.network.ip("route delete default dev eth0", "-6 route delete default dev eth0")
      _ = try await stage.daemon.program.complaints.wait(lineWith: "offline")
      try await Self.remove("192.0.2.7", stage)
      // Three times the grace.
      try await Task.sleep(for: .seconds(3))
      #expect(try await peers.holds("other"))
      stage.daemon.program.send(SIGSTOP)
      try await stage.network.ip("route add default via 192.0.2.1 dev eth0 metric 100")
      try await Task.sleep(for: .seconds(3))
      #expect(try await peers.holds("other"))
      stage.daemon.program.send(SIGCONT)
      #expect(try await peers.fate(of: "other") == "ECONNABORTED")
      #expect(try await stage.endings(1, of: ender).count == 1)
    }
  }

  @Test func `without an order to name them, all that end together are one line without remote addresses`() async throws
  {
    try await Self.run { stage in
      let peers = try await stage.connect([
        Self.other, Connection(name: "second", local: "192.0.2.7"), Self.sentinel,
      ])
      let ender = try await stage.startEnder("Grace=1s\nLogConnections=no")
      try await Self.remove("192.0.2.7", stage)
      #expect(try await peers.fate(of: "other") == "ECONNABORTED")
      #expect(try await peers.fate(of: "second") == "ECONNABORTED")
      let line = try await ender.complaints.wait(lineWith: "ended")
      #expect(line.hasPrefix("pathmonitor-connections: ended 2 connections of 192.0.2.7, which was removed "))
      #expect(line.hasSuffix(" ago; the path leads over eth0"))
      try await Self.remove("192.0.2.8", stage)
      _ = try await ender.complaints.wait(lineWith: "ended 1 connection of 192.0.2.8")
      #expect(ender.complaints.lines.count == 2 && !ender.complaints.text.contains(EndingStage.server))
    }
  }

  @Test func `the address of a tunnel has its own time`() async throws {
    try await EndingStage.with { stage in
      let tunnel = ["tuntap add mode tun name tun0", "link set tun0 up", "address add 198.51.100.7/32 dev tun0"]
      for command in Self.alias + tunnel { try await stage.network.ip(command) }
      try await stage.network.ipFar("route add 198.51.100.7 via 192.0.2.2")
      let peers = try await stage.connect([Connection(name: "vpn", local: "198.51.100.7"), Self.sentinel])
      let ender = try await stage.startEnder("Grace=1s\nTunnelGrace=4s")
      try await stage.network.ip("link delete tun0", "address delete 192.0.2.8/24 dev eth0")
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await peers.holds("vpn"))
      #expect(try await peers.fate(of: "vpn") == "ECONNABORTED")
      #expect(try await stage.endings(2, of: ender).count == 2)
    }
  }

  // MARK: Restarts

  @Test func `what goes before a restart within the grace, and what goes meanwhile, is ended afterwards`() async throws
  {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      // Nothing is due before the restart, however long the test takes.
      var ender = try await stage.startEnder("Grace=1h")
      let record = stage.directory("addresses")
      try await Self.remove("192.0.2.7", stage)
      let deadline = ContinuousClock.now.advanced(by: .seconds(20))
      while try !String(contentsOfFile: record, encoding: .utf8).contains(/192.0.2.7 [0-9]/) {
        try #require(ContinuousClock.now < deadline)
        try await Task.sleep(for: .milliseconds(10))
      }
      try await ender.killAndWait()
      try await Self.remove("192.0.2.8", stage)
      ender = try await stage.startEnder()
      #expect(try await peers.fate(of: "other") == "ECONNABORTED")
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await stage.endings(2, of: ender).count == 2)
      #expect(ender.complaints.lines.count { !$0.contains("ended") } == 0, "\(ender.complaints.text)")
    }
  }

  @Test(
    "a program without a usable record ends nothing for addresses that it has not seen",
    arguments: [
      "rm -f addresses", "echo '192.0.2.7 soon' > addresses", "head -c 9000000 /dev/zero > addresses",
      "rm -f addresses; ln -s /proc/self/status addresses", "rm -f addresses; mkfifo addresses",
      "chmod 666 addresses",
    ])
  func unusable(command: String) async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      var ender = try await stage.startEnder()
      try await ender.killAndWait()
      try await Self.remove("192.0.2.7", stage)
      try await RunningProgram.succeed(["sh", "-c", "cd '\(stage.directory.path)' && \(command)"])
      ender = try await stage.startEnder()
      try await Self.remove("192.0.2.8", stage)
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await peers.holds("other"))
      _ = try await stage.endings(1, of: ender)
      let faults = ender.complaints.lines.filter { $0.contains("Connections of addresses that have gone before stay.") }
      #expect(faults.count == (command == "rm -f addresses" ? 0 : 1), "\(ender.complaints.text)")
    }
  }

  @Test func `a record that cannot be written is reported once, and connections end all the same`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      let ender = try await stage.startEnder(limits: ["--fsize=1"])
      for (address, name) in [("192.0.2.7", "other"), ("192.0.2.8", "sentinel")] {
        try await Self.remove(address, stage)
        #expect(try await peers.fate(of: name) == "ECONNABORTED")
      }
      ender.send(SIGTERM)
      #expect(try await ender.waitForExit() == 0)
      let faults = ender.complaints.lines.filter { $0.contains("would forget the addresses") }
      #expect(faults.count == 1, "\(ender.complaints.text)")
    }
  }

  @Test func `of 10,000 connections those go whose address is gone, and each has its line`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect(10_000, from: ["192.0.2.7", "192.0.2.8"])
      let ender = try await stage.startEnder()
      try await Self.remove("192.0.2.7", stage)
      _ = try await peers.program.output.wait(for: "the errors", within: .seconds(60)) { lines in
        lines.contains("192.0.2.7 all ECONNABORTED") ? true : nil
      }
      #expect(try await stage.endings(5_000, of: ender).count == 5_000)
      let left = try await RunningProgram.run(["ss", "-Htn", "src", "192.0.2.8"], namespace: stage.network.near)
      #expect(left.output.split(separator: "\n").count == 5_000)
    }
  }

  private static func processorTime(_ program: RunningProgram) throws -> Duration {
    let text = try String(contentsOfFile: "/proc/\(program.processIdentifier)/schedstat", encoding: .utf8)
    return .nanoseconds(try #require(text.split(separator: " ").first.flatMap { Int64($0) }))
  }

  // MARK: Attacks

  @Test func `the address games of a user in a namespace of its own, and forged messages, end nothing`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      let ender = try await stage.startEnder()
      let games = "ip link set lo up; ip addr add 192.0.2.7/24 dev lo; ip addr del 192.0.2.7/24 dev lo"
      let outcome = try await RunningProgram.run(
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"]
          + ["unshare", "--user", "--map-root-user", "--net", "sh", "-ec", games], namespace: stage.network.near)
      #expect(outcome.status == 0, "\(outcome)")
      // Root alone may send to a netlink socket of another program at all.
      let forged = try await Python.run(Self.forger, "\(ender.processIdentifier)", namespace: stage.network.near)
      #expect(forged.status == 0 && forged.output.contains("sent"), "\(forged)")
      let refused = try await RunningProgram.run(
        [
          "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all", "/usr/bin/python3",
          "-c",
        ]
          + [Self.forger, "\(ender.processIdentifier)"], namespace: stage.network.near)
      #expect(refused.status != 0 && refused.complaints.contains("PermissionError"), "\(refused)")
      try await Self.remove("192.0.2.8", stage)
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await peers.holds("other"))
    }
  }

  /// Sends RTM_DELADDR for 192.0.2.7 to every netlink socket of a process.
  private static let forger = """
    import socket, struct, sys
    body = struct.pack("BBBBi", 2, 24, 0, 0, 2) + struct.pack("HH4B", 8, 2, 192, 0, 2, 7)
    message = struct.pack("IHHII", 16 + len(body), 21, 0, 0, 0) + body
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    ports = [line.split()[2] for line in open("/proc/net/netlink").read().splitlines()[1:] if line.split()[1] == "0"]
    for port in ports:
        if int(port) & 0x3fffff == int(sys.argv[1]):
            s.sendto(message, (int(port), 0))
            print("sent")
    """

  @Test func `a flood of address events costs at most half a core, and ends nothing wrong`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other, Self.sentinel])
      let ender = try await stage.startEnder()
      let events = (0..<20_000).flatMap { number -> [String] in
        let address = "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)/32"
        return ["address add \(address) dev eth0", "address delete \(address) dev eth0"]
      }
      let file = stage.directory("events")
      try events.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let (start, before) = (ContinuousClock.now, try Self.processorTime(ender))
      for _ in 0..<3 { try await RunningProgram.succeed(["ip", "-n", stage.network.near, "-batch", file]) }
      let (used, elapsed) = (try Self.processorTime(ender) - before, ContinuousClock.now - start)
      #expect(used < elapsed / 2, "\(used) of \(elapsed)")
      try await Self.remove("192.0.2.8", stage)
      #expect(try await peers.fate(of: "sentinel") == "ECONNABORTED")
      #expect(try await peers.holds("other"))
      #expect(ender.isRunning)
    }
  }

  @Test func `the namespace of a container is another one`() async throws {
    try await Self.run { stage in
      // The machine of the server has the same address, for a connection to itself.
      try await stage.network.ipFar("address add 192.0.2.7/32 dev lo")
      let inside = try await stage.connect([Self.other], in: stage.network.far)
      try await stage.network.ipFar("address delete 192.0.2.7/32 dev lo")
      let peers = try await stage.connect([Self.other])
      let ender = try await stage.startEnder()
      try await Self.remove("192.0.2.7", stage)
      #expect(try await peers.fate(of: "other") == "ECONNABORTED")
      #expect(ender.isRunning)
      #expect(try await inside.holds("other"))
    }
  }

  @Test func `a program without the right says so at the start, and counts what it would end`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other])
      let ender = try await stage.startEnder(rights: "-all")
      let complaint = try await ender.complaints.wait(lineWith: "CAP_NET_ADMIN")
      #expect(complaint.hasPrefix("pathmonitor-connections: no connection is ended, only counted: that takes "))
      try await Self.remove("192.0.2.7", stage)
      #expect(try await stage.endings(1, of: ender)[0].contains("would end "))
      #expect(try await peers.holds("other"))
    }
  }

  @Test func `a refusal of the kernel is reported once, and tried again`() async throws {
    try await Self.run { stage in
      let peers = try await stage.connect([Self.other])
      // The right of a user namespace is none to this network namespace.
      let ender = try await stage.startEnder(wrapper: ["unshare", "--user", "--map-root-user"])
      try await Self.remove("192.0.2.7", stage)
      _ = try await ender.complaints.wait(lineWith: "cannot end")
      // Each attempt asks for the route of the address first, and the second one comes by itself.
      try await Self.remove("192.0.2.8", stage)
      #expect(try await peers.holds("other"))
      ender.send(SIGTERM)
      #expect(try await ender.waitForExit() == 0)
      #expect(
        ender.complaints.lines == [
          "pathmonitor-connections: cannot end TCP connections: Operation not permitted. It is tried again. "
            + "It takes CAP_NET_ADMIN."
        ])
    }
  }
}
