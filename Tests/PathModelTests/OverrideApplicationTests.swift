import PathModel
import Testing

@Suite("Paths with overrides")
struct OverrideApplicationTests {
  private static let ethernet = NetworkPath.wired.interfaces[0]
  private static let modem = NetworkInterface(
    name: "wwan0", index: 3, type: .cellular, isExpensive: true,
    addresses: ["198.51.100.2/24"].compactMap { NetworkInterface.Address($0) })
  private static let tunnel = NetworkInterface(name: "wg0", index: 4, type: .other, underlying: ["eth0"])
  private static let bond = NetworkInterface(
    name: "bond0", index: 5, type: .wiredEthernet, isExpensive: true, underlying: ["eth0", "eth1"])

  private static func path(_ interfaces: NetworkInterface...) -> NetworkPath {
    .wired.with {
      $0.interfaces = interfaces
      $0.interfaceType = interfaces.first?.type
      $0.isExpensive = interfaces.first?.isExpensive ?? false
      $0.cost = Cost(
        isExpensive: $0.isExpensive, isConstrained: false, confidence: .guess,
        evidence: [Evidence(source: .init(rawValue: "x"), verdict: .expensive, confidence: .guess, text: "")])
    }
  }

  /// A table of overrides given as `FIELD=VALUE` or `FIELD=VALUE@INTERFACE`.
  private static func table(_ texts: String...) throws -> OverrideTable { try table(texts) }

  private static func table(_ texts: [String]) throws -> OverrideTable {
    var table = OverrideTable()
    for text in texts {
      let parts = text.split { "=@".contains($0) }.map(String.init)
      try table.set(
        PathOverride(
          field: PathOverride.Field(name: parts[0]), value: parts[1], interface: parts.count > 2 ? parts[2] : nil,
          user: 0, setAt: 0))
    }
    return table
  }

  @Test func `without overrides, and before anything is known, the path is unchanged`() throws {
    let path = Self.path(Self.ethernet, Self.modem)
    #expect(OverrideTable().applied(to: path) == path)
    #expect(try Self.table("status=unsatisfied", "isExpensive=true").applied(to: .unknown) == .unknown)
  }

  @Test func `an override of all interfaces applies to the path and each of them`() throws {
    let result = try Self.table("isExpensive=false", "isConstrained=true").applied(to: Self.path(Self.modem, Self.bond))
    #expect(!result.isExpensive && result.isConstrained)
    #expect(result.interfaces.allSatisfy { !$0.isExpensive && $0.isConstrained })
    #expect(result.overrides == ["unmetered, set by root", "constrained, set by root"])
    let cost = try #require(result.cost)
    #expect(!cost.isExpensive && cost.isConstrained)
    #expect(cost.confidence == .user)
    #expect(cost.evidence.map(\.source) == [.override, .override, .init(rawValue: "x")])
    #expect(cost.evidence.map(\.verdict) == [.notExpensive, .constrained, .expensive])
    #expect(cost.evidence.first?.text == "unmetered, set by root")
    #expect(cost.evidence.first?.confidence == .user)
  }

  /// The overrides of a path over `eth0` beside the modem, and which interfaces are expensive then.
  @Test(
    arguments: [
      // One of an interface takes precedence over one of all.
      (
        ["isExpensive=true", "isExpensive=false@eth0"], [false, true],
        ["metered, set by root", "unmetered on eth0, set by root"]
      ),
      // An interface that does not carry the traffic changes nothing but itself.
      (
        ["isExpensive=false@wwan0", "isExpensive=true@eth9"], [false, false], ["unmetered on wwan0, set by root"]
      ),
    ] as [([String], [Bool], [String])])
  func `an override of an interface is one of that alone, and of the path if it carries the traffic`(
    texts: [String], areExpensive: [Bool], words: [String]
  ) throws {
    let path = Self.path(Self.ethernet, Self.modem)
    for path in [path, path.with { $0.knowledge = .stale }] {
      let result = try Self.table(texts).applied(to: path)
      #expect(result.interfaces.map(\.isExpensive) == areExpensive)
      #expect(result.isExpensive == areExpensive[0])
      #expect((result.cost == path.cost) == !texts.contains { $0.hasSuffix("@eth0") })
      #expect(result.overrides == words)
    }
  }

  @Test(
    arguments: [
      (["isExpensive=true@eth0"], true), (["isExpensive=false@eth0"], nil), (["isExpensive=false@eth1"], nil),
      (["isExpensive=false@eth0", "isExpensive=false@eth1"], false),
      (["isExpensive=false@eth0", "isExpensive=true@eth1"], true),
      (["isExpensive=false", "isExpensive=true@eth1"], true),
      (["isExpensive=false@bond0", "isExpensive=true@eth1"], false),
    ] as [([String], Bool?)])
  func `one interface below is enough to cost something, but all of them are needed for the opposite`(
    texts: [String], isExpensive: Bool?
  ) throws {
    let path = Self.path(Self.bond)
    let result = try Self.table(texts).applied(to: path)
    #expect(result.isExpensive == isExpensive ?? path.isExpensive)
    #expect(result.interfaces[0].isExpensive == isExpensive ?? path.isExpensive)
    #expect((result.cost == path.cost) == (isExpensive == nil))
    #expect(result.overrides.count == texts.count)
  }

  @Test func `an unsatisfied path has no cost, but its interfaces may have`() throws {
    let result = try Self.table("isExpensive=true").applied(to: Self.path(Self.ethernet).asUnsatisfied)
    #expect(!result.isExpensive && result.cost == nil)
    #expect(result.interfaces[0].isExpensive)
    #expect(result.overrides.count == 1)
  }

  @Test func `an administrator can take the path away`() throws {
    let result = try Self.table("status=unsatisfied").applied(to: Self.path(Self.ethernet, Self.modem))
    var expected = NetworkPath(status: .unsatisfied, knowledge: .known)
    expected.unsatisfiedReason = .overridden
    expected.overrides = ["offline, set by root"]
    #expect(result == expected)
  }

  @Test func `without the interface that carries the traffic there is no path, though others are usable`() throws {
    let result = try Self.table("status=unsatisfied@wwan0").applied(to: Self.path(Self.modem, Self.ethernet))
    #expect(result.status == .unsatisfied)
    #expect(result.unsatisfiedReason == .overridden)
    #expect(result.interfaces.map(\.name) == ["eth0"])
    #expect(result.interfaceType == nil && result.cost == nil && !result.supportsIPv4 && !result.supportsDNS)
    #expect(result.overrides == ["offline on wwan0, set by root"])
    #expect(try PathRequirement("via=eth0").verdict(on: result) == .met)
    #expect(try PathRequirement("via=wwan0").verdict(on: result) == .notMet)
  }

  @Test func `any other interface is only removed`() throws {
    let path = Self.path(Self.ethernet, Self.modem)
    let result = try Self.table("status=unsatisfied@wwan0").applied(to: path)
    #expect(result.with { $0.overrides = [] } == path.with { $0.interfaces = [Self.ethernet] })
    let offline = try Self.table("status=unsatisfied@eth0").applied(to: path.asUnsatisfied)
    #expect(offline.unsatisfiedReason == .noRoute)
    #expect(offline.interfaces.map(\.name) == ["wwan0"])
  }

  @Test func `a tunnel goes with the interface below it, a bond stays while a port does`() throws {
    let path = Self.path(Self.bond, Self.tunnel)
    let result = try Self.table("status=unsatisfied@eth0").applied(to: path)
    #expect(result.status == .satisfied)
    #expect(result.interfaces.map(\.name) == ["bond0"])
    #expect(
      try Self.table("status=unsatisfied@eth0").applied(to: Self.path(Self.tunnel)).unsatisfiedReason == .overridden)
  }
}
