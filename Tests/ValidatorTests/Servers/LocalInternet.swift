import Foundation
import Glibc
import PathModel
import ProcessTestSupport

/// A small Internet behind a router: name server, hosts by HTTP and HTTPS, and a sign-in page on the local network.
struct LocalInternet: Sendable {
  /// The behaviour of a server.
  enum Behaviour: Hashable, Sendable {
    /// The right answer.
    case right
    /// Any other answer. Characters up to U+00FF are sent as bytes.
    case answer(Int, headers: [String] = [], body: String = "")
    /// An answer of the interface for the sign-in, to requests that ask for its type alone.
    case captive(String)
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

  /// A way in which the Internet behaves. Everything that is not named is as it should be.
  struct Behaviours: Sendable {
    /// The servers that do not have the right answer.
    var sites: [Site: Behaviour] = [:]
    /// The addresses of names other than usually.
    var names: [String: [String]] = [:]
    /// The answer of the interface for the sign-in.
    var announced: Behaviour?
    /// The code with which the name server refuses each query; `nil` if it does not.
    var refusal: Int?
    /// Only each so many-th query for a name is answered, after so many milliseconds.
    var every = 1
    var nameDelay = 0
    /// The milliseconds by which each packet to the Internet is late, and each so many-th of them is lost.
    var delay = 0
    var lost = 0
    /// The packets that a firewall drops or refuses, as rules of ip-rule(8).
    var firewall: [String] = []

    /// All servers with the same behaviour.
    static func all(_ behaviour: Behaviour) -> Behaviours {
      Behaviours(sites: Dictionary(uniqueKeysWithValues: LocalInternet.sites.map { ($0, behaviour) }))
    }
  }

  /// The links of a test's machine.
  enum Link: Sendable {
    /// A cable. Without a driver's name it counts as a container's.
    case cable
    /// A VPN over the cable, into which everything goes and from which nothing comes.
    case tunnel
  }

  /// The hosts that a test asks, as the configuration has them.
  static func configuration(alsoOver kinds: String = "container") -> String {
    """
    [Validation]
    Host=http://a.example/204 204
    Host=https://a.example/204 204
    Host=http://b.example/ok "ok\\n"
    Host=https://b.example/ok "ok\\n"
    AlsoOver=\(kinds)

    """
  }
  /// The file of a validator that asks no host.
  static let hostless = "[Validation]\nAlsoOver=container\n"
  static let sites = ["a.example", "b.example"].flatMap { name in
    [false, true].map { Site(name: name, isSecure: $0) }
  }
  static let addresses = [
    "a.example": ["203.0.113.1", "2001:db8:1::1"], "b.example": ["203.0.113.2", "2001:db8:1::2"],
    "portal.example": ["192.168.77.1"], "page.example": ["203.0.113.3", "2001:db8:1::3"],
  ]
  /// An address that swallows everything, one of the local network, and the far end of the VPN.
  static let (silent, local, tunnelEnd) = ("203.0.113.99", "192.168.77.1", "203.0.113.9")
  /// An address of the local network that refuses connections, and the addresses of somebody's page.
  static let (refusing, page) = ("192.168.77.2", addresses["page.example"] ?? [])
  /// A proxy that gives each request the right answer of one host.
  static let proxy = "192.0.2.1:3128"
  private static let nameServers = ["203.0.113.53", "2001:db8:1::53"]
  /// The domain in which the resolver searches for names.
  static let searched = "office.example"
  /// The interface for the sign-in, if one is announced.
  static let interface = "https://portal.example/api"

  let network: TestNetwork
  let daemon: TestDaemon
  let directory: ScratchDirectory
  let servers: RunningProgram
  /// The words that start a program with the files of the test in place of the machine's.
  let launcher: [String]

  /// Makes it, with the service in the near namespace, and removes it after the body.
  ///
  /// - Parameters:
  ///   - hasIPv4: Whether the path has IPv4.
  ///   - hasIPv6: Whether the path has IPv6.
  ///   - announced: The address that the DHCP server has announced for the sign-in.
  static func with(
    _ behaviours: Behaviours = Behaviours(), hasIPv4: Bool = true, hasIPv6: Bool = false, link: Link = .cable,
    announced: String? = nil, _ body: (LocalInternet) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      try directory.setMode(".", 0o755)
      try await connect(network, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
      let launcher = try await prepare(directory, network, announced: announced)
      try directory.write("resolv.conf", resolver(nameServers[hasIPv4 ? 0 : 1]))
      try directory.write("servers.json", specification(behaviours))
      for rule in behaviours.firewall {
        try await network.ipFar("\(rule.contains(":") ? "-6 " : "")rule add pref 5 \(rule)")
      }
      let servers = try RunningProgram(
        ["/usr/bin/python3", "-u", script("servers"), directory.path, directory("servers.json")],
        namespace: network.far)
      _ = try await servers.output.wait(lineWith: "ready")
      let tunnel = link == .tunnel ? try await makeTunnel(network) : nil
      let daemon = try await TestDaemon(
        socket: directory("socket"), namespace: network.near, launcher: launcher)
      try await body(
        LocalInternet(
          network: network, daemon: daemon, directory: directory, servers: servers, launcher: launcher))
      try await daemon.stop()
      servers.kill()
      tunnel?.kill()
    }
  }

  /// Has the servers behave otherwise from now on.
  func change(_ behaviours: Behaviours) throws {
    try Self.specification(behaviours).write(toFile: directory("servers.json"), atomically: true, encoding: .utf8)
  }

  /// Has all be as it should from now on, the firewall and the list of name servers, too.
  func mend(_ firewall: [String]) async throws {
    for rule in firewall { try await network.ipFar("\(rule.contains(":") ? "-6 " : "")rule delete pref 5 \(rule)") }
    try change(.init(announced: .captive(#"{"captive": false, "seconds-remaining": 60}"#)))
    servers.send(SIGHUP)
    _ = try await servers.output.wait(for: "the servers to be there") { $0.count { $0 == "ready" } == 2 ? true : nil }
    try directory.write("resolv.conf", Self.resolver(Self.nameServers[0]))
  }

  private static func resolver(_ server: String) -> String {
    "nameserver \(server)\nsearch \(searched)\noptions timeout:1 attempts:3\n"
  }

  private static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "\(name).py").path
  }

  private static func connect(_ network: TestNetwork, hasIPv4: Bool, hasIPv6: Bool) async throws {
    try await network.connect()
    try await network.ipFar("address add 192.0.2.1/24 dev eth0")
    for address in Set(addresses.values.joined() + nameServers + [refusing, tunnelEnd]) {
      try await network.ipFar("address add \(address) dev lo nodad")
    }
    // Rules of a firewall come before that for local addresses, and only a router answers that packets are prohibited.
    try await RunningProgram.succeed(
      ["ip", "netns", "exec", network.far, "sysctl", "-q", "-w", "net.ipv4.conf.eth0.forwarding=1"])
    try await network.ipFar("route add blackhole \(silent)")
    for family in ["-4", "-6"] {
      try await network.ipFar("\(family) rule add pref 7 lookup local")
      try await network.ipFar("\(family) rule delete pref 0")
    }
    if !hasIPv4 { try await network.ip("address flush dev eth0") }
    guard hasIPv6 else { return }
    try await network.ipFar("address add 2001:db8:2::1/64 dev eth0 nodad")
    try await network.ip(
      "address add 2001:db8:2::2/64 dev eth0 nodad", "route add default via 2001:db8:2::1 dev eth0")
  }

  private static func makeTunnel(_ network: TestNetwork) async throws -> RunningProgram {
    let program = try RunningProgram(
      ["/usr/bin/python3", "-u", script("tunnel"), tunnelEnd], namespace: network.near)
    _ = try await program.output.wait(lineWith: "ready")
    try await network.ip(
      "route add \(tunnelEnd)/32 via 192.0.2.1 dev eth0", "link set tun0 up", "address add 10.8.0.2/24 dev tun0",
      "route add default dev tun0 metric 50")
    return program
  }

  /// Makes certificates and files, and returns the words that start a program with them in place of the machine's.
  private static func prepare(
    _ directory: ScratchDirectory, _ network: TestNetwork, announced: String?
  ) async throws -> [String] {
    try await RunningProgram.succeed(["/usr/bin/python3", script("servers"), directory.path])
    for (name, text) in ["resolv.conf": "", "hosts": "", "validation.conf": configuration()] {
      try directory.write(name, text)
    }
    var commands = [
      "mount --bind $0/resolv.conf /etc/resolv.conf", "mount --bind $0/hosts /etc/hosts",
      "mount --bind $0/ca.pem /etc/ssl/certs/ca-certificates.crt",
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

  private static func specification(_ behaviours: Behaviours) -> String {
    let records = addresses.merging(behaviours.names) { $1 }.map { name, addresses -> (String, JSONValue) in
      let families = ["A": addresses.filter { !$0.contains(":") }, "AAAA": addresses.filter { $0.contains(":") }]
      let code: (String, JSONValue) = ("code", .integer(Int64(behaviours.refusal ?? 0)))
      return (name, .object(object([code] + families.map { ($0, .array($1.map { .string($0) })) })))
    }
    var servers = sites.flatMap { site in
      (addresses[site.name] ?? []).compactMap { server($0, site, behaviours.sites[site] ?? .right) }
    }
    for isSecure in [false, true] {
      servers += [server(local, Site(name: "portal.example", isSecure: isSecure), behaviours.announced ?? .page)]
        .compactMap(\.self)
      let somebody = isSecure ? Behaviour.certificate("other") : .page
      servers += page.compactMap { server($0, Site(name: "page.example", isSecure: isSecure), somebody) }
    }
    servers += [server("192.0.2.1", Site(name: "b.example", isSecure: false), .right, port: 3128)].compactMap(\.self)
    let specification: JSONObject = [
      "interface": "eth0", "servers": .array(servers), "tunnel": .string(tunnelEnd),
      "line": ["delay": .integer(Int64(behaviours.delay)), "lost": .integer(Int64(behaviours.lost))],
      "dns": [
        "addresses": .array(nameServers.map { .string($0) }), "every": .integer(Int64(behaviours.every)),
        "delay": .integer(Int64(behaviours.nameDelay)), "names": .object(object(records)),
      ],
    ]
    return "\(JSONValue.object(specification))"
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONObject {
    var object = JSONObject()
    for (key, value) in members { object[key] = value }
    return object
  }

  private static func server(
    _ address: String, _ site: Site, _ behaviour: Behaviour, port: Int64? = nil
  ) -> JSONValue? {
    var certificate = site.name == "portal.example" ? "portal" : "good"
    var answer: JSONObject
    switch behaviour {
    case .nobody: return nil
    case .fault(let fault): answer = ["fault": .string(fault)]
    case .answer(let status, let headers, let body): answer = Self.answer(status, headers, body)
    case .captive(let body):
      answer = Self.answer(200, ["Content-Type: application/captive+json; charset=utf-8"], body)
      answer["accept"] = "Accept: application/captive+json\r\n"
    case .certificate(let name):
      certificate = name
      answer = rightAnswer(of: site)
    case .right: answer = rightAnswer(of: site)
    }
    return [
      "address": .string(address), "port": .integer(port ?? (site.isSecure ? 443 : 80)), "answer": .object(answer),
      "certificate": site.isSecure ? .string(certificate) : .null,
    ]
  }

  private static func rightAnswer(of site: Site) -> JSONObject {
    site.name == "a.example" ? answer(204, [], "") : answer(200, [], "ok\n")
  }

  private static func answer(_ status: Int, _ headers: [String], _ body: String) -> JSONObject {
    ["status": .integer(Int64(status)), "headers": .array(headers.map { .string($0) }), "body": .string(body)]
  }
}
