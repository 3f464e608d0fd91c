import PathModel
import Testing

@Suite("Equality of paths")
struct NetworkPathEqualityTests {
  /// One change for each property that is compared.
  static let changes: [(name: String, change: @Sendable (inout NetworkPath) -> Void)] = [
    ("status", { $0.status = .unsatisfied }), ("knowledge", { $0.knowledge = .stale }),
    ("unsatisfiedReason", { $0.unsatisfiedReason = .noRoute }),
    ("interfaces", { $0.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)] }),
    ("interfaceType", { $0.interfaceType = .wifi }), ("usesTunnel", { $0.usesTunnel = true }),
    ("isExpensive", { $0.isExpensive = true }), ("isConstrained", { $0.isConstrained = true }),
    ("cost", { $0.cost = Cost(isExpensive: true, isConstrained: false, confidence: .guess, evidence: []) }),
    ("supportsIPv4", { $0.supportsIPv4 = true }), ("supportsIPv6", { $0.supportsIPv6 = true }),
    ("supportsDNS", { $0.supportsDNS = true }), ("gateways", { $0.gateways = [IPAddress(ipv4: 1)] }),
    ("overrides", { $0.overrides = ["expensive on eth0"] }),
  ]

  private static let path = NetworkPath(status: .satisfied, knowledge: .known)

  @Test(arguments: changes.indices)
  func `a change of any one property is a change of the path, and is named`(index: Int) {
    var other = Self.path
    Self.changes[index].change(&other)
    #expect(other != Self.path)
    #expect(other.fieldsChanged(since: Self.path) == [Self.changes[index].name])
    #expect(Self.path.fieldsChanged(since: other) == [Self.changes[index].name])
  }

  @Test(arguments: changes.indices)
  func `a change of a copy leaves the original as it is`(index: Int) {
    let original = Self.path
    var copy = original
    #expect(copy.isCopy(of: original))
    Self.changes[index].change(&copy)
    #expect(original == NetworkPath(status: .satisfied, knowledge: .known))
    #expect(copy != original)
    #expect(!copy.isCopy(of: original))
  }

  @Test func `every stored property is compared but those that number and date an update`() {
    let properties = Mirror(reflecting: Self.path).children.compactMap(\.label)
    #expect(Set(properties) == Set(Self.changes.map(\.name) + ["sequence", "boottimeMicroseconds", "changed"]))
    #expect(properties.count == Set(properties).count)
  }

  @Test func `the names of all changes come in the order of the properties`() {
    var other = Self.path
    for (_, change) in Self.changes { change(&other) }
    #expect(other.fieldsChanged(since: Self.path) == Self.changes.map(\.name))
  }

  @Test func `number, time and list of changes of an update do not make a path another one`() {
    var other = Self.path
    (other.sequence, other.boottimeMicroseconds, other.changed) = (7, 8, ["status"])
    #expect(other == Self.path)
    #expect(other.fieldsChanged(since: Self.path).isEmpty)
    #expect(Set([other, Self.path]).count == 1)
  }

  @Test func `the wording of evidence is not a change of the path`() {
    func path(_ text: String, confidence: Evidence.Confidence = .guess) -> NetworkPath {
      var path = Self.path
      path.cost = Cost(
        isExpensive: true, isConstrained: false, confidence: .guess,
        evidence: [Evidence(source: .init(rawValue: "x"), verdict: .expensive, confidence: confidence, text: text)])
      return path
    }
    #expect(path("one") == path("two"))
    #expect(path("one").fieldsChanged(since: path("two")).isEmpty)
    #expect(path("one") != path("one", confidence: .likely))
  }

  /// Every property of an interface is a property of the path.
  @Test func `a change of any one property of an interface is a change of the path`() {
    let plain = NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)
    let changes: [(inout NetworkInterface) -> Void] = [
      { $0.name = "eth1" }, { $0.index = 3 }, { $0.type = .wifi }, { $0.isExpensive = true },
      { $0.isConstrained = true }, { $0.underlying = ["eth9"] }, { $0.underlyingTypes = [.wifi] }, { $0.mtu = 1400 },
      { $0.hardwareAddress = "02:00" },
      { $0.addresses = ["192.0.2.2/24"].compactMap { NetworkInterface.Address($0) } }, { $0.driver = "e1000e" },
    ]
    #expect(changes.count == Mirror(reflecting: plain).children.count)
    var path = Self.path
    path.interfaces = [plain]
    for change in changes {
      var other = path
      change(&other.interfaces[0])
      #expect(other != path)
    }
  }

  @Test func `an unknown path is not called offline`() {
    #expect(NetworkPath.unknown.status == .requiresConnection)
    #expect(NetworkPath.unknown.knowledge == .unknown)
    #expect(NetworkPath.unknown.unsatisfiedReason == nil)
  }

  // MARK: Losses

  static let losses: [@Sendable (inout NetworkPath) -> Void] = [
    { $0.status = .unsatisfied }, { $0.status = .requiresConnection }, { $0.supportsIPv4 = false },
    { $0.supportsIPv6 = false }, { $0.supportsDNS = false },
  ]

  @Test(arguments: losses.indices)
  func `the connection, a family or name resolution that goes is a loss, and its return a gain`(index: Int) {
    var full = Self.path
    (full.supportsIPv4, full.supportsIPv6, full.supportsDNS) = (true, true, true)
    var less = full
    Self.losses[index](&less)
    #expect(full.isLoss(comparedTo: less))
    #expect(!less.isLoss(comparedTo: full))
    #expect(!full.isLoss(comparedTo: full))
  }

  @Test func `losing one family while gaining the other is a loss`() {
    var (four, six) = (Self.path, Self.path)
    (four.supportsIPv4, six.supportsIPv6) = (true, true)
    #expect(four.isLoss(comparedTo: six))
    #expect(six.isLoss(comparedTo: four))
  }

  @Test func `another reason for being offline, or another price, is no loss`() {
    var offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    offline.unsatisfiedReason = .noCarrier
    var other = offline
    other.unsatisfiedReason = .noRoute
    #expect(!offline.isLoss(comparedTo: other))
    var expensive = Self.path
    expensive.isExpensive = true
    #expect(!Self.path.isLoss(comparedTo: expensive))
  }

  @Test func `only the interface that carries the traffic counts as used`() {
    var path = Self.path
    path.interfaces = [
      NetworkInterface(name: "wlan0", index: 2, type: .wifi),
      NetworkInterface(name: "eth0", index: 3, type: .wiredEthernet),
    ]
    #expect(path.usesInterfaceType(.wifi))
    #expect(!path.usesInterfaceType(.wiredEthernet))
    path.status = .unsatisfied
    #expect(!path.usesInterfaceType(.wifi))
    path = Self.path
    #expect(!path.usesInterfaceType(.wifi))
  }
}
