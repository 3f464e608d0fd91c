import Foundation
import ProcessTestSupport
import Testing

/// The loop of portal-notification.service with stand-ins for pathctl and notify-send.
@Suite("The notification of sign-in pages")
struct PortalNotificationTests {
  private static let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("systemd/user/portal-notification.service")

  /// The command of the shell in the unit, as systemd passes it on.
  private static func loop() throws -> String {
    let text = try String(contentsOf: unit, encoding: .utf8).replacingOccurrences(of: "\\\n", with: " ")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=/bin/sh -c '") })
    #expect(line.hasSuffix("'"))
    return line.dropFirst("ExecStart=/bin/sh -c '".count).dropLast().replacingOccurrences(of: "$$", with: "$")
  }

  /// Runs the loop for the lines of `pathctl watch`. Returns the notifications, and the exit status.
  private static func run(
    _ lines: [String], pathctl: Bool = true, health: Int = 0, portal: Int = 1, notification: Int = 0
  ) async throws -> (notifications: [String], status: Int32) {
    let directory = try ScratchDirectory()
    if pathctl {
      try directory.write("lines", lines.map { "\($0)\n" }.joined())
      try await directory.writeProgram(
        "pathctl",
        """
        #!/bin/sh
        case $1 in health) exit \(health) ;; check) [ "$2" = portal ] && exit \(portal) || exit 64 ;;
        watch) cat "$(dirname "$0")/lines" ;; *) exit 64 ;; esac

        """)
    }
    try await directory.writeProgram(
      "notify-send", "#!/bin/sh\nshift\nIFS=:\necho \"$*\" >>\"$(dirname \"$0\")/told\"\nexit \(notification)\n")
    let outcome = try await RunningProgram.run(
      ["sh", "-c", "PATH=\"$1:/usr/bin:/bin\"; export PATH; exec sh -c \"$2\"", "sh", directory.path, try loop()])
    let told = (try? String(contentsOfFile: directory("told"), encoding: .utf8)) ?? ""
    return (told.split(separator: "\n").map(String.init), outcome.status)
  }

  private static let wanted = "The network wants a sign-in:pathctl portal --open"
  private static let over = "The network wants no sign-in any more"

  @Test func `a sign-in is notified once, and its end when the Internet answers over the same network`() async throws {
    let lines = [
      "unknown wlan0 Hotel 192.0.2.1", "portal wlan0 Hotel 192.0.2.1", "unknown", "unknown wlan0 Hotel 192.0.2.1",
      "portal wlan0 Hotel 192.0.2.1", "validated wlan0 Hotel 192.0.2.1", "validated wlan0 Hotel 192.0.2.1 2001:db8::1",
    ]
    #expect(try await Self.run(lines).notifications == [Self.wanted, Self.over])
  }

  @Test func `a network that lets some hosts through wants a sign-in, too`() async throws {
    let lines = [
      "partial wlan0 Hotel 192.0.2.1", "unknown", "partial wlan0 Hotel 192.0.2.1", "validated wlan0 Hotel 192.0.2.1",
    ]
    #expect(try await Self.run(lines, portal: 0).notifications == [Self.wanted, Self.over])
    #expect(try await Self.run(lines).notifications == [], "it is answered in part for another reason")
  }

  @Test func `nothing is over in another network, nor when nothing is known`() async throws {
    #expect(
      try await Self.run(["portal wlan0 Hotel 192.0.2.1", "unknown", "validated wlan0 Home 198.51.100.1"])
        .notifications == [Self.wanted])
    #expect(
      try await Self.run(["validated eth0 192.0.2.1", "unknown", "validated eth0 192.0.2.1"]).notifications == [])
    #expect(
      try await Self.run([
        "portal wlan0 Hotel 192.0.2.1", "validated wlan0 Home 198.51.100.1", "portal wlan0 Hotel 192.0.2.1",
      ]).notifications == [Self.wanted, Self.wanted], "the next stay is another one")
  }

  @Test func `without the service, pathctl or a desktop it ends, so that systemd waits before the next start`()
    async throws
  {
    #expect(try await Self.run(["portal eth0 192.0.2.1"], health: 69).status == 69)
    #expect(try await Self.run([], pathctl: false).status == 127)
    let failed = try await Self.run(["portal eth0 192.0.2.1", "portal eth1 192.0.2.1"], notification: 1)
    #expect(failed.notifications == [Self.wanted])
    #expect(failed.status == 1)
    #expect(try await Self.run(["unknown"]).status == 0)
    let mistake = try await Self.run(["portal eth0 192.0.2.1"], health: 1)
    #expect(mistake.notifications == [Self.wanted], "a mistake in the configuration is no reason")
  }
}
