import PathDecisions
import PathModel
import Testing

@Suite("Resolver facts")
struct ResolverFactsTests {
  @Test(arguments: [
    ("", []), ("nameserver 192.0.2.53\n", ["192.0.2.53"]), ("nameserver 192.0.2.53", ["192.0.2.53"]),
    ("nameserver\t192.0.2.53  \r\nnameserver 2001:db8::53\r\n", ["192.0.2.53", "2001:db8::53"]),
    ("search example.org\nnameserver fe80::1%eth0\noptions edns0\n", ["fe80::1%eth0"]),
    ("nameserver 192.0.2.53 # the office\n", ["192.0.2.53"]),
    ("# nameserver 192.0.2.53\n;nameserver 192.0.2.53\n", []),
    // As in the C library: the keyword starts its line and is written small.
    (" nameserver 192.0.2.53\n", []), ("nameservers 192.0.2.53\n", []), ("Nameserver 192.0.2.53\n", []),
    ("nameserver192.0.2.53\n", []), ("nameserver\n192.0.2.53\n", []), ("nameserver", []), ("nameserver  \n", []),
    ("\n\n\nnameserver 127.0.0.53", ["127.0.0.53"]),
  ])
  func `name servers are read from resolv.conf`(text: String, servers: [String]) {
    #expect(ResolverFacts.nameServers(in: text) == servers)
  }

  @Test(arguments: [
    ("192.0.2.53", "192.0.2.53"), ("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("::ffff:192.0.2.53", "192.0.2.53"),
    ("2001:db8::53", "2001:db8::53"),
  ])
  func `a server is looked up as connect(2) understands its address`(server: String, asked: String) {
    #expect(ResolverFacts.servers([server]).askedServers.map(\.description) == [asked])
  }

  @Test func `the first three servers are asked, as by the C library`() {
    let asked = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    #expect(ResolverFacts.servers(asked + ["192.0.2.4"]).askedServers.map(\.description) == asked)
  }

  @Test(arguments: [
    (["127.0.0.53"], true), (["127.0.0.53", "127.0.0.54"], true), (["127.0.0.53", "192.0.2.53"], false),
    (["127.0.0.1"], false), ([], false),
  ])
  func `only systemd-resolved's own addresses are stubs`(servers: [String], areStubs: Bool) {
    #expect(ResolverFacts.areStubs(servers) == areStubs)
  }

  @Test(
    arguments: [
      (.servers(["192.0.2.53"]), true), (.servers([]), false), (.localResolver(upstream: ["192.0.2.53"]), true),
      (.localResolver(upstream: []), false), (.servers(["router.lan"]), false),
      (.servers(["router.lan", "::1"]), true),
      (.servers(["fe80::1%eth0"]), true), (.servers(["fe80::1%"]), false), (.servers(["192.0.2.53%eth0"]), false),
      (.localResolver(upstream: ["dns"]), false), (.servers(["127.0.0.1"]), true), (.none("/etc/resolv.conf"), false),
      (.unknown("permission denied"), true),
    ] as [(ResolverFacts, Bool)])
  func `names can be looked up unless no server is known; our own failure to read is not that`(
    facts: ResolverFacts, isConfigured: Bool
  ) {
    #expect(facts.isConfigured == isConfigured)
  }
}
