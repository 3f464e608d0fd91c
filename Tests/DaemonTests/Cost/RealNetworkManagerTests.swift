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

    /// Waits until the last line of the watch has a satisfied path with the validation.
    func validation(is state: String) async throws {
      _ = try await watcher.output.wait(for: state, within: .seconds(30)) { lines in
        let words = [#""status":"satisfied""#, #""validation":{"state":"\#(state)""#]
        return lines.last.flatMap { words.allSatisfy($0.contains) ? true : nil }
      }
    }

    func explains(_ line: String) async throws {
      let explained = try await daemon.pathctl("explain").output
      #expect(explained.contains(line), "\(explained)")
    }
  }

  private static func run(
    connectivity: String = "enabled=false", _ body: (Stage) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)")
      try await network.ipFar("link set eth0 up")
      let bus = try PrivateBus()
      let busDaemon = try await bus.start()
      let daemon = try await TestDaemon(environment: bus.environment, namespace: network.near)
      let watcher = try daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      let manager = try RealNetworkManager(bus: bus, network: network, connectivity: connectivity)
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

  @Test func `the answer of its host validates the device, other content is a portal, and silence decides nothing`()
    async throws
  {
    try await Self.run(connectivity: "uri=http://192.0.2.1:8080/\nresponse=here\ninterval=300") { stage in
      let directory = try ScratchDirectory()
      try directory.write("answer", "Sign in, please.")
      try await stage.network.ipFar("address add 192.0.2.1/24 dev eth0")
      let server = try RunningProgram(
        ["python3", "-u", "-c", Self.server, directory("answer")], namespace: stage.network.far)
      try await server.output.wait(lineWith: "ready")
      let program = try await stage.manager.start()
      try await stage.manager.connect(metered: "no", method: RealNetworkManager.manual)
      try await stage.validation(is: "portal")
      // The width of the first column depends on whether the router has answered yet.
      try await stage.explains("  * portal ")
      try await stage.explains("NetworkManager sees other content in its host's place over eth0 by IPv4")
      #expect(try await stage.daemon.pathctl("check", "portal").status == 0)
      #expect(try await stage.daemon.pathctl("check", "not-portal").status == 1)
      #expect(try await stage.daemon.pathctl("check", "connected").status == 0)

      try directory.write("answer", "here")
      try await stage.manager.nmcli("networking", "connectivity", "check")
      try await stage.validation(is: "validated")
      #expect(try await stage.daemon.pathctl("check", "validated,not-portal").status == 0)

      try await server.killAndWait()
      try await stage.manager.nmcli("networking", "connectivity", "check")
      try await stage.validation(is: "unknown")
      try await stage.explains("NetworkManager's host does not answer over eth0 by IPv4, which decides nothing")
      #expect(try await stage.daemon.pathctl("check", "validated").status == 69)
      try await program.killAndWait()
    }
  }

  /// A web server whose answer is the content of a file.
  private static let server = """
    import http.server, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with open(sys.argv[1], "rb") as file:
                body = file.read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *words):
            pass
    server = http.server.HTTPServer(("192.0.2.1", 8080), Handler)
    print("ready")
    server.serve_forever()
    """

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
