import PathModel
import PathTestSupport
import Testing

@Suite("Reading requirements")
struct RequirementParsingTests {
  private static let words = [
    "connected", "offline", "unmetered", "unmetered-known", "unconstrained", "wifi", "cellular", "ethernet", "vpn",
    "ipv4", "ipv6", "dns", "validated", "portal",
  ]
  private static let keys = ["interface=", "type=", "via="]
  private static let types = ["wifi", "cellular", "wiredEthernet", "loopback", "other", "ethernet"]

  private static let everything = words + keys + ["("]
  private static let negatable = words + ["("]

  private static let mixed =
    "a comma and a bar stand side by side; write (wifi|ethernet),unmetered or wifi|(ethernet,unmetered)"

  static let errors: [(text: String, position: Int, allowed: [String], message: String)] = [
    ("", 0, everything, "a term is missing"),
    ("wifi,", 5, everything, "a term is missing"),
    (",wifi", 0, everything, "a term is missing"), ("!", 1, negatable, "a word is missing after the negation"),
    ("vpn,not-", 8, negatable, "a word is missing after the negation"),
    (" wifi", 0, everything, "white space is not allowed"), ("wifi, vpn", 5, everything, "white space is not allowed"),
    ("é\u{a0}", 2, [], "white space is not allowed"),
    ("wify", 0, everything, "'wify' is not known (did you mean 'wifi'?)"),
    ("vpn,ipv5", 4, everything, "'ipv5' is not known (did you mean 'ipv4'?)"),
    ("WIFI", 0, everything, "'WIFI' is not known"),
    ("not_wifi", 0, everything, "'not_wifi' is not known (did you mean 'not-wifi'?)"),
    ("not-wify", 4, negatable, "'wify' is not known (did you mean 'wifi'?)"),
    ("\u{9a}\u{202e}", 0, everything, "'\\u{009A}\\u{202E}' is not known"),
    ("!not-wifi", 1, negatable, "'not-wifi' is not known"),
    ("é,wify", 0, everything, "'é' is not known"),
    ("interface", 0, ["interface="], "'interface' needs a value"), ("vpn,via", 4, ["via="], "'via' needs a value"),
    ("wifi=yes", 4, [], "'wifi' takes no value"), ("vpn,connected=", 13, [], "'connected' takes no value"),
    ("vpn,interfaces=eth0", 4, keys, "'interfaces=' is not known (did you mean 'interface='?)"),
    ("=eth0", 0, keys, "'=' is not known"),
    ("!via=eth0", 1, negatable, "'via=' is negated in parentheses: not-(via=…)"),
    ("!via=\u{1b}[0m", 1, negatable, "'via=' is negated in parentheses: not-(via=…)"),
    ("type=", 5, types, "'' is not known"), ("type=Wifi", 5, types, "'Wifi' is not known (did you mean 'wifi'?)"),
    ("vpn,type=tunnel", 9, types, "'tunnel' is not known"),
    ("interface=", 10, [], "'' is not the name of an interface: it is empty"),
    ("interface=a/b", 10, [], "'a/b' is not the name of an interface: it contains '/'"),
    ("via=..", 4, types, "'..' is not the name of an interface: the kernel refuses this name"),
    ("interface=\u{1b}[0m", 10, [], "'\\u{1B}[0m' is not the name of an interface: it contains a control character"),
    (
      "via=abcdefghijklmnop", 4, types,
      "'abcdefghijklmnop' is not the name of an interface: it is longer than 15 bytes"
    ),
    (
      String(repeating: "x", count: 41), 0, everything,
      "'\(String(repeating: "x", count: 40))…' is not known"
    ),
    (String(repeating: "w", count: 1_025), 1_024, [], "it is longer than 1024 bytes"),
    (String(repeating: "wifi,", count: 32) + "wifi", 160, [], "it has more than 32 terms"),
    ("!(" + String(repeating: "wifi,", count: 31) + "wifi)", 157, [], "it has more than 32 terms"),
    ("!()", 2, everything, "a term is missing"), ("vpn,not-(wifi,)", 14, everything, "a term is missing"),
    ("!(wifi", 6, [",", "|", ")"], "a parenthesis is not closed"),
    ("!(wifi)vpn", 7, [",", "|"], "a comma or a bar is missing"),
    ("!(wifi))", 7, [",", "|"], "a comma or a bar is missing"),
    ("wifi|", 5, everything, "a term is missing"),
    ("wifi|ethernet,unmetered", 13, ["|"], mixed), ("vpn,wifi|ethernet", 8, [","], mixed),
    ("!(vpn,wifi|ethernet)", 10, [","], mixed), ("(wifi|ethernet),vpn|dns", 19, [","], mixed),
    ("(wifi", 5, [",", "|", ")"], "a parenthesis is not closed"),
    ("interface=a|b", 12, everything, "'b' is not known"),
    (String(repeating: "wifi|", count: 32) + "wifi", 160, [], "it has more than 32 terms"),
    ("!(type=wif)", 7, types, "'wif' is not known (did you mean 'wifi'?)"),
    (
      String(repeating: "!(", count: 9) + "wifi" + String(repeating: ")", count: 9), 18, [],
      "its parentheses are nested more than 8 deep"
    ),
  ]

  @Test(arguments: errors.indices)
  func `other texts are refused, and the error has the place, the reason and the allowed words`(index: Int) {
    let row = Self.errors[index]
    let error = #expect(throws: PathRequirement.ParseError.self) { try PathRequirement(row.text) }
    #expect(error?.text == row.text)
    #expect(error?.position == row.position)
    #expect(error?.allowed == row.allowed)
    #expect(error?.message == row.message)
  }

  @Test func `an error is one sentence`() {
    let error = #expect(throws: PathRequirement.ParseError.self) { try PathRequirement("vpn,type=wify") }
    #expect(
      error?.description == """
        invalid requirement at byte 9: 'wify' is not known (did you mean 'wifi'?); \
        allowed here: wifi, cellular, wiredEthernet, loopback, other, ethernet
        """)
  }

  @Test func `the limits themselves are allowed`() throws {
    #expect(throws: Never.self) { try PathRequirement(Array(repeating: "wifi", count: 32).joined(separator: ",")) }
    #expect(throws: Never.self) { try PathRequirement("interface=abcdefghijklmno") }
    #expect(throws: Never.self) {
      try PathRequirement(String(repeating: "!(", count: 8) + "wifi" + String(repeating: ")", count: 8))
    }
    #expect(throws: Never.self) { try PathRequirement("via=eth0.100,interface=a!=b,interface=not-eth") }
  }

  @Test(arguments: [
    ("wifi", "wifi"), ("!wifi", "not-wifi"), ("not-connected", "offline"), ("!offline", "connected"),
    ("type=ethernet", "type=wiredEthernet"), ("via=ethernet", "via=ethernet"), ("interface==", "interface=="),
    ("vpn,vpn,!unmetered-known,via=wifi,interface=wlan0", "vpn,vpn,not-unmetered-known,via=wifi,interface=wlan0"),
    ("interface=\u{301}x", "interface=\u{301}x"), ("via=a(b),interface=c)", "via=a(b),interface=c)"),
    ("!(wifi)", "not-wifi"), ("not-(not-wifi)", "wifi"), ("!(connected)", "offline"), ("!(!offline)", "offline"),
    ("!(interface=eth0)", "not-(interface=eth0)"), ("not-(!(via=eth0,vpn))", "via=eth0,vpn"),
    ("!(wifi,!(vpn,type=other)),dns", "not-(wifi,not-(vpn,type=other)),dns"),
    ("(wifi)", "wifi"), ("((wifi,vpn)),dns", "wifi,vpn,dns"), ("wifi|lan", "wifi|ethernet"),
    ("(wifi|ethernet)", "wifi|ethernet"), ("wifi|(ethernet|vpn)", "wifi|ethernet|vpn"), ("wifi|wifi", "wifi"),
    ("unmetered,(wifi|lan)", "unmetered,(wifi|ethernet)"), ("!(wifi|vpn)", "not-(wifi|vpn)"),
    ("(unmetered,wifi)|via=eth0", "(unmetered,wifi)|via=eth0"), ("!(!(wifi|vpn))", "wifi|vpn"),
    ("dns,!((wifi|vpn),ipv4)", "dns,not-((wifi|vpn),ipv4)"),
  ])
  func `requirements that can be written in several ways have one spelling`(text: String, canonical: String) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.description == canonical)
    #expect(try PathRequirement(requirement.description) == requirement)
  }

  @Test(arguments: [
    ("online", "connected"), ("not-online", "offline"), ("metered", "not-unmetered"), ("not-metered", "unmetered"),
    ("!metered", "unmetered"), ("constrained", "not-unconstrained"), ("not-constrained", "unconstrained"),
    ("wired", "ethernet"), ("lan", "ethernet"), ("not-lan", "not-ethernet"), ("tunnel", "vpn"),
    ("!tunnel,online", "not-vpn,connected"), ("type=wired", "type=wiredEthernet"),
    ("not-(wired,metered)", "not-(ethernet,not-unmetered)"),
  ])
  func `a word of other programs stands for one of ours`(text: String, canonical: String) throws {
    #expect(try PathRequirement(text) == PathRequirement(canonical))
  }

  @Test func `every synonym stands for a requirement, and is no word itself`() throws {
    for (name, term) in PathRequirement.synonyms {
      #expect(try PathRequirement(name) == PathRequirement(term))
      #expect(PathRequirement.Word(rawValue: name) == nil)
    }
  }

  private static let suggestible = [
    "connected", "offline", "unmetered", "wifi", "wired", "online", "metered", "not-wifi",
  ]

  @Test(arguments: [
    ("disconnected", ""), ("unconnected", ""), ("unwired", ""), ("!wifi", ""),
    ("nowifi", " (did you mean 'not-wifi'?)"),
    ("metred", " (did you mean 'metered'?)"), ("unmetred", " (did you mean 'unmetered'?)"),
    ("ummetered", " (did you mean 'unmetered'?)"), ("onlin", " (did you mean 'online'?)"),
    ("umetered", " (did you mean 'unmetered' or 'metered'?)"), ("ofline", " (did you mean 'offline'?)"),
    ("wfii", " (did you mean 'wifi'?)"),
  ])
  func `the opposite of a word is never suggested for it`(word: String, suggestion: String) {
    #expect(Suggestion.text(for: word, among: Self.suggestible) == suggestion)
  }

  @Test(
    arguments: [
      ("wifi", []), ("interface=wlan0", ["wlan0"]), ("via=wired", []),
      ("via=wlan0,interface=eth0,via=wlan0", ["wlan0", "eth0"]),
      ("not-(interface=eth0,via=wwan0)", ["eth0", "wwan0"]), ("via=cellular,type=wifi", []),
    ] as [(String, [String])])
  func `the interfaces that a requirement names are known, and types are not among them`(text: String, names: [String])
    throws
  {
    #expect(try PathRequirement(text).namedInterfaces.map(\.name.text) == names)
  }

  @Test(arguments: SeededGenerator.seeds)
  func `any requirement reads back from its description`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let terms = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Self.randomTerm(&generator, depth: 0) }
      let requirement = try PathRequirement(terms.joined(separator: Bool.random(using: &generator) ? "," : "|"))
      #expect(try PathRequirement(requirement.description) == requirement, "seed \(seed)")
      #expect(requirement.description == (try PathRequirement(requirement.description)).description, "seed \(seed)")
    }
  }

  private static func randomTerm(_ generator: inout SeededGenerator, depth: Int) -> String {
    let negation = ["", "not-", "!"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return "type=" + (types.randomElement(using: &generator) ?? "")
    case 1: return ["via=", "interface="][Int.random(in: 0..<2, using: &generator)] + "dev0"
    case 2 where depth < 2:
      let terms = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        randomTerm(&generator, depth: depth + 1)
      }
      return "\(negation)(\(terms.joined(separator: Bool.random(using: &generator) ? "," : "|")))"
    default: return negation + (words.randomElement(using: &generator) ?? "")
    }
  }
}
