import PathModel
import Testing

@Suite("Other words for requirements, and suggestions")
struct RequirementSynonymTests {
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

  private static let names = ["connected", "offline", "unmetered", "wifi", "wired", "online", "metered", "not-wifi"]

  @Test(arguments: [
    ("disconnected", ""), ("unconnected", ""), ("unwired", ""), ("!wifi", ""),
    ("nowifi", " (did you mean 'not-wifi'?)"),
    ("metred", " (did you mean 'metered'?)"), ("unmetred", " (did you mean 'unmetered'?)"),
    ("ummetered", " (did you mean 'unmetered'?)"), ("onlin", " (did you mean 'online'?)"),
    ("umetered", " (did you mean 'unmetered' or 'metered'?)"), ("ofline", " (did you mean 'offline'?)"),
    ("wfii", " (did you mean 'wifi'?)"),
  ])
  func `the opposite of a word is never suggested for it`(word: String, suggestion: String) {
    #expect(Suggestion.text(for: word, among: Self.names) == suggestion)
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
}
