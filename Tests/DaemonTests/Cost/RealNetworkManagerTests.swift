import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The daemon on a bus of its own with NetworkManager itself, which manages the network.
@Suite(
  "What NetworkManager itself says", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)),
  .enabled(if: DebianProgram.areThere, Comment(rawValue: DebianProgram.needed)))
struct RealNetworkManagerTests {
  private struct Stage {
    let network: TestNetwork
    let bus: PrivateBus
    let manager: RealNetworkManager
    let daemon: TestDaemon
    let watcher: RunningProgram

    /// Waits until the last line of the watch has a satisfied path with this cost.
    func comes(_ isExpensive: Bool, _ confidence: String, _ evidence: String?) async throws {
      let cost = #""isExpensive":\#(isExpensive),"isConstrained":false,"confidence":"\#(confidence)""#
      _ = try await watcher.output.wait(for: "\(cost) by \(evidence ?? "nobody")", within: .seconds(30)) { lines in
        let words = [#""status":"satisfied""#, cost, evidence ?? #""evidence":[]"#]
        return lines.last.flatMap { words.allSatisfy($0.contains) ? true : nil }
      }
    }

    func explains(_ line: String) async throws {
      let explained = try await daemon.pathctl("explain").output
      #expect(explained.contains(line), "\(explained)")
    }
  }

  private static func run(_ body: (Stage) async throws -> Void) async throws {
    try await TestNetwork.with { network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)")
      try await network.ipFar("link set eth0 up")
      let bus = try PrivateBus()
      let busDaemon = try await bus.start()
      let daemon = try await TestDaemon(environment: bus.environment, namespace: network.near)
      let watcher = try daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      let manager = try RealNetworkManager(bus: bus, network: network)
      try await body(Stage(network: network, bus: bus, manager: manager, daemon: daemon, watcher: watcher))
      #expect(daemon.program.isRunning)
      #expect(watcher.complaints.text.isEmpty)
      try await daemon.stop()
      try await busDaemon.killAndWait()
    }
  }

  @Test func `the user's setting of a connection, or else its guess, changes the path while it is watched`()
    async throws
  {
    try await Self.run { stage in
      let program = try await stage.manager.start()
      try await stage.manager.connect(metered: "yes", method: RealNetworkManager.manual)
      try await stage.comes(true, "explicit", "the connection on eth0 is metered")
      try await stage.explains("  * explicit  expensive  networkManager  the connection on eth0 is metered")
      for (word, isExpensive, confidence, line) in [
        ("no", false, "explicit", "  * explicit  notExpensive  networkManager  the connection on eth0 is not metered"),
        ("unknown", false, "guess", "  * guess  notExpensive  networkManager  NetworkManager guesses that eth0 is not"),
        ("yes", true, "explicit", "  * explicit  expensive  networkManager  the connection on eth0 is metered"),
      ] {
        try await stage.manager.setMetered(word)
        try await stage.comes(isExpensive, confidence, "networkManager")
        try await stage.explains(line)
        #expect(try await stage.daemon.pathctl("check", "unmetered").status == (isExpensive ? 1 : 0))
        #expect(try await stage.daemon.pathctl("check", "unmetered-known").status == (word == "no" ? 0 : 1))
      }
      try await stage.manager.succeed("connection", "down", "cable")
      try await stage.watcher.output.wait(lineWith: #""status":"unsatisfied""#)
      try await program.killAndWait()
    }
  }

  @Test func `it guesses by option 43 of its DHCP server that a connection is metered`() async throws {
    try await Self.run { stage in
      let server = try await DHCPServer(on: stage.network)
      try server.say("ANDROID_METERED")
      let program = try await stage.manager.start()
      try await stage.manager.connect(metered: "unknown", method: RealNetworkManager.automatic)
      try await stage.comes(true, "guess", "networkManager")
      try await stage.explains("  * guess  expensive  networkManager  NetworkManager guesses that eth0 is metered")
      try await stage.manager.setMetered("no")
      try await stage.comes(false, "explicit", "the connection on eth0 is not metered")
      try await program.killAndWait()
      try await server.stop()
    }
  }

  @Test func `it may come after the service, end, be killed and come back: its value goes and comes with it`()
    async throws
  {
    try await Self.run { stage in
      var program = try await stage.manager.start()
      try await stage.manager.connect(metered: "yes", method: RealNetworkManager.manual)
      for signal in [SIGTERM, SIGKILL, SIGTERM] {
        try await stage.comes(true, "explicit", "the connection on eth0 is metered")
        // It leaves the interface as it is.
        program.send(signal)
        try await program.waitForExit()
        try await stage.comes(false, "unknown", nil)
        program = try await stage.manager.start()
      }
      try await stage.comes(true, "explicit", "the connection on eth0 is metered")
      try await program.killAndWait()
    }
  }

  @Test func `while nothing happens the daemon sleeps`() async throws {
    try await Self.run { stage in
      let program = try await stage.manager.start()
      try await stage.manager.connect(metered: "no", method: RealNetworkManager.manual)
      try await stage.comes(false, "explicit", "the connection on eth0 is not metered")
      try await stage.daemon.program.expectSleep(for: .seconds(5))
      try await stage.manager.setMetered("yes")
      try await stage.comes(true, "explicit", "the connection on eth0 is metered")
      try await program.killAndWait()
    }
  }

  @Test func `its value reaches a watch within the shortest settle time after another listener on the bus has it`()
    async throws
  {
    try await Self.run { stage in
      let program = try await stage.manager.start()
      try await stage.manager.connect(metered: "no", method: RealNetworkManager.manual)
      try await stage.comes(false, "explicit", "the connection on eth0 is not metered")
      // Both lines come to one process, which records their times.
      let stopwatch = try RunningProgram([
        "/usr/bin/python3", "-u", "-c", Self.stopwatch, stage.bus.address, RunningProgram.pathctl, stage.daemon.socket,
      ])
      try await stopwatch.output.wait(lineWith: "ready")
      for turn in 1...20 {
        try await stage.manager.setMetered(turn % 2 == 1 ? "yes" : "no")
        _ = try await stopwatch.output.wait(lines: turn + 1)
      }
      let delays = stopwatch.output.lines.dropFirst().compactMap { Double($0) }.sorted()
      #expect(delays.count == 20)
      let median = delays[delays.count / 2]
      print("NetworkManager's word is a line of a watch after \(median) ms (median of 20), at most \(delays[19]) ms")
      #expect(median < 50)
      try await program.killAndWait()
    }
  }

  /// Prints for each change how many milliseconds passed between the device's signal and the line of the watch.
  private static let stopwatch = """
    import subprocess, sys, threading, time, dbus, dbus.bus
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    said = {}
    def changed(interface, values, invalidated):
        if "Metered" in values:
            note("bus")
    lock = threading.Lock()
    def note(who):
        now = time.monotonic()
        with lock:
            said[who] = now
            if len(said) == 2:
                print((said["line"] - said["bus"]) * 1000)
                said.clear()
    def read(lines):
        for line in lines:
            note("line")
    bus = dbus.bus.BusConnection(sys.argv[1])
    bus.add_signal_receiver(changed, "PropertiesChanged", "org.freedesktop.DBus.Properties", arg0="org.freedesktop.NetworkManager.Device")
    watch = subprocess.Popen([sys.argv[2], "watch", "--json", "--settle", "0", "--socket", sys.argv[3]],
                             stdout=subprocess.PIPE)
    watch.stdout.readline()
    threading.Thread(target=read, args=(watch.stdout,), daemon=True).start()
    print("ready")
    GLib.MainLoop().run()
    """
}
