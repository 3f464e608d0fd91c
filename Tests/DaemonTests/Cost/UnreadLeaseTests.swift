import Foundation
import ProcessTestSupport
import Testing

/// The service of a user who may not read the leases of dhcpcd, which only root and its group may read.
@Suite("Leases that the service cannot read", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct UnreadLeaseTests {
  private static let undetermined = #""verdict":"undetermined""#
  private static let doubt = """
    eth0 may have a DHCP lease with ANDROID_METERED, which is not known: \
    cannot open /var/lib/dhcpcd/eth0.lease: Permission denied. Let the service read the file, or say Expensive=yes or \
    Expensive=no for eth0: pathmonitor.conf(5).
    """

  /// A server's acknowledgement of 192.0.2.2 as dhcpcd keeps it, with the text in option 43.
  private static func packet(_ vendorInformation: String) -> Data {
    var packet = Data([2, 1, 6, 0] + [UInt8](repeating: 0, count: 12) + [192, 0, 2, 2])
    packet += Data(count: 236 - packet.count) + [99, 130, 83, 99, 53, 1, 5, 43, UInt8(vendorInformation.utf8.count)]
    return packet + Data(vendorInformation.utf8) + [255]
  }

  /// The words that start a program as nobody.
  private static let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Runs the body beside a service of nobody's on a machine with an address on eth0.
  private static func run(
    _ prepare: (PrivateMachine, TestNetwork) async throws -> Void,
    _ body: (PrivateMachine, TestDaemon, TestNetwork) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      let machine = try PrivateMachine()
      let directory = try ScratchDirectory()
      try directory.setMode(".", 0o777)
      try await prepare(machine, network)
      let daemon = try await TestDaemon(
        socket: directory("socket"), namespace: network.near, launcher: machine.launcher + asNobody)
      try await body(machine, daemon, network)
      try await daemon.stop()
    }
  }

  private static func write(_ machine: PrivateMachine, _ file: String, _ text: String, mode: Int) throws {
    let path = machine.library("dhcpcd/\(file)")
    try packet(text).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `a lease that the service may not read makes the cost unknown, and every answer says why`() async throws {
    try await Self.run { machine, network in
      try Self.write(machine, "eth0.lease", "ANDROID_METERED", mode: 0o640)
      try await network.connect()
    } _: { machine, daemon, _ in
      for requirement in ["unmetered", "metered", "not-(wifi,unmetered)", "via=eth0,unmetered"] {
        let isClear = requirement == "not-(wifi,unmetered)"
        let check = try await daemon.pathctl("check", requirement)
        #expect(check.status == (isClear ? 0 : 69), "\(requirement)")
        if requirement == "unmetered" { #expect(check.complaints == "pathctl: \(Self.doubt)\n") }
      }
      #expect(try await daemon.pathctl("check", "unmetered-known").status == 1)
      #expect(try await daemon.pathctl("check", "connected").status == 0)
      let status = try await daemon.pathctl("status").output
      #expect(status.contains("/var/lib/dhcpcd/eth0.lease: Permission denied"), "\(status)")
      let explained = try await daemon.pathctl("explain").output
      #expect(explained.contains("  * unknown  undetermined  lease  eth0 may have"), "\(explained)")
      #expect(try await daemon.pathctl("interfaces", "eth0").output.contains("cost       unknown"))

      let waiting = try await daemon.pathctl("wait", "unmetered", "--timeout", "0.3s")
      #expect(waiting.status == 124, "\(waiting)")
      #expect(waiting.complaints.contains(Self.doubt), "\(waiting)")
      let run = try await RunningProgram.run(
        [RunningProgram.pathctl, "run", "unmetered", "--socket", daemon.socket, "--timeout", "0.3s"]
          + ["--", "echo", "started"])
      #expect(run.status == 124 && run.output.isEmpty, "\(run)")
      #expect(run.complaints.contains(Self.doubt), "\(run)")
    }
  }

  @Test func `root may read the lease, and its answers without the service are certain`() async throws {
    try await Self.run { machine, network in
      try Self.write(machine, "eth0.lease", "ANDROID_METERED", mode: 0o640)
      try await network.connect()
    } _: { machine, _, network in
      let program = try machine.start(
        [RunningProgram.pathctl, "check", "unmetered", "--direct"], namespace: network.near)
      #expect(try await program.waitForExit() == 1)
    }
  }

  @Test func `a word of the administrator decides, and rights to read the file do`() async throws {
    try await Self.run { machine, network in
      try Self.write(machine, "eth0.lease", "", mode: 0o640)
      try await network.connect()
    } _: { machine, daemon, _ in
      #expect(try await daemon.pathctl("check", "unmetered").status == 69)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(for: Self.undetermined) {
        $0.last?.contains(Self.undetermined) == true ? true : nil
      }
      try Self.write(machine, "eth0.lease", "", mode: 0o644)
      _ = try await watcher.output.wait(for: "a known lease") {
        $0.last?.contains(Self.undetermined) == false ? true : nil
      }
      #expect(try await daemon.pathctl("check", "unmetered").status == 0)
    }
  }

  @Test func `the unread lease of another interface, or of one without an address, makes no difference`() async throws {
    try await Self.run { machine, network in
      try Self.write(machine, "eth1.lease", "ANDROID_METERED", mode: 0o640)
      try await network.connect()
      try await network.ip("link add eth1 type veth peer name p1", "link set eth1 up", "link set p1 up")
    } _: { _, daemon, _ in
      let check = try await daemon.pathctl("check", "unmetered")
      #expect(check.status == 0)
      let status = try await daemon.pathctl("status", "--json")
      #expect(!status.output.contains(Self.undetermined))
    }
  }

  @Test(.enabled(if: DebianProgram.areThere, Comment(rawValue: DebianProgram.needed)))
  func `the lease that dhcpcd itself has written is one that the service may not read`() async throws {
    try await Self.run { _, network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)", "link set eth0 up")
      try await network.ipFar("link set eth0 up")
    } _: { machine, daemon, network in
      let server = try await DHCPServer(on: network)
      try server.say("ANDROID_METERED")
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      let client = try machine.start(DebianProgram.dhcpcd("-A", "-f", "/dev/null"), namespace: network.near)
      _ = try await watcher.output.wait(for: Self.undetermined, within: .seconds(40)) {
        $0.last?.contains(Self.undetermined) == true ? true : nil
      }
      #expect(try await daemon.pathctl("check", "unmetered").status == 69)
      try await client.killAndWait()
      try await server.stop()
    }
  }
}
