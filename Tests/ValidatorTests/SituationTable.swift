import PathModel

/// All situations, in the order of the table in docs/validation.md.
extension Situation {
  static let table = online + filtered + portals + interfaces + hostilePortals + limited + hostile + offline

  static let (a, b) = ("http://a.example/204", "http://b.example/ok")
  static let signIn = "a redirect to 'http://portal.example/sign-in'"
  static let right = "http://a.example/204 by IPv4: the right answer"
  static let secureRight = "https://a.example/204 by IPv4: the right answer"
  static let other = "other content in place of the right answer (status 200)"
  /// The limit of networks in which one host of two is intercepted.
  static let likePortal = "`validated` would be right, but a portal that lets one host through looks the same"

  static func redirect(_ place: String) -> LocalInternet.Behaviour {
    .answer(302, headers: ["Location: \(place)"])
  }

  static func named(
    a: [String] = LocalInternet.addresses["a.example"] ?? [], b: [String] = LocalInternet.addresses["b.example"] ?? []
  ) -> [String: [String]] { ["a.example": a, "b.example": b] }

  static func inBoth(_ situation: inout Situation) { situation.hasIPv6 = true }

  static func drops(_ rule: String) -> (inout Situation) -> Void { { $0.behaviours.firewall = [rule] } }

  static func refusing(_ address: String) -> (inout Situation) -> Void {
    {
      announcing(address)(&$0)
      $0.isRefused = true
    }
  }

  static func announcing(_ address: String) -> (inout Situation) -> Void {
    { ($0.announced, $0.configuration) = (address, LocalInternet.configuration()) }
  }

  // MARK: Networks that answer

  private static let online = [
    Situation("all hosts answer", is: .validated, "https://b.example/ok by IPv4: the right answer"),
    Situation(
      "both families answer", is: .validated, "https://a.example/204 by IPv6: the right answer", adjust: inBoth),
    Situation(
      "hosts without an IPv6 address", names: named(a: ["203.0.113.1"], b: ["203.0.113.2"]), is: .validated,
      "the name has no address of this family", adjust: inBoth),
    Situation(
      "the only host with an IPv6 address is dead by IPv6",
      names: named(a: ["203.0.113.1", "2001:db8:1::99"], b: ["203.0.113.2"]), is: .validated,
      "https://b.example/ok by IPv6: the name has no address of this family", adjust: inBoth),
    Situation("IPv6 alone, with IPv4 hosts behind NAT64", is: .validated, "https://a.example/204 by IPv6: the right") {
      ($0.hasIPv4, $0.hasIPv6) = (false, true)
    },
    Situation(
      "packets to one host are dropped", is: .validated, "b.example/ok by IPv4: no answer when the round ended",
      adjust: drops("to 203.0.113.2 blackhole")),
    Situation("one host has no address", names: named(b: []), is: .validated, "the name has no address"),
    Situation(
      "one host is out of order", ["b http": .answer(404), "b https": .answer(404)], is: .validated,
      "https://b.example/ok by IPv4: an error (status 404)"),
    Situation("HTTPS only", all(http: .nobody), is: .validated, "https://a.example/204 by IPv4: the right answer"),
    Situation(
      "one host redirects to its own HTTPS", ["a http": redirect("https://a.example/204")], is: .validated,
      "http://a.example/204 by IPv4: a redirect to 'https://a.example/204'"),
    Situation(
      "both hosts redirect to their own HTTPS",
      ["a http": redirect("https://a.example/204"), "b http": redirect("https://b.example/ok")], is: .validated,
      "http://b.example/ok by IPv4: a redirect to 'https://b.example/ok'"),
    Situation(
      "a script is put into the page of one host by HTTP", ["b http": .answer(200, body: "ok\n<script></script>")],
      is: .validated, "http://b.example/ok by IPv4: other content"),
    Situation(
      "the first of two addresses of each host is silent",
      names: named(a: [LocalInternet.silent, "203.0.113.1"], b: [LocalInternet.silent, "203.0.113.2"]),
      is: .validated, right
    ) { $0.rounds = nil },
    Situation("a name takes two seconds", is: .validated, secureRight) { $0.behaviours.nameDelay = 2_000 },
    Situation("a name server answers each third query", is: .validated) { ($0.behaviours.every, $0.rounds) = (3, nil) },
    Situation("each third packet is lost", is: .validated) { ($0.behaviours.lost, $0.rounds) = (3, nil) },
    Situation("a round trip takes 0.8 s", is: .validated, secureRight) { $0.behaviours.delay = 800 },
    Situation(
      "a round trip takes 2.5 s", is: .partial, right, "https://a.example/204 by IPv4: nothing came within the time",
      limit: "`validated` would be right, but HTTPS needs four round trips, and a request has ten seconds"
    ) { $0.behaviours.delay = 2_500 },
  ]

  // MARK: Filters and closed networks

  private static let filtered = [
    Situation("one name leads to 0.0.0.0", names: named(b: ["0.0.0.0"]), is: .validated, "the name leads to 0.0.0.0"),
    Situation(
      "one name leads to 127.0.0.1", names: named(b: ["127.0.0.1"]), is: .validated, "the name leads to 127.0.0.1"),
    Situation(
      "a blocked name that the search domain has",
      names: ["b.example": [], "b.example.\(LocalInternet.searched)": [LocalInternet.local]], is: .validated,
      "http://b.example/ok by IPv4: the name has no address"),
    Situation(
      "all names lead to 0.0.0.0", names: named(a: ["0.0.0.0"], b: ["0.0.0.0"]), is: .unknown,
      "the name leads to 0.0.0.0"),
    Situation("/etc/hosts has all names at 127.0.0.1", is: .unknown, "the name leads to 127.0.0.1") {
      $0.files["hosts"] = "127.0.0.1 a.example b.example\n"
    },
    Situation(
      "one name leads to a filter's page in the local network", names: named(b: [LocalInternet.local]), is: .partial,
      page: b, "the name leads to the local address 192.168.77.1", right, limit: likePortal),
    Situation(
      "one name leads to a public page that says that it is blocked", names: named(b: LocalInternet.page),
      is: .partial, page: b, right, other, limit: likePortal),
    Situation(
      "the domain of one host is parked", ["b http": .redirect, "b https": .certificate("other")], is: .partial,
      page: b, right, signIn, limit: likePortal),
    Situation(
      "a closed network whose own hosts refuse",
      names: named(a: [LocalInternet.refusing], b: [LocalInternet.refusing]), is: .portal, page: a,
      "the name leads to the local address 192.168.77.2",
      limit: "`partial` would be right, but portals answer with addresses of the local network"),
    Situation(
      "only a proxy leads to the Internet", is: .unanswered, "no connection",
      limit: "`validated` by the proxy would be right, but no proxy is used"
    ) {
      $0.environment = ["http_proxy": "http://\(LocalInternet.proxy)", "https_proxy": "http://\(LocalInternet.proxy)"]
      $0.behaviours.firewall = ["to 203.0.113.0/30 prohibit"]
    },
  ]

  // MARK: Networks that answer in part

  private static let limited = [
    Situation("HTTP only; HTTPS is refused", all(https: .nobody), is: .partial, right),
    Situation(
      "HTTP from a cache; HTTPS is dropped", is: .partial, right, "nothing came within the time",
      adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation(
      "HTTPS is decrypted with a foreign certificate", all(https: .certificate("other")), is: .partial, right,
      "the certificate is not right"),
    Situation("expired certificates", all(https: .certificate("expired")), is: .partial, "certificate has expired"),
    Situation(
      "the clock of this machine is wrong", all(https: .certificate("future")), is: .partial,
      "certificate is not yet valid", right),
    Situation(
      "HTTP leads to a notice of the provider; HTTPS answers", all(http: .redirect), is: .validated, secureRight,
      signIn, limit: "`partial` would be right, but hosts that redirect HTTP look the same"),
    Situation(
      "IPv6 dead, and IPv4 fine",
      names: named(a: ["203.0.113.1", "2001:db8:1::99"], b: ["203.0.113.2", "2001:db8:1::99"]), is: .partial, right,
      "https://a.example/204 by IPv6: no connection", adjust: inBoth),
    Situation(
      "servers in trouble", all(http: .answer(503), https: .answer(500)), is: .partial, "an error (status 503)",
      "an error (status 500)"),
    Situation(
      "hosts that have moved, with their certificates", all(http: .answer(503), https: .redirect), is: .partial,
      signIn),
  ]

  private static let hostile = [
    Situation("all connections are refused", all(http: .nobody, https: .nobody), is: .partial, "refused, reset or"),
    Situation(
      "all connections are reset", all(http: .fault("reset"), https: .fault("reset")), is: .partial,
      "refused, reset or broken off"),
    Situation("status 999", all(http: .answer(999), https: .nobody), is: .partial, "an error (status 999)"),
    Situation(
      "a line of the head each second", all(http: .fault("slow headers"), https: .nobody), is: .partial,
      "nothing came within the time"),
    Situation(
      "a head without end", all(http: .fault("endless headers"), https: .nobody), is: .partial,
      "refused, reset or broken off"),
    Situation(
      "interim answers without end", all(http: .fault("endless interim answers"), https: .nobody), is: .partial,
      "refused, reset or broken off"),
    Situation(
      "bytes that are no HTTP", all(http: .fault("garbage"), https: .nobody), is: .partial, "refused, reset or"),
    Situation("bytes that are no TLS", all(https: .fault("garbage for TLS")), is: .partial, right),
    Situation("HTTP in place of TLS", all(https: .fault("HTTP for TLS")), is: .partial, right),
    Situation(
      "silence in place of TLS", all(https: .fault("TLS silence")), is: .partial, right,
      "nothing came within the time"),
  ]

  // MARK: Networks that do not answer

  private static let offline = [
    Situation(
      "packets to all hosts are dropped", is: .unanswered, "nothing came within the time",
      adjust: drops("ipproto tcp blackhole")),
    Situation(
      "packets to all hosts are prohibited", is: .unanswered, "no connection", adjust: drops("ipproto tcp prohibit")),
    Situation("a name server that fails", is: .unanswered, "the name has no address") { $0.behaviours.refusal = 2 },
    Situation("a name server that is silent", is: .unanswered, "the name has no address") {
      $0.behaviours.every = 1_000_000
    },
    Situation("no name server", is: .unanswered, "the name has no address") { $0.files["resolv.conf"] = "" },
    Situation("a VPN over a network without Internet", is: .unanswered, "the name has no address") {
      ($0.link, $0.recovers) = (.tunnel, false)
    },
  ]
}
