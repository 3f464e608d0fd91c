import Foundation
import JSON
import ProcessTestSupport

/// A small Internet behind a router: name server, hosts by HTTP and HTTPS, and a sign-in page on the local network.
struct LocalInternet: Sendable {
  /// The behaviour of a server.
  enum Behaviour: Hashable, Sendable {
    /// The right answer.
    case right
    /// Any other answer.
    case answer(Int, headers: [String] = [], body: String = "")
    /// A fault, as `servers.py` names it.
    case fault(String)
    /// The right answer, with the certificate of the name.
    case certificate(String)
    /// Nobody listens, which the kernel answers with a reset.
    case nobody

    static let redirect = answer(302, headers: ["Location: http://portal.example/sign-in"])
    static let page = answer(200, body: "<html>Welcome</html>")
  }

  /// A server: a host and its scheme.
  struct Site: Hashable, Sendable {
    let name: String
    let isSecure: Bool
  }

  /// The hosts that a test asks, as the configuration has them.
  static let configuration = """
    [Validation]
    Host=http://a.example/204 204
    Host=https://a.example/204 204
    Host=http://b.example/ok "ok\\n"
    Host=https://b.example/ok "ok\\n"
    AlsoOver=container

    """
  static let sites = ["a.example", "b.example"].flatMap { name in
    [false, true].map { Site(name: name, isSecure: $0) }
  }
  static let addresses = [
    "a.example": ["203.0.113.1", "2001:db8:1::1"], "b.example": ["203.0.113.2", "2001:db8:1::2"],
    "portal.example": ["192.168.77.1"],
  ]
  /// An address that swallows everything, one without a listener, and one of the local network.
  static let (silent, empty, local) = ("203.0.113.99", "203.0.113.3", "192.168.77.1")

  let network: TestNetwork
  let daemon: TestDaemon
  let directory: ScratchDirectory
  let servers: RunningProgram
  private let launcher: [String]

  /// Makes it, with the service in the near namespace, and removes it after the body.
  ///
  /// - Parameters:
  ///   - behaviours: The servers that do not have the right answer.
  ///   - names: The addresses of names other than usually.
  ///   - every: Only each so many-th query for a name is answered.
  ///   - hasIPv6: Whether the path has IPv6.
  ///   - announced: The address that the DHCP server has announced for the sign-in.
  static func with(
    _ behaviours: [Site: Behaviour] = [:], names: [String: [String]] = [:], every: Int = 1, hasIPv6: Bool = false,
    announced: (address: String, answer: Behaviour)? = nil, group: String? = nil,
    _ body: (LocalInternet) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try directory.setMode(".", 0o755)
      try await connect(network, hasIPv6: hasIPv6)
      let launcher = try await prepare(directory, network, announced: announced?.address)
      let specification = specification(directory, behaviours, names, every, announced?.answer)
      let servers = try RunningProgram(["python3", "-u", script, specification], namespace: network.far)
      _ = try await servers.output.wait(for: "servers") { $0.contains("ready") ? true : nil }
      let daemon = try await TestDaemon(
        socket: directory("socket"), namespace: network.near, launcher: launcher)
      try await body(
        LocalInternet(network: network, daemon: daemon, directory: directory, servers: servers, launcher: launcher))
      try await daemon.stop()
      servers.kill()
    }
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "servers.py").path

  private static func connect(_ network: TestNetwork, hasIPv6: Bool) async throws {
    try await network.connect()
    let everywhere = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.53", "192.168.77.1"]
    try await network.ipFar("address add 192.0.2.1/24 dev eth0")
    for address in everywhere { try await network.ipFar("address add \(address)/32 dev lo") }
    for address in ["2001:db8:1::1", "2001:db8:1::2"] {
      try await network.ipFar("address add \(address)/128 dev lo nodad")
    }
    guard hasIPv6 else { return }
    try await network.ipFar("address add 2001:db8:2::1/64 dev eth0 nodad")
    try await network.ip(
      "address add 2001:db8:2::2/64 dev eth0 nodad", "route add default via 2001:db8:2::1 dev eth0")
  }

  /// Makes certificates and files, and returns the words that start a program with them in place of the machine's.
  private static func prepare(
    _ directory: ScratchDirectory, _ network: TestNetwork, announced: String?
  ) async throws -> [String] {
    try await RunningProgram.succeed(["python3", script, "{\"directory\":\"\(directory.path)\"}"])
    try directory.write("resolv.conf", "nameserver 203.0.113.53\noptions timeout:1 attempts:3\n")
    try directory.write("validation.conf", configuration)
    var commands = [
      "mount --bind $0/resolv.conf /etc/resolv.conf", "mount --bind $0/ca.pem /etc/ssl/certs/ca-certificates.crt",
    ]
    if let announced {
      let links = try await RunningProgram.run(["ip", "-n", network.near, "-o", "link", "show", "eth0"])
      let index = links.output.prefix { $0.isNumber }
      try directory.write("run/systemd/netif/leases/\(index)", "ADDRESS=192.0.2.2\n")
      try directory.write("run/systemd/netif/links/\(index)", "CAPTIVE_PORTAL=\(announced)\n")
      commands.append("mount --bind $0/run /run")
    }
    let words = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]
    return words + [(commands + [#"exec "$@""#]).joined(separator: " && "), directory.path]
  }

  private static func specification(
    _ directory: ScratchDirectory, _ behaviours: [Site: Behaviour], _ names: [String: [String]], _ every: Int,
    _ announced: Behaviour?
  ) -> String {
    let records = addresses.merging(names) { $1 }.map { name, addresses -> (String, JSONValue) in
      let families = ["A": addresses.filter { !$0.contains(":") }, "AAAA": addresses.filter { $0.contains(":") }]
      return (name, .object(object(families.map { ($0, .array($1.map { .string($0) })) })))
    }
    var servers = sites.flatMap { site in
      (addresses[site.name] ?? []).compactMap { server($0, site, behaviours[site] ?? .right) }
    }
    servers += [false, true].compactMap {
      server(local, Site(name: "portal.example", isSecure: $0), announced ?? .page)
    }
    let specification: JSONObject = [
      "directory": .string(directory.path), "interface": "eth0", "servers": .array(servers),
      "dns": ["address": "203.0.113.53", "every": .integer(Int64(every)), "names": .object(object(records))],
    ]
    return "\(JSONValue.object(specification))"
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONObject {
    var object = JSONObject()
    for (key, value) in members { object[key] = value }
    return object
  }

  private static func server(_ address: String, _ site: Site, _ behaviour: Behaviour) -> JSONValue? {
    var certificate = "good"
    let answer: JSONObject
    switch behaviour {
    case .nobody: return nil
    case .fault(let fault): answer = ["fault": .string(fault)]
    case .answer(let status, let headers, let body): answer = Self.answer(status, headers, body)
    case .certificate(let name):
      certificate = name
      answer = rightAnswer(of: site)
    case .right: answer = rightAnswer(of: site)
    }
    return [
      "address": .string(address), "port": site.isSecure ? 443 : 80, "answer": .object(answer),
      "certificate": site.isSecure ? .string(certificate) : .null,
    ]
  }

  private static func rightAnswer(of site: Site) -> JSONObject {
    site.name == "a.example" ? answer(204, [], "") : answer(200, [], "ok\n")
  }

  private static func answer(_ status: Int, _ headers: [String], _ body: String) -> JSONObject {
    ["status": .integer(Int64(status)), "headers": .array(headers.map { .string($0) }), "body": .string(body)]
  }

  // MARK: Programs

  /// The words that start the validator.
  func validator(_ arguments: String...) -> [String] {
    launcher + [RunningProgram.built("pathmonitor-validation"), "--socket", daemon.socket]
      + ["--config", directory("validation.conf")] + arguments
  }

  /// Runs the validator once.
  func validateOnce() async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      ["ip", "netns", "exec", network.near] + validator("--once"), within: .seconds(60))
  }

  /// A member of the validation of the path, as the service has it.
  func validation(_ key: String) async throws -> JSONValue {
    let status = try await daemon.pathctl("status", "--json")
    return try JSONValue(parsing: Array(status.output.utf8))["validation"]?[key] ?? .null
  }

  /// The lines of the servers that begin with the word.
  func seen(_ word: String) -> [String] { servers.output.lines.filter { $0.hasPrefix(word) } }
}
