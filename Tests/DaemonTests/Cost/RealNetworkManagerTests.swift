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

  @Test func `its guess by option 43 of DHCP, or else the user's setting of a connection, is the cost`() async throws {
    try await Self.run { stage in
      let server = try await DHCPServer(on: stage.network)
      try server.say("ANDROID_METERED")
      var program = try await stage.manager.start()
      try await stage.manager.connect(metered: "unknown", method: RealNetworkManager.automatic)
      try await stage.comes(true, "guess", "NetworkManager guesses that eth0 is metered")
      for (word, isExpensive, line) in [
        ("no", false, "the connection on eth0 is not metered"), ("yes", true, "the connection on eth0 is metered"),
      ] {
        try await stage.manager.setMetered(word)
        try await stage.comes(isExpensive, "explicit", line)
      }
      // It leaves the interface as it is. Its value goes and comes with it.
      program.send(SIGTERM)
      try await program.waitForExit()
      try await stage.comes(false, "unknown", nil)
      program = try await stage.manager.start()
      try await stage.comes(true, "explicit", "the connection on eth0 is metered")
      try await stage.manager.succeed("connection", "down", "cable")
      try await stage.watcher.output.wait(lineWith: #""status":"unsatisfied""#)
      try await program.killAndWait()
      try await server.stop()
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
}
