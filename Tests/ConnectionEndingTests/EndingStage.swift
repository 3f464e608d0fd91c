import Foundation
import Glibc
import PathModel
import ProcessTestSupport

/// A machine with an uplink, the service and pathmonitor-connections, and programs with connections to a server behind
/// the router.
struct EndingStage: Sendable {
  /// A connection of a test.
  struct Connection: Sendable {
    let name: String
    let local: String
    var remote = EndingStage.server
    /// The kind, as `peers.py` names it.
    var kind = "hold"
  }

  /// The server, its address for sockets of IPv6 that use IPv4, its IPv6 address, and an address that swallows
  /// everything.
  static let (server, mapped, serverIPv6, silent) = (
    "203.0.113.1", "::ffff:203.0.113.1", "2001:db8:1::1", "203.0.113.99"
  )

  let network: TestNetwork
  let daemon: TestDaemon
  let directory: ScratchDirectory

  /// Makes it, and removes it after the body.
  static func with(_ body: (EndingStage) async throws -> Void) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      try await network.ip("-6 address add 2001:db8:2::2/64 dev eth0 nodad")
      for command in [
        "address add 192.0.2.1/24 dev eth0", "address add \(server)/32 dev lo", "route add blackhole \(silent)/32",
        "-6 address add 2001:db8:2::1/64 dev eth0 nodad", "-6 address add \(serverIPv6)/128 dev lo nodad",
      ] { try await network.ipFar(command) }
      try await network.ip("-6 route add default via 2001:db8:2::1 dev eth0")
      let directory = try ScratchDirectory()
      let daemon = try await TestDaemon(namespace: network.near)
      let server = try RunningProgram(["python3", "-u", peers, "serve"], namespace: network.far)
      _ = try await server.output.wait(for: "the server") { $0.contains("ready") ? true : nil }
      try await body(EndingStage(network: network, daemon: daemon, directory: directory))
      try await daemon.stop()
      server.kill()
    }
  }

  private static let peers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Programs/peers.py").path

  // MARK: Programs

  /// Starts pathmonitor-connections, with the right that its unit has, and waits until it follows the path.
  ///
  /// - Parameters:
  ///   - configuration: The lines of its file, which also has it name each connection.
  ///   - limits: The limits of prlimit(1).
  ///   - wrapper: The words of a command that starts it.
  func startEnder(
    _ configuration: String = "Grace=1s", rights: String = "-all,+net_admin", limits: [String] = [],
    wrapper: [String] = []
  ) async throws -> RunningProgram {
    try directory.write("connections.conf", "[Connections]\nLogConnections=yes\n\(configuration)\n")
    let ender = try RunningProgram(
      wrapper + ["setpriv", "--bounding-set=\(rights)", "--inh-caps=\(rights)", "prlimit"] + limits + [
        RunningProgram.built("pathmonitor-connections"), "--socket", daemon.socket, "--config",
        directory("connections.conf"),
      ], environment: ["RUNTIME_DIRECTORY": directory.path], namespace: network.near)
    try await daemon.waitForSubscribers(1)
    return ender
  }

  /// Makes connections in a namespace, by default the near one.
  func connect(_ connections: [Connection], in namespace: String? = nil) async throws -> Peers {
    let list = connections.map { connection -> JSONValue in
      [
        "name": .string(connection.name), "local": .string(connection.local), "remote": .string(connection.remote),
        "kind": .string(connection.kind),
      ]
    }
    return try await start(.array(list), in: namespace ?? network.near)
  }

  /// Makes many connections, in turn from each of the addresses.
  func connect(_ count: Int, from locals: [String]) async throws -> Peers {
    let list: JSONValue = [
      ["count": .integer(Int64(count)), "locals": .array(locals.map { .string($0) }), "remote": .string(Self.server)]
    ]
    return try await start(list, in: network.near)
  }

  private func start(_ list: JSONValue, in namespace: String) async throws -> Peers {
    let program = try RunningProgram(["python3", "-u", Self.peers, "hold", "\(list)"], namespace: namespace)
    _ = try await program.output.wait(for: "the connections", within: .seconds(60)) { lines in
      lines.contains("ready") ? true : nil
    }
    return Peers(program: program, namespace: namespace)
  }

  /// Waits for so many lines about ended connections, and returns all that there are.
  func endings(_ count: Int, of ender: RunningProgram) async throws -> [String] {
    try await ender.complaints.wait(for: "\(count) ended connections", within: .seconds(20)) { lines in
      let endings = lines.filter { $0.contains(" -> ") }
      return endings.count >= count ? endings : nil
    }
  }
}

/// A program with connections.
struct Peers: Sendable {
  let program: RunningProgram
  let namespace: String

  /// Waits for the error that the program gets from a connection.
  func fate(of name: String) async throws -> String {
    let start = "\(name) fate "
    return try await program.output.wait(for: "the end of \(name)", within: .seconds(20)) { lines in
      lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
  }

  /// Whether the program has got an error.
  func hasEnded(_ name: String) -> Bool { program.output.lines.contains { $0.hasPrefix("\(name) fate ") } }

  /// Whether the connection lives, for the program and for the kernel.
  func holds(_ name: String) async throws -> Bool { try await state(of: name) == "ESTAB" && !hasEnded(name) }

  /// The state that the kernel reports for a connection, as `ss` prints it; `nil` for none.
  func state(of name: String) async throws -> String? {
    guard let line = program.output.lines.first(where: { $0.hasPrefix("\(name) port ") }),
      let port = line.split(separator: " ").last
    else { return nil }
    let sockets = try await RunningProgram.run(["ss", "-Htna"], namespace: namespace)
    for line in sockets.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count > 3, words[3].hasSuffix(":\(port)") { return words[0] }
    }
    return nil
  }
}
