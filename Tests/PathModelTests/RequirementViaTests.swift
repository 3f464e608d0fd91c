import PathModel
import Testing

/// `via=` asks for the path of a socket bound to an interface.
@Suite("Requirements on a path through an interface")
struct RequirementViaTests {
  private static let ethernet = NetworkPath.wired.interfaces[0]
  private static let wireless = NetworkInterface(
    name: "wlan0", index: 3, type: .wifi, isExpensive: true, isConstrained: true,
    addresses: ["198.51.100.2/24"].compactMap { NetworkInterface.Address($0) })
  private static let modem = NetworkInterface(name: "wwan0", index: 4, type: .cellular, isExpensive: true)
  /// A name that is also a type.
  private static let odd = NetworkInterface(
    name: "wifi", index: 5, type: .other, addresses: ["2001:db8:1::2/64"].compactMap { NetworkInterface.Address($0) })

  private static let path: NetworkPath = .wired.with {
    $0.interfaces = [ethernet, wireless, modem, odd]
    $0.gateways = ["192.0.2.1", "198.51.100.1", "fe80::1", "fe80::1%eth0"].compactMap { IPAddress($0) }
    $0.sequence = 3
    $0.overrides = ["offline on eth1"]
  }

  @Test(arguments: [
    ("eth0", ["eth0"]), ("ethernet", ["eth0"]), ("wiredEthernet", ["eth0"]), ("wlan0", ["wlan0"]),
    ("wifi", ["wlan0", "wifi"]), ("cellular", ["wwan0"]), ("other", ["wifi"]), ("loopback", []), ("eth", []),
    ("wifi,via=other", ["wifi"]), ("wlan0,via=wifi", ["wlan0"]), ("wlan0,via=eth0", []),
  ])
  func `only interfaces of the name or type stay, and each via must match`(value: String, names: [String]) throws {
    let requirement = try PathRequirement("via=" + value)
    #expect(requirement.applied(to: Self.path).interfaces.map(\.name) == names)
    #expect(requirement.applied(to: Self.path.asUnsatisfied).interfaces.map(\.name) == names)
    #expect(requirement.verdict(on: Self.path) == (names.isEmpty ? .notMet : .met))
    #expect(requirement.verdict(on: Self.path.asUnsatisfied) == (names.isEmpty ? .notMet : .met))
  }

  @Test func `the path over another interface than the one in use is made from that interface`() throws {
    let narrowed = try PathRequirement("via=wlan0").applied(to: Self.path.with { $0.usesTunnel = true })
    var expected = NetworkPath(status: .satisfied, knowledge: .known)
    expected.interfaces = [Self.wireless]
    expected.interfaceType = .wifi
    (expected.isExpensive, expected.isConstrained) = (true, true)
    (expected.supportsIPv4, expected.supportsDNS) = (true, true)
    expected.overrides = Self.path.overrides
    #expect(narrowed == expected)
    #expect(narrowed.sequence == 3)
  }

  @Test func `there is a path through an interface although unbound sockets have none`() throws {
    let narrowed = try PathRequirement("via=eth0").applied(to: Self.path.asUnsatisfied)
    #expect(narrowed.status == .satisfied)
    #expect(narrowed.unsatisfiedReason == nil)
    #expect(narrowed.interfaceType == .wiredEthernet)
    #expect(narrowed.supportsIPv4 && narrowed.supportsIPv6 && !narrowed.supportsDNS)
  }

  @Test func `features that only a left-out interface can have brought go with it`() throws {
    let path = Self.path.with {
      $0.interfaces = [Self.wireless, Self.ethernet]
      ($0.isExpensive, $0.isConstrained, $0.interfaceType) = (true, true, .wifi)
      $0.cost = Cost(isExpensive: true, isConstrained: true, confidence: .likely, evidence: [])
    }
    let wireless = try PathRequirement("via=wifi").applied(to: path)
    #expect(wireless.supportsIPv4 && !wireless.supportsIPv6 && wireless.supportsDNS)
    #expect(wireless.isExpensive && wireless.isConstrained)
    #expect(wireless.cost == path.cost)
    #expect(wireless.gateways.map(\.description) == ["198.51.100.1", "fe80::1"])
    let reversed = path.with { ($0.interfaces, $0.interfaceType) = ([Self.ethernet, Self.wireless], .wiredEthernet) }
    let wired = try PathRequirement("via=eth0").applied(to: reversed)
    #expect(wired.supportsIPv4 && wired.supportsIPv6)
    #expect(!wired.isExpensive && !wired.isConstrained)
    #expect(wired.cost == nil)
    #expect(wired.gateways.map(\.description) == ["192.0.2.1", "fe80::1", "fe80::1%eth0"])
  }

  @Test func `an interface without addresses that carries the traffic does so for the families of the path`() throws {
    let path = Self.path.with {
      $0.interfaces = [Self.modem, Self.ethernet]
      $0.interfaceType = .cellular
    }
    let narrowed = try PathRequirement("via=wwan0").applied(to: path)
    #expect(narrowed.supportsIPv4 && narrowed.supportsIPv6)
  }

  @Test func `a path of which no interface is left out is unchanged`() throws {
    let path = Self.path.with { $0.interfaces = [Self.ethernet] }
    #expect(try PathRequirement("via=ethernet").applied(to: path) == path)
  }

  @Test(arguments: [
    ("via=wlan0,unmetered", false), ("via=wlan0,not-unmetered", true), ("via=wlan0,ipv6", false),
    ("via=eth0,unmetered,ipv6", true), ("type=wifi,via=wlan0", true), ("interface=eth0,via=wlan0", false),
    ("interface=wlan0,via=wlan0", true), ("via=eth0,unmetered-known", true), ("via=wwan0,ipv4", false),
  ])
  func `the other terms are judged on that path`(text: String, isMet: Bool) throws {
    let requirement = try PathRequirement(text)
    #expect(requirement.verdict(on: Self.path) == (isMet ? .met : .notMet))
    let narrowed = requirement.applied(to: Self.path)
    #expect(narrowed.status == (isMet ? .satisfied : .unsatisfied))
    #expect(narrowed.unsatisfiedReason == (isMet ? nil : .requirementNotMet))
  }

  @Test func `without a path through the interface, the reason of an unsatisfied path is its own`() throws {
    let requirement = try PathRequirement("via=eth9")
    let lost = requirement.applied(to: Self.path)
    #expect(lost.unsatisfiedReason == .requirementNotMet)
    #expect(lost.interfaces.isEmpty && lost.gateways.isEmpty && lost.interfaceType == nil && lost.cost == nil)
    #expect(!lost.supportsIPv4 && !lost.supportsIPv6 && !lost.supportsDNS)
    #expect(requirement.applied(to: Self.path.asUnsatisfied).unsatisfiedReason == .noRoute)
  }

  @Test func `offline through an interface requires that there is no path through it`() throws {
    #expect(try PathRequirement("offline,via=eth9").verdict(on: Self.path) == .met)
    #expect(try PathRequirement("offline,via=wlan0").verdict(on: Self.path) == .notMet)
    #expect(try PathRequirement("offline,via=wlan0").verdict(on: Self.path.asUnsatisfied) == .notMet)
  }
}
