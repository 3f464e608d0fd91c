import PathModel
import PathTestSupport
import Testing

@testable import PathDecisions

/// A field that the assembly of the path leaves out keeps the value that it has in a path of which nothing is known.
@Suite("Fields of an evaluated path")
struct EvaluatedFieldTests {
  /// The fields that are not set by an evaluation: the scopes are parts of the gateways, the engine adds the
  /// diagnosis, an administrator sets the overrides, and the others are the place in a stream.
  private static let notEvaluated = [
    "diagnosis", "gatewayScopes", "overrides", "sequence", "boottimeMicroseconds", "changed",
  ]
  static let evaluated = NetworkPath.fields.map(\.key).filter { !notEvaluated.contains($0) }

  /// Networks that together give each of these fields, and each field of an interface, a value other than that of an
  /// unknown path or interface.
  enum Situation: CaseIterable {
    case offline, meteredWiFi, tunnel, bridge
  }

  @Test(arguments: Situation.allCases)
  func `an evaluated path has the value of each field that the situation gives it`(situation: Situation) throws {
    var kernel = try situation.kernel
    let wrong = try kernel.evaluate().path.fieldsChanged(since: situation.path)
    #expect(wrong.isEmpty, "Evaluation/PathAssembly.swift leaves these fields out, or gives them another value")
  }

  @Test(arguments: evaluated)
  func `in some situation the field of an evaluated path has another value than in an unknown path`(
    key: String
  ) throws {
    let isGiven = Situation.allCases.contains { situation in
      situation.path.fieldsChanged(since: .unknown).contains(key)
    }
    #expect(
      isGiven,
      "\(key): set it in Evaluation/PathAssembly.swift, and in the path of a situation in this file")
  }

  @Test(arguments: NetworkInterface.fields.map(\.key))
  func `in some situation the field of an evaluated interface has another value than in a blank one`(
    key: String
  ) throws {
    let blank = try JSONValue(written: { NetworkInterface.blank.write(to: &$0) })
    let isGiven = try Situation.allCases.flatMap(\.path.interfaces).contains { interface in
      try JSONValue(written: { interface.write(to: &$0) })[key] != blank[key]
    }
    #expect(
      isGiven,
      "\(key): set it in Evaluation/PathAssembly.swift, and in the path of a situation in this file")
  }
}

extension EvaluatedFieldTests.Situation {
  /// The kernel in the situation.
  fileprivate var kernel: FakeKernel {
    get throws {
      var kernel = FakeKernel()
      switch self {
      case .offline: break
      case .meteredWiFi:
        var link = LinkFacts.up(2, "wlan0")
        (link.alternativeNames, link.hardwareAddress) = (["radio"], [2, 0, 0, 0, 0, 3])
        // Addresses of the link alone are no addresses of the interface.
        kernel.install(link, "192.0.2.2/24", "2001:db8::2/64", "169.254.1.1/16", "fe80::2/64")
        // Of the first prefix an address is left, and of the second one none.
        for address in ["2001:db8::3", "2001:db8:1::3"] {
          kernel.update(
            AddressFacts(interfaceIndex: 2, address: .literal(address), prefixLength: 64, flags: .deprecated))
        }
        kernel.devices[2] = DeviceFacts(deviceType: "wlan", isWireless: true, driver: "iwlwifi")
        kernel.networkFacts.connectivityByName["wlan0"] = DeviceConnectivity(ipv4: .portal, ipv6: .unknown)
        kernel.networkFacts.networkNames[2] = NetworkName(Array("Caf".utf8) + [0xe9, 0x0a])
        kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "wlan0")))
        kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "wlan0")))
        var ruling = InterfaceRuling()
        ruling.isExpensive = .init(true, origin: "wlan0.conf:4")
        ruling.isConstrained = .init(true, origin: "wlan0.conf:5")
        kernel.judgements = JudgementMemory(InterfaceRules([InterfaceRule(match: InterfaceMatch(), ruling: ruling)]))
      case .tunnel:
        kernel.install(.up(5, "wg0", kind: "wireguard"), "10.0.0.2/24")
        kernel.addRoute(RouteSpec("default", .via(nil, "wg0")))
        kernel.resolver = .servers([])
      case .bridge:
        kernel.install(.up(2, "eth0", master: 7))
        kernel.install(.up(7, "br0", kind: "bridge"), "192.0.2.2/24")
        kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "br0")))
        kernel.networkFacts.unreadLeases.add(.names(["br0"]), because: "permission denied")
      }
      return kernel
    }
  }

  /// The path that follows from it.
  fileprivate var path: NetworkPath {
    var path = NetworkPath(status: self == .offline ? .unsatisfied : .satisfied, knowledge: .known)
    switch self {
    case .offline: path.unsatisfiedReason = .noInterface
    case .meteredWiFi:
      path.interfaces = [
        NetworkInterface(
          name: "wlan0", index: 2, type: .wifi, isExpensive: true, isConstrained: true, mtu: 1_500,
          hardwareAddress: "02:00:00:00:00:03",
          addresses: ["192.0.2.2/24", "2001:db8::2/64", "2001:db8::3/64", "2001:db8:1::3/64"].compactMap {
            NetworkInterface.Address($0)
          }, driver: "iwlwifi", alternativeNames: ["radio"], networkName: #"Caf\xe9"# + "\n")
      ]
      path.interfaces[0].deprecatedPrefixes = ["2001:db8:1::/64"].compactMap { NetworkInterface.Address($0) }
      path.interfaceType = .wifi
      (path.isExpensive, path.isConstrained) = (true, true)
      path.cost = Cost(
        isExpensive: true, isConstrained: true, confidence: .user,
        evidence: [.expensive, .constrained].map {
          Evidence(source: .configuration, verdict: $0, confidence: .user, text: "the rule for wlan0")
        })
      (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (true, true, true)
      path.validation = PathValidation(
        state: .portal,
        evidence: [.init(source: .networkManager, verdict: .portal, family: .ipv4, when: 0, text: "a sign-in page")])
      path.sourceAddresses = ["192.0.2.2", "2001:db8::2"].compactMap { IPAddress($0) }
      path.gateways = ["192.0.2.1", "fe80::1%wlan0"].compactMap { IPAddress($0) }
    case .tunnel:
      path.interfaces = [
        NetworkInterface(
          name: "wg0", index: 5, type: .other, mtu: 1_500,
          addresses: ["10.0.0.2/24"].compactMap { NetworkInterface.Address($0) })
      ]
      path.interfaceType = .other
      path.usesTunnel = true
      path.cost = .unknown
      path.supportsIPv4 = true
      path.sourceAddresses = ["10.0.0.2"].compactMap { IPAddress($0) }
    case .bridge:
      path.interfaces = [
        NetworkInterface(
          name: "br0", index: 7, type: .wiredEthernet, underlying: ["eth0"], underlyingTypes: [.wiredEthernet],
          mtu: 1_500, addresses: ["192.0.2.2/24"].compactMap { NetworkInterface.Address($0) },
          isExpenseUndetermined: true)
      ]
      path.interfaceType = .wiredEthernet
      path.cost = Cost(
        isExpensive: false, isConstrained: false, confidence: .unknown,
        evidence: [Evidence(source: .lease, verdict: .undetermined, confidence: .unknown, text: "not read")])
      (path.supportsIPv4, path.supportsDNS) = (true, true)
      path.sourceAddresses = ["192.0.2.2"].compactMap { IPAddress($0) }
      path.gateways = ["192.0.2.1"].compactMap { IPAddress($0) }
    }
    return path
  }
}
