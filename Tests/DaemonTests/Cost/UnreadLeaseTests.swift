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

  /// Writes a server's acknowledgement of 192.0.2.2 as dhcpcd keeps it.
  private static func writeLease(to machine: PrivateMachine, mode: Int) throws {
    var packet = Data([2, 1, 6, 0] + [UInt8](repeating: 0, count: 12) + [192, 0, 2, 2])
    packet += Data(count: 236 - packet.count) + [99, 130, 83, 99, 53, 1, 5, 255]
    let path = machine.library("dhcpcd/eth0.lease")
    try packet.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `a lease that the service may not read makes the cost unknown, and every answer says why`() async throws {
    try await TestNetwork.with { network in
      let machine = try PrivateMachine()
      let directory = try ScratchDirectory()
      try directory.setMode(".", 0o777)
      try Self.writeLease(to: machine, mode: 0o640)
      try await network.connect()
      let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      let daemon = try await TestDaemon(
        socket: directory("socket"), namespace: network.near, launcher: machine.launcher + asNobody)
      for (line, status, complaint) in [
        ("check unmetered", 69, "pathctl: \(Self.doubt)\n"), ("check metered", 69, Self.doubt),
        ("check unmetered-known", 1, ""), ("check connected", 0, ""),
        ("wait unmetered --timeout 0.3s", 124, Self.doubt),
        ("run unmetered --timeout 0.3s -- echo started", 124, Self.doubt),
      ] as [(String, Int32, String)] {
        let outcome = try await daemon.pathctl(line: line)
        #expect(outcome.status == status && outcome.output.isEmpty, "\(line)")
        #expect(complaint.isEmpty ? outcome.complaints.isEmpty : outcome.complaints.contains(complaint), "\(line)")
      }
      for (line, words) in [
        ("status", "/var/lib/dhcpcd/eth0.lease: Permission denied"), ("interfaces eth0", "cost       unknown"),
        ("explain", "  * unknown  undetermined  lease  eth0 may have"),
      ] {
        let output = try await daemon.pathctl(line: line).output
        #expect(output.contains(words), "\(output)")
      }

      let watcher = try daemon.start("watch", "--json")
      let unread = try await watcher.output.wait(lines: 1)[0]
      #expect(unread.contains(Self.undetermined))
      try Self.writeLease(to: machine, mode: 0o644)
      _ = try await watcher.output.wait(for: "a known lease") {
        $0.last?.contains(Self.undetermined) == false ? true : nil
      }
      #expect(try await daemon.pathctl(line: "check unmetered").status == 0)
      try await daemon.stop()
    }
  }
}
