import PathModel
import Testing

@Suite("Requirements")
struct PathRequirementTests {
  // MARK: Words

  /// Each word with a path that is as required and one that is connected but not so.
  static let words: [(word: String, met: NetworkPath, notMet: NetworkPath)] = [
    ("unmetered", .wired, .wired.with { $0.isExpensive = true }),
    ("unmetered-known", .wired, .wired.with { $0.cost = nil }),
    ("unconstrained", .wired, .wired.with { $0.isConstrained = true }),
    ("wifi", .over(.wifi), .wired), ("cellular", .over(.cellular), .wired), ("ethernet", .wired, .over(.wifi)),
    ("vpn", .wired.with { $0.usesTunnel = true }, .wired), ("ipv4", .wired, .wired.with { $0.supportsIPv4 = false }),
    ("ipv6", .wired, .wired.with { $0.supportsIPv6 = false }), ("dns", .wired, .wired.with { $0.supportsDNS = false }),
    (
      "validated", .wired.with { $0.validation.state = .validated }, .wired.with { $0.validation.state = .unanswered }
    ),
    ("portal", .wired.with { $0.validation.state = .portal }, .wired),
    ("interface=eth0", .wired, .over(.wifi)), ("type=wiredEthernet", .wired, .over(.wifi)),
    ("type=ethernet", .wired, .over(.wifi)), ("type=wifi", .over(.wifi), .wired),
    ("type=cellular", .over(.cellular), .wired), ("type=loopback", .over(.loopback), .wired),
    ("type=other", .over(.other), .wired),
  ]

  @Test(arguments: words.indices)
  func `each word asks for one property of a connected path`(index: Int) throws {
    let (word, met, notMet) = Self.words[index]
    let requirement = try PathRequirement(word)
    #expect(requirement.verdict(on: met) == .met)
    #expect(requirement.verdict(on: notMet) == .notMet)
    #expect(requirement.verdict(on: met.asUnsatisfied) == .notMet)
  }

  @Test(arguments: words.filter { !$0.word.contains("=") }.map(\.word), ["not-", "!"])
  func `a negated word asks for the opposite, and still for a connection`(word: String, negation: String) throws {
    let row = try #require(Self.words.first { $0.word == word })
    let requirement = try PathRequirement(negation + word)
    #expect(requirement.verdict(on: row.met) == .notMet)
    #expect(requirement.verdict(on: row.notMet) == .met)
    #expect(requirement.verdict(on: row.notMet.asUnsatisfied) == .notMet)
  }

  @Test func `each requirement in text is one in code`() throws {
    let spellings: [(PathRequirement, String)] = [
      (!(!.wifi), "wifi"), (!.connected, "offline"), (!.offline, "connected"), (.interface("eth0"), "interface=eth0"),
      (.via(.cellular), "via=cellular"), (!.type(.wifi), "not-(type=wifi)"),
      (.unmetered && !.vpn && .via("wlan0"), "unmetered,not-vpn,via=wlan0"),
      (!(!(.wifi && .unmetered)), "wifi,unmetered"),
      (.dns && !(.wifi && !(.vpn && .ipv4)), "dns,not-(wifi,not-(vpn,ipv4))"), (.wifi || .wifi, "wifi"),
      (.wifi || (.ethernet || .vpn), "wifi|ethernet|vpn"), (!(.wifi || .vpn), "not-(wifi|vpn)"),
      (.wifi || .ethernet && .unmetered, "wifi|(ethernet,unmetered)"),
      (.unmetered && !.vpn && (.wifi || .ethernet), "unmetered,not-vpn,(wifi|ethernet)"),
    ]
    for (requirement, text) in spellings {
      #expect(requirement.description == text)
      #expect(try PathRequirement(text) == requirement)
    }
  }

  @Test(arguments: [
    ("via=uplink", true), ("interface=uplink", true), ("not-(interface=uplink)", false), ("via=uplink,via=dev0", true),
    ("via=dev0,interface=uplink", true), ("via=uplnik", false), ("interface=uplnik", false),
  ])
  func `an alternative name is as good as the name of the interface`(text: String, isMet: Bool) throws {
    let path = NetworkPath.over(.wifi).with { $0.interfaces[0].alternativeNames = ["uplink", "enp0s3"] }
    #expect(try PathRequirement(text).verdict(on: path) == (isMet ? .met : .notMet))
  }

  @Test(arguments: [
    ("connected", true), ("not-connected", false), ("!connected", false), ("offline", false), ("not-offline", true),
    ("!offline", true),
  ])
  func `offline is the opposite of connected`(text: String, isConnected: Bool) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.verdict(on: .wired) == (isConnected ? .met : .notMet))
    #expect(requirement.verdict(on: .wired.asUnsatisfied) == (isConnected ? .notMet : .met))
    #expect(try PathRequirement(isConnected ? "connected" : "offline") == requirement)
  }

  @Test(arguments: [
    ("user", true), ("explicit", true), ("certain", true), ("likely", true), ("guess", false), ("unknown", false),
    ("brandNew", false),
  ])
  func `only a path that is certainly or likely free is known to be`(confidence: String, isKnown: Bool) throws {
    let path = NetworkPath.wired.with { $0.cost?.confidence = Evidence.Confidence(rawValue: confidence) }
    #expect(try PathRequirement("unmetered-known").verdict(on: path) == (isKnown ? .met : .notMet))
    #expect(try PathRequirement("unmetered").verdict(on: path) == .met)
  }

  @Test func `certainty about constraints is none about money`() throws {
    let constrained = Evidence(source: .override, verdict: .constrained, confidence: .certain, text: "")
    var path = NetworkPath.wired.with { $0.cost?.evidence = [constrained] }
    let requirement = try PathRequirement("unmetered-known")
    #expect(requirement.verdict(on: path) == .notMet)
    path.cost?.evidence.append(
      Evidence(source: .init(rawValue: "x"), verdict: .notExpensive, confidence: .likely, text: ""))
    #expect(requirement.verdict(on: path) == .met)
  }

  // MARK: Undetermined cost

  /// A path whose cost is undetermined, because evidence could not be read.
  private static let undetermined = NetworkPath.wired.with { path in
    let unread = Evidence(source: .lease, verdict: .undetermined, confidence: .unknown, text: "")
    path.cost = Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: [unread])
    path.interfaces[0].isExpenseUndetermined = true
  }

  @Test(
    arguments: [
      ("unmetered", .unknown), ("metered", .unknown), ("not-(unmetered,ethernet)", .unknown),
      ("not-(not-(unmetered))", .unknown), ("ethernet,unmetered,via=eth0", .unknown), ("wifi,unmetered", .notMet),
      ("not-(wifi,unmetered)", .met), ("not-(unmetered,unmetered-known)", .met), ("unmetered-known", .notMet),
      ("not-unmetered-known", .met), ("unconstrained", .met), ("connected", .met), ("offline", .notMet),
      ("offline,unmetered", .notMet),
    ] as [(String, PathRequirement.Verdict)])
  func `a requirement that an undetermined cost decides has no verdict`(
    text: String, verdict: PathRequirement.Verdict
  ) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.verdict(on: Self.undetermined) == verdict)
    #expect(requirement.gatingVerdict(on: Self.undetermined) == (verdict == .unknown ? .notMet : verdict))
    #expect((requirement.applied(to: Self.undetermined).status == .satisfied) == (verdict == .met || text == "offline"))
    #expect(requirement.verdict(on: Self.undetermined.with { $0.isExpensive = true }) != .unknown)
  }

  @Test func `an undetermined cost is that of the interface through which a bound socket goes`() throws {
    let second = NetworkInterface(name: "usb0", index: 3, type: .wiredEthernet, isExpenseUndetermined: true)
    let path = NetworkPath.wired.with { $0.interfaces.append(second) }
    #expect(try PathRequirement("unmetered").verdict(on: path) == .met)
    #expect(try PathRequirement("via=usb0,unmetered").verdict(on: path) == .unknown)
    #expect(try PathRequirement("via=eth0,unmetered").verdict(on: path) == .met)
  }

  @Test func `an undetermined cost is said wherever the path is described`() throws {
    #expect("\(Self.undetermined)" == "connected over eth0 (wired Ethernet) via 192.0.2.1, of unknown cost")
    #expect(
      "\(try PathRequirement("unmetered").applied(to: Self.undetermined))"
        == "offline: there is a path, but not of the kind asked for: over eth0 (wired Ethernet), of unknown cost")
    #expect(try PathRequirement("unmetered").shortcoming(of: Self.undetermined) == .guessedCost)
  }

  @Test(arguments: [
    ("validated", PathRequirement.Verdict.unknown), ("not-validated", .unknown), ("wifi,validated", .notMet),
    ("not-portal", .met), ("portal", .notMet), ("not-(validated)", .unknown), ("not-portal,validated", .unknown),
  ])
  func `while nothing is known of the Internet, a path is neither validated nor at a portal`(
    text: String, verdict: PathRequirement.Verdict
  ) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.verdict(on: .wired) == verdict)
    #expect(requirement.gatingVerdict(on: .wired) == (verdict == .unknown ? .notMet : verdict))
    #expect((requirement.applied(to: .wired).status == .satisfied) == (verdict == .met))
  }

  @Test(
    arguments: [
      (PathValidation.State.portal, [], true), (.partial, [.validated, .portal], true),
      (.partial, [.validated, .unanswered], false), (.validated, [.validated, .portal], false),
      (.unanswered, [.portal], false), (.unknown, [.portal], false),
    ] as [(PathValidation.State, [PathValidation.State], Bool)])
  func `a sign-in is wanted also where the network lets some hosts through`(
    state: PathValidation.State, evidence: [PathValidation.State], isWanted: Bool
  ) throws {
    let path = NetworkPath.wired.with { path in
      path.validation.state = state
      path.validation.evidence = evidence.map { .init(source: .host, verdict: $0, when: 1, text: "") }
    }
    #expect(try PathRequirement("portal").verdict(on: path) == (isWanted ? .met : .notMet))
    #expect(try PathRequirement("not-portal").verdict(on: path) == (isWanted ? .notMet : .met))
  }

  @Test(arguments: [NetworkPath.Knowledge.stale, .unknown], ["connected", "offline", "not-wifi", "via=eth0"])
  func `a requirement has no verdict on a stale or unknown path, which holds nothing back`(
    knowledge: NetworkPath.Knowledge, text: String
  ) throws {
    for path in [NetworkPath.wired.with { $0.knowledge = knowledge }, .unknown] {
      #expect(try PathRequirement(text).verdict(on: path) == .unknown)
      #expect(try PathRequirement(text).gatingVerdict(on: path) == .unknown)
    }
    #expect(
      try PathRequirement("unmetered").gatingVerdict(on: Self.undetermined.with { $0.knowledge = knowledge })
        == .unknown)
  }

  @Test(arguments: [
    ("unmetered", true), ("!unmetered", true), ("unmetered-known", true), ("not-unmetered-known", true),
    ("unconstrained", true), ("wifi,!unconstrained", true), ("not-(wifi,not-(unmetered,vpn))", true),
    ("connected,wifi,!vpn,ipv4,via=eth0", false),
  ])
  func `requirements that depend on cost are recognised`(text: String, dependsOnCost: Bool) throws {
    #expect(try PathRequirement(text).dependsOnCost == dependsOnCost)
  }

  // MARK: Terms that are joined

  @Test(
    arguments: [
      // All terms must hold.
      ("ethernet,unmetered,!vpn,interface=eth0", .met), ("ethernet,wifi", .notMet),
      // A group is negated as a whole, and still asks for a connection.
      ("not-(ethernet,unmetered)", .notMet), ("not-(ethernet,!unmetered)", .met), ("not-(wifi,unmetered)", .met),
      ("not-(interface=eth0)", .notMet), ("not-(interface=dev0)", .met), ("not-(via=eth0)", .notMet),
      ("not-(via=dev0)", .met), ("not-(not-(ethernet,unmetered),dns)", .met), ("via=eth0,not-(interface=dev0)", .met),
      // One of the alternatives must hold.
      ("wifi|ethernet", .met), ("wifi|cellular", .notMet), ("wifi|(ethernet,unmetered)", .met),
      ("wifi|(ethernet,vpn)", .notMet), ("(wifi|ethernet),vpn", .notMet), ("(wifi|ethernet),dns", .met),
      ("not-(wifi|cellular)", .met), ("not-(wifi|ethernet)", .notMet), ("via=dev0|via=eth0", .met),
      ("via=dev0|interface=dev0", .notMet), ("offline|ethernet", .met), ("offline|wifi", .notMet),
      ("wifi|validated", .unknown), ("ethernet|validated", .met), ("not-(wifi|validated)", .unknown),
    ] as [(String, PathRequirement.Verdict)])
  func `a comma asks for both, a bar for one, and a negation for the opposite of a group`(
    text: String, verdict: PathRequirement.Verdict
  ) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.verdict(on: .wired) == verdict)
    let offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    #expect((requirement.verdict(on: offline) == .met) == text.contains("offline"))
    #expect((requirement.applied(to: .wired).status == .satisfied) == (verdict == .met || text.contains("offline")))
    #expect(requirement.applied(to: offline) == offline)
  }

  @Test func `the first alternative that is met gives the path, and its via narrows it`() throws {
    let second = NetworkInterface(name: "usb0", index: 3, type: .wiredEthernet)
    let path = NetworkPath.wired.with { $0.interfaces.append(second) }
    let requirement = try PathRequirement("via=dev0|via=usb0|ethernet")
    #expect(requirement.applied(to: path).interfaces.map(\.name) == ["usb0"])
    #expect(try PathRequirement("wifi|ethernet").applied(to: path) == path)
    #expect(try PathRequirement("wifi|vpn").applied(to: path).unsatisfiedReason == .requirementNotMet)
    #expect(try PathRequirement("wifi|(via=usb0,vpn)").applied(to: path).unsatisfiedReason == .requirementNotMet)
  }

  @Test func `a via applies to what commas join with it, and not beyond a bar`() throws {
    let second = NetworkInterface(name: "usb0", index: 3, type: .wiredEthernet, isExpensive: true)
    let path = NetworkPath.wired.with { $0.interfaces.append(second) }
    #expect(try PathRequirement("via=usb0,(unmetered|wifi)").verdict(on: path) == .notMet)
    #expect(try PathRequirement("unmetered,(via=usb0|wifi)").verdict(on: path) == .met)
    #expect(try PathRequirement("(via=usb0,unmetered)|wifi").verdict(on: path) == .notMet)
  }

  @Test func `alternatives name interfaces, and depend on what each of them does`() throws {
    let requirement = try PathRequirement("via=dev7|(interface=eth9,unmetered)|not-portal")
    #expect(requirement.namedInterfaces.map(\.name.text) == ["dev7", "eth9"])
    #expect(requirement.dependsOnCost && requirement.dependsOnValidation)
    #expect(try PathRequirement("wifi|vpn").shortcoming(of: .wired) == .otherKind)
  }

  // MARK: Application

  @Test func `a path that is not as required is like any unsatisfied one`() throws {
    let expensive = NetworkPath.wired.with { $0.isExpensive = true }
    var expected = NetworkPath(status: .unsatisfied, knowledge: .known)
    expected.unsatisfiedReason = .requirementNotMet
    (expected.interfaces, expected.gateways) = (expensive.interfaces, expensive.gateways)
    let narrowed = try PathRequirement("wifi").applied(to: expensive.with { ($0.sequence, $0.overrides) = (7, ["x"]) })
    #expect(narrowed == expected.with { $0.overrides = ["x"] })
    #expect(narrowed.sequence == 7)
  }

  @Test(arguments: ["wifi", "connected", "offline", "not-vpn", "wifi,offline"])
  func `an unsatisfied path keeps its own reason`(text: String) throws {
    #expect(try PathRequirement(text).applied(to: .wired.asUnsatisfied) == .wired.asUnsatisfied)
    #expect(try PathRequirement(text).applied(to: .unknown) == .unknown)
  }

  @Test func `a path that is as required is unchanged, and offline never changes one`() throws {
    #expect(try PathRequirement("ethernet,unmetered-known").applied(to: .wired) == .wired)
    #expect(try PathRequirement("offline").applied(to: .wired) == .wired)
    for text in ["offline,wifi", "offline,ethernet"] {
      let requirement = try PathRequirement(text)
      #expect(requirement.verdict(on: .wired) == .notMet && requirement.verdict(on: .wired.asUnsatisfied) == .notMet)
    }
    #expect(try PathRequirement("offline,wifi").applied(to: .wired).unsatisfiedReason == .requirementNotMet)
  }
}

extension NetworkPath {
  /// Over eth0 with everything but a tunnel, certainly free.
  static var wired: NetworkPath { over(.wiredEthernet) }

  /// Over an interface of the type.
  static func over(_ type: InterfaceType) -> NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    let name = type == .wiredEthernet ? "eth0" : "dev0"
    path.interfaces = [
      NetworkInterface(
        name: name, index: 2, type: type,
        addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { NetworkInterface.Address($0) })
    ]
    path.interfaceType = type
    (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (true, true, true)
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    path.cost = Cost(isExpensive: false, isConstrained: false, confidence: .certain, evidence: [])
    return path
  }

  /// The same path with a change.
  func with(_ change: (inout NetworkPath) -> Void) -> NetworkPath {
    var path = self
    change(&path)
    return path
  }

  /// The same interfaces, without a route.
  var asUnsatisfied: NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noRoute
    (path.interfaces, path.gateways) = (interfaces, gateways)
    return path
  }
}
