import PathModel
import PathTestSupport
import Testing

@testable import PathDecisions

@Suite("Sources of cost")
struct CostSourcesTests {
  private static func candidate(
    _ type: InterfaceType = .wifi, _ address: Prefix? = nil, via gateways: String...
  ) -> CostCandidate {
    let addresses = address.map { [AddressFacts(interfaceIndex: 2, address: $0.address, prefixLength: $0.length)] }
    return CostCandidate(
      name: "x0", type: type, addresses: addresses ?? [], gateways: gateways.map(IPAddress.literal))
  }

  /// The evidence in short, such as `driver expensive likely`.
  private static func evidence(_ candidate: CostCandidate) -> [String] {
    candidate.evidence.map { "\($0.source) \($0.verdict) \($0.confidence)" }
  }

  @Test(arguments: InterfaceType.allCases)
  func `of the types only cellular is expensive, with certainty`(type: InterfaceType) {
    let expected = type == .cellular ? ["interfaceType expensive certain"] : []
    #expect(Self.evidence(Self.candidate(type, "192.0.2.2/24", via: "192.0.2.1")) == expected)
  }

  @Test(
    arguments: [
      // The values of a phone, an adapter and a laptop's own devices in sysfs.
      (.wiredEthernet, DeviceFacts(driver: "ipheth"), true),
      (.wiredEthernet, DeviceFacts(driver: "rndis_host", phoneFunction: .mediaTransfer), true),
      (.wiredEthernet, DeviceFacts(driver: "cdc_ncm", phoneFunction: .debugging), true),
      (.wiredEthernet, DeviceFacts(driver: "cdc_ether", stick: .product("12d1:14dc")), true),
      (.wiredEthernet, DeviceFacts(driver: "rndis_host", stick: .storage), true),
      (.wiredEthernet, DeviceFacts(driver: "rndis_host", phoneFunction: .debugging, stick: .storage), true),
      (.wiredEthernet, DeviceFacts(driver: "rndis_host"), false),
      (.wiredEthernet, DeviceFacts(driver: "cdc_ether"), false),
      (.wiredEthernet, DeviceFacts(driver: "r8152"), false),
      (.wiredEthernet, DeviceFacts(driver: "e1000e", phoneFunction: .debugging), false),
      (.wifi, DeviceFacts(deviceType: "wlan", isWireless: true, driver: "iwlwifi"), false),
      (.other, DeviceFacts(deviceType: "bluetooth"), true),
    ] as [(InterfaceType, DeviceFacts, Bool)])
  func `phones on a cable or over Bluetooth and LTE sticks are likely expensive, adapters are not`(
    type: InterfaceType, device: DeviceFacts, isPhone: Bool
  ) {
    var candidate = Self.candidate(type)
    candidate.device = device
    #expect(Self.evidence(candidate) == (isPhone ? ["driver expensive likely"] : []))
  }

  @Test(
    arguments: [
      ("06", "01", "01", .mediaTransfer), ("ff", "42", "01", .debugging), ("ff", "42", "03", nil),
      ("e0", "01", "03", nil), ("08", "06", "50", nil), ("", "", "", nil),
    ] as [(String, String, String, DeviceFacts.PhoneFunction?)])
  func `functions that only phones have are known by their class`(
    interfaceClass: String, subclass: String, protocol: String, function: DeviceFacts.PhoneFunction?
  ) {
    #expect(
      DeviceFacts.PhoneFunction(interfaceClass: interfaceClass, subclass: subclass, interfaceProtocol: `protocol`)
        == function)
  }

  @Test(
    arguments: [
      ("172.20.10.2/28", "172.20.10.1", true), ("172.20.10.14/28", "172.20.10.1", true),
      ("172.20.10.2/24", "172.20.10.1", false), ("172.20.10.2/28", "172.20.10.3", false),
      ("172.20.10.18/28", "172.20.10.1", false), ("172.20.11.2/28", "172.20.10.1", false),
      ("192.168.1.2/28", "192.168.1.1", false),
      // By its router of IPv6 alone, while a VPN carries IPv4.
      ("172.20.10.2/28", "fe80::1", true), ("172.20.10.2/24", "fe80::1", false),
    ] as [(Prefix, String, Bool)])
  func `an iPhone's hotspot is known by its network together with its router`(
    address: Prefix, gateway: String, isHotspot: Bool
  ) {
    let expected = isHotspot ? ["gatewayAddress expensive likely"] : []
    #expect(Self.evidence(Self.candidate(.wifi, address, via: gateway)) == expected)
    #expect(Self.evidence(Self.candidate(.wifi, address)).isEmpty, "without a router it proves nothing")
    let both = Self.candidate(.wifi, address, via: gateway, "fe80::1")
    #expect(Self.evidence(both) == expected)
  }

  @Test func `an old Android phone is known by its router together with its driver`() {
    var phone = Self.candidate(.wiredEthernet, "192.168.42.17/24", via: "192.168.42.129")
    #expect(Self.evidence(phone).isEmpty, "many networks use the address")
    phone.device = DeviceFacts(driver: "rndis_host")
    #expect(Self.evidence(phone) == ["gatewayAddress expensive likely"])
    phone.gateways = [.literal("192.168.42.1")]
    #expect(Self.evidence(phone).isEmpty)
  }

  @Test func `a metered lease applies as long as the interface has its address`() {
    var candidate = Self.candidate(.wifi, "192.168.43.17/24", via: "192.168.43.1")
    candidate.network.leases = [
      LeaseFacts(address: .literal("10.0.0.5"), isMetered: true),
      LeaseFacts(address: .literal("192.168.43.17"), isMetered: false),
    ]
    #expect(Self.evidence(candidate).isEmpty)
    candidate.network.leases.append(LeaseFacts(address: .literal("192.168.43.17"), isMetered: true))
    #expect(Self.evidence(candidate) == ["lease expensive certain"])
    candidate.addresses = []
    #expect(Self.evidence(candidate).isEmpty)
  }

  /// A candidate with an address and a lease file that cannot be read.
  private static func unread(
    _ flags: AddressFlags = .permanent, namesInterface: Bool = true, _ change: (inout CostCandidate) -> Void = { _ in }
  ) -> Cost {
    var candidate = candidate(.wiredEthernet, "192.168.43.17/24", via: "192.168.43.1")
    candidate.addresses[0].flags = flags
    candidate.network.unreadLease = UnreadLease("cannot open x0.lease", namesInterface: namesInterface)
    change(&candidate)
    return CostRules.combine(candidate.evidence)
  }

  @Test func `a lease that cannot be read makes the cost undetermined, with the reason`() {
    let cost = Self.unread()
    #expect(cost.isUndetermined && cost.decidingPieces == [0])
    #expect(
      cost.evidence[0].text
        == "x0 may have a DHCP lease with ANDROID_METERED, which is not known: cannot open x0.lease")
  }

  /// What else is known, whether the cost is expensive, and whether it is undetermined.
  private static let others: [(change: @Sendable (inout CostCandidate) -> Void, isExpensive: Bool, isOpen: Bool)] = [
    // Only IPv4 has such leases.
    ({ $0.addresses = [] }, false, false),
    (
      { $0.addresses = [AddressFacts(interfaceIndex: 2, address: .literal("2001:db8::2"), prefixLength: 64)] }, false,
      false
    ),
    // The lease of the address is known from another file.
    ({ $0.network.leases = [LeaseFacts(address: .literal("192.168.43.17"), isMetered: false)] }, false, false),
    ({ $0.network.leases = [LeaseFacts(address: .literal("192.168.43.17"), isMetered: true)] }, true, false),
    ({ $0.network.leases = [LeaseFacts(address: .literal("10.0.0.5"), isMetered: true)] }, false, true),
    // NetworkManager has judged by its own lease.
    ({ $0.network.metered = .yes }, true, false), ({ $0.network.metered = .no }, false, false),
    ({ $0.network.metered = .guessYes }, true, false), ({ $0.network.metered = .guessNo }, false, false),
    ({ $0.network.metered = .unknown }, false, true),
    // The administrator's word decides.
    ({ $0.ruling.isExpensive = .init(false, origin: "x.conf:1") }, false, false),
    ({ $0.ruling.isExpensive = .init(true, origin: "x.conf:1") }, true, false),
    ({ $0.ruling.isConstrained = .init(true, origin: "x.conf:1") }, false, true),
    ({ $0.device = DeviceFacts(driver: "ipheth") }, true, false),
  ]

  @Test(arguments: others.indices)
  func `a lease that cannot be read leaves the cost open only where nothing else decides`(index: Int) {
    let (change, isExpensive, isOpen) = Self.others[index]
    let cost = Self.unread(.permanent, change)
    #expect(cost.isExpensive == isExpensive)
    #expect(cost.isUndetermined == isOpen)
  }

  @Test func `where the file does not tell the interface, only addresses with a lifetime may be leased`() {
    #expect(Self.unread(.permanent, namesInterface: false) == .unknown)
    #expect(Self.unread([], namesInterface: false).isUndetermined)
    #expect(Self.unread([], namesInterface: false) { $0.type = .loopback } == .unknown)
  }

  @Test(
    arguments: [
      (.yes, ["networkManager expensive explicit"]), (.no, ["networkManager notExpensive explicit"]),
      (.guessYes, ["networkManager expensive guess"]), (.guessNo, ["networkManager notExpensive guess"]),
      (.unknown, []), (nil, []),
    ] as [(MeteredState?, [String])])
  func `NetworkManager's value is explicit, or a guess if it is marked so`(state: MeteredState?, expected: [String]) {
    var candidate = Self.candidate(.wiredEthernet)
    candidate.network.metered = state
    #expect(Self.evidence(candidate) == expected)
  }

  @Test func `the administrator's rules have the confidence of the user`() {
    var candidate = Self.candidate(.cellular)
    candidate.ruling.isExpensive = .init(false, origin: "/etc/phone.conf:5")
    candidate.ruling.isConstrained = .init(true, origin: "/etc/phone.conf:6")
    #expect(
      Self.evidence(candidate) == [
        "configuration notExpensive user", "configuration constrained user", "interfaceType expensive certain",
      ])
    #expect(candidate.evidence[0].text == "Expensive=no for x0 in /etc/phone.conf:5")
    #expect(!CostRules.combine(candidate.evidence).isExpensive)
  }

  @Test func `the texts name the interface`() {
    var candidate = Self.candidate(.cellular, "172.20.10.2/28", via: "172.20.10.1", "192.168.42.129")
    candidate.device = DeviceFacts(driver: "rndis_host", phoneFunction: .debugging)
    candidate.network = NetworkFacts(
      leases: [LeaseFacts(address: .literal("172.20.10.2"), isMetered: true)], metered: .yes)
    candidate.ruling.isExpensive = .init(true, origin: "x.conf:1")
    #expect(candidate.evidence.count == 7, "\(candidate.evidence)")
    for piece in candidate.evidence {
      #expect(piece.text.contains("x0"))
      #expect(!piece.text.hasSuffix("."))
    }
  }
}
