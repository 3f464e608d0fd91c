import PathModel

/// Networks that want a sign-in, and interfaces that are announced for one.
extension Situation {
  // MARK: Sign-in pages

  static let portals = [
    Situation("a redirect; HTTPS is refused", all(http: .redirect, https: .nobody), is: .portal, page: a, signIn),
    Situation(
      "a redirect; HTTPS is dropped", all(http: .redirect), is: .portal, page: a, signIn,
      "https://a.example/204 by IPv4: no answer when the round ended",
      adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation(
      "a redirect after a second; HTTPS is dropped", all(http: .fault("late redirect")), is: .portal, page: a, signIn,
      adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation(
      "a relative redirect; HTTPS is dropped", all(http: redirect("/login")), is: .portal, page: a,
      "a redirect to '/login'", adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation(
      "other content; HTTPS has a wrong certificate", all(http: .page, https: .certificate("other")), is: .portal,
      page: a, other, "the certificate is not right"),
    Situation(
      "names lead to an address of the local network",
      names: named(a: [LocalInternet.local], b: [LocalInternet.local]), is: .portal, page: a,
      "the name leads to the local address 192.168.77.1"),
    Situation(
      "names lead to a public address", names: named(a: LocalInternet.page, b: LocalInternet.page), is: .portal,
      page: a, other, "the certificate is not right"),
    Situation(
      "status 511", all(http: .answer(511, body: "<html>"), https: .nobody), is: .portal, page: a,
      "other content in place of the right answer (status 511)"),
    Situation(
      "status 401 with a form", all(http: .answer(401, body: "<html>"), https: .nobody), is: .partial,
      "an error (status 401)"),
    Situation(
      "200 without content for all but browsers; HTTPS is dropped", all(http: .fault("200 or browser")), is: .portal,
      page: a,
      other, adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation(
      "403 for all but browsers", all(http: .fault("403 or browser"), https: .nobody), is: .partial,
      "an error (status 403)", limit: "`portal` would be right, but hosts that are out of order answer so, too"),
    Situation(
      "204 for everything", all(http: .answer(204), https: .nobody), is: .partial, page: b, right,
      "other content in place of the right answer (status 204)",
      limit: "`portal` would be right, but portals that let one host through look the same"),
    Situation(
      "one host is let through", ["b http": .redirect, "b https": .nobody], is: .partial, page: b, right, signIn,
      limit: "`portal` would be right, but a filter of one host looks the same. `pathctl portal` has the page"),
    Situation(
      "IPv4 is intercepted, and IPv6 open",
      names: named(a: ["203.0.113.3", "2001:db8:1::1"], b: ["203.0.113.3", "2001:db8:1::2"]), is: .partial, page: a,
      other, "https://a.example/204 by IPv6: the right answer",
      limit: "`portal` would be right, but IPv6 works. `pathctl portal` has the page", adjust: inBoth),
    Situation(
      "IPv6 is intercepted, and IPv4 open",
      names: named(a: ["203.0.113.1", "2001:db8:1::3"], b: ["203.0.113.2", "2001:db8:1::3"]), is: .partial, page: a,
      right, "http://a.example/204 by IPv6: other content", adjust: inBoth),
    Situation(
      "IPv4 is intercepted, and IPv6 dropped",
      names: named(a: ["203.0.113.3", "2001:db8:1::1"], b: ["203.0.113.3", "2001:db8:1::2"]), is: .portal, page: a,
      other
    ) { ($0.hasIPv6, $0.behaviours.firewall) = (true, ["to 2001:db8:1::/126 ipproto tcp blackhole"]) },
    Situation(
      "a redirect; only hosts by HTTPS are configured", all(http: .redirect, https: .nobody), is: .partial,
      limit: "`portal` would be right, but no page can answer by HTTPS. `--check-config` says so"
    ) { it in it.configuration = it.configuration.replacing("Host=http:", with: "#http:") },
    Situation(
      "other content with the status that is configured as right", all(http: .page, https: .nobody), is: .partial,
      limit: "`portal` would be right, but the file has it as the right answer. `--check-config` says so"
    ) { it in it.configuration = it.configuration.replacing(" 204\n", with: " 200\n").replacing(#""ok\n""#, with: "200")
    },
  ]

  // MARK: Interfaces for the sign-in

  static let interfaces = [
    Situation(
      "the announced interface is silent", announced: .fault("TLS silence"), is: .validated,
      page: LocalInternet.interface, secureRight,
      "the interface for the sign-in does not say whether one is wanted: no answer when the round ended",
      adjust: announcing(LocalInternet.interface)),
    Situation(
      "all hosts are let through; the announced interface wants a sign-in",
      announced: .captive(#"{"captive": true, "user-portal-url": "https://portal.example/p"}"#), is: .partial,
      page: "https://portal.example/p", "the network wants a sign-in",
      limit: "`portal` would be right, but interfaces are out of date, too. `pathctl portal` has the page",
      adjust: announcing(LocalInternet.interface)),
    Situation(
      "the announced interface wants a sign-in, and no host is asked",
      announced: .captive(#"{"captive": true, "user-portal-url": "https://portal.example/p"}"#), is: .portal,
      page: "https://portal.example/p", "the network wants a sign-in"),
    Situation(
      "a redirect; the announced interface wants no sign-in", all(http: .redirect, https: .nobody),
      announced: .captive(#"{"captive": false}"#), is: .portal, page: a, "the network lets traffic through",
      adjust: announcing(LocalInternet.interface)),
    Situation(
      "a redirect; the announced interface is a page", all(http: .redirect, https: .nobody), announced: .page,
      is: .portal, page: a, "the answer is not of type application/captive+json",
      adjust: announcing(LocalInternet.interface)),
    Situation(
      "an address in this machine is announced, and not asked", is: .validated, secureRight,
      adjust: refusing("https://127.1/api")),
    Situation(
      "an address with a user is announced, and not asked", is: .validated, secureRight,
      adjust: refusing("https://somebody@portal.example/api")),
    Situation("an address of HTTP alone is announced, and not asked", is: .unknown) {
      ($0.announced, $0.configuration, $0.rounds) = ("http://portal.example/api", hostless, 0)
    },
    Situation(
      "the announced interface lets traffic through, and no host is asked", announced: .captive(#"{"captive": false}"#),
      is: .unknown, "the network lets traffic through"),
    Situation(
      "the announced interface redirects, and no host is asked", announced: .redirect, is: .unknown, "its status is 302"
    ),
    Situation(
      "the announced interface has a wrong certificate", announced: .certificate("other"), is: .unknown,
      "the certificate is not right"),
    Situation(
      "the announced interface sends 10 GB", announced: .fault("endless body"), is: .unknown,
      "the answer is not of type"),
    Situation(
      "the announced interface sends over 4 KiB",
      announced: .captive(#"{"captive": true, "x": "\#(String(repeating: "x", count: 5_000))"}"#), is: .unknown,
      "the answer has more than 4096 bytes"),
    Situation(
      "the announced interface sends invalid UTF-8",
      announced: .captive("{\"captive\": true, \"user-portal-url\": \"https://a/\u{FF}\"}"), is: .unknown,
      "the answer is no JSON object"),
    Situation(
      "the announced interface sends JSON 4,000 levels deep",
      announced: .captive(String(repeating: "[", count: 4_000)), is: .unknown, "the answer is no JSON object"),
    Situation(
      "the announced interface names a script as its page",
      announced: .captive(#"{"captive": true, "user-portal-url": "javascript:alert(1)"}"#), is: .portal,
      page: LocalInternet.interface, "the network wants a sign-in"),
    Situation(
      "the announced interface names a page with escapes",
      announced: .captive(#"{"captive": true, "user-portal-url": "https://a/\u001b[2J"}"#), is: .portal,
      page: LocalInternet.interface, "the network wants a sign-in"),
  ]

  static let hostilePortals = [
    Situation(
      "a redirect on an open connection", all(http: .fault("open redirect"), https: .nobody), is: .portal, page: a,
      signIn),
    Situation(
      "a redirect and a reset", all(http: .fault("reset redirect"), https: .nobody), is: .portal, page: a, signIn),
    Situation(
      "a redirect whose body is too short", all(http: .fault("short redirect"), https: .nobody), is: .portal, page: a,
      signIn),
    Situation(
      "a redirect to the same address, for ever", all(http: redirect(a), https: .nobody), is: .portal, page: a,
      "a redirect to 'http://a.exam"),
    Situation("a redirect to nowhere", all(http: .answer(302), https: .nobody), is: .portal, page: a, "to nowhere"),
    Situation(
      "a redirect to a script", all(http: redirect("javascript:alert(1)"), https: .nobody), is: .portal, page: a,
      "a redirect to 'javascript:"),
    Situation(
      "a redirect with escapes and invalid UTF-8",
      all(http: redirect("http://a/\u{1B}[2J\u{7}\u{9B}1m\u{FF}\u{FE}\u{C3}("), https: .nobody), is: .portal, page: a,
      "a redirect to"),
    Situation(
      "a redirect of 100 KB", all(http: redirect("http://a/" + String(repeating: "a", count: 100_000)), https: .nobody),
      is: .partial, limit: "`portal` would be right, but a head has 64 KiB at most"),
    Situation(
      "a page without an HTTP head", all(http: .fault("bare page"), https: .nobody), is: .portal, page: a,
      "(HTML without a status)"),
    Situation(
      "a page that ends with its connection", all(http: .fault("unframed page"), https: .nobody), is: .portal, page: a,
      other),
    Situation(
      "a page of a byte each second; HTTPS is dropped", all(http: .fault("slow page")), is: .portal, page: a, other,
      adjust: drops("ipproto tcp dport 443 blackhole")),
    Situation("a page of 10 GB", all(http: .fault("endless body"), https: .nobody), is: .portal, page: a, other),
    Situation(
      "a page of endless chunks", all(http: .fault("endless chunks"), https: .nobody), is: .portal, page: a, other),
    Situation(
      "a page that gzip expands a thousandfold", all(http: .fault("bomb"), https: .nobody), is: .portal, page: a,
      other),
  ]
}
