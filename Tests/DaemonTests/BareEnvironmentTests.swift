import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("Programs in a bare environment", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct BareEnvironmentTests {
  /// Runs a command line of the shell in which `$1` is the program and `$2` the argument.
  private static func shell(_ script: String, _ program: String, _ argument: String = "") async throws
    -> RunningProgram.Outcome
  {
    try await RunningProgram.run(["sh", "-c", script, "sh", program, argument])
  }

  private static let withoutProc = "exec unshare --mount sh -c 'umount -l /proc && exec \"$@\"' sh \"$@\""

  @Test(arguments: [RunningProgram.pathctl, RunningProgram.pathmonitord])
  func `arguments count where /proc is not mounted`(program: String) async throws {
    let version = try await Self.shell(Self.withoutProc, program, "--version")
    #expect(version.status == 0)
    #expect(version.output.contains(" "))
    #expect(!version.output.contains("connected"))
    let mistake = try await Self.shell(Self.withoutProc, program, "--sokcet")
    #expect(mistake.status == 64)
    #expect(mistake.complaints.contains("there is no option '--sokcet'"))
  }

  @Test(arguments: [RunningProgram.pathctl, RunningProgram.pathmonitord])
  func `output that cannot be printed is a failure, and goes nowhere else`(program: String) async throws {
    #expect(try await Self.shell("exec \"$1\" --help >&-", program).status == 69)
    #expect(try await Self.shell("exec \"$1\" --help <&- >&- 2>&-", program).status == 69)
  }

  @Test func `a socket never gets the number of a descriptor that was closed at the start`() async throws {
    let daemon = try await TestDaemon()
    for verb in ["status", "health", "watch"] {
      let outcome = try await Self.shell(
        "exec \"$1\" \(verb) --socket \"$2\" <&- >&- 2>&-", RunningProgram.pathctl, daemon.socket)
      #expect(outcome.status == 69, "\(verb)")
    }
    try await daemon.stop()
  }

  @Test func `a program with more rights than its caller ignores all variables`() async throws {
    let directory = try ScratchDirectory()
    // Root starts it, and it runs as another user: the kernel marks it in the same way as the reverse (AT_SECURE).
    let script = """
      cp "$1" "$2/program" && chown 65534 "$2/program" && chmod 4755 "$2/program" && chmod 755 "$2" &&
      PATHMONITOR_SOCKET=/named/by/variable exec "$2/program" health
      """
    let marked = try await Self.shell(script, RunningProgram.pathctl, directory.path)
    #expect(!marked.complaints.contains("/named/by/variable"), "\(marked)")
    #expect(marked.complaints.contains("/run/pathmonitor/"), "\(marked)")
    let plain = try await Self.shell(
      "PATHMONITOR_SOCKET=/named/by/variable exec \"$1\" health", RunningProgram.pathctl)
    #expect(plain.complaints.contains("/named/by/variable"))
  }

  @Test func `an answer has the files of the moment where the user has no inotify instance left`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("resolv.conf", "")
    try directory.write("resolv.conf.new", "nameserver 192.0.2.53\n")
    try directory.write(
      "lease",
      """
      lease {
        interface "eth0";
        fixed-address 192.0.2.2;
        option vendor-encapsulated-options "ANDROID_METERED";
      }

      """)
    // A user namespace has limits of its own; root keeps those of the machine.
    let script = """
      echo 0 >/proc/sys/user/max_inotify_instances
      mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/dhcp && mount --bind "$3/resolv.conf" /etc/resolv.conf
      ip link add eth0 type veth peer name far0
      ip address add 192.0.2.2/24 dev eth0
      ip link set far0 up; ip link set eth0 up
      ip route add default via 192.0.2.1
      "$1" --socket "$3/socket" &
      # Without the service, pathctl would ask the kernel itself, and read the files itself.
      for attempt in $(seq 200); do "$2" health --socket "$3/socket" >/dev/null 2>&1 && break; sleep 0.1; done
      answer() { "$2" status --socket "$3/socket" --field "$4"; }
      answer "$@" isExpensive
      answer "$@" supportsDNS
      cat "$3/resolv.conf.new" >"$3/resolv.conf"
      answer "$@" supportsDNS
      cp "$3/lease" /var/lib/dhcp/dhclient.leases
      answer "$@" isExpensive
      "$2" health --socket "$3/socket" | grep -c "every 30 s"
      kill $!
      """
    let outcome = try await RunningProgram.run(
      ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c", script, "sh"]
        + [RunningProgram.pathmonitord, RunningProgram.pathctl, directory.path])
    // The last line counts the notes on changes that nothing reports.
    #expect(outcome.output == "false\nfalse\ntrue\ntrue\n2\n", "\(outcome)")
    #expect(!outcome.complaints.contains("does not answer"), "\(outcome)")
  }
}
