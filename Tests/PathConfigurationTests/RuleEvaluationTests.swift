import PathConfiguration
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Rules in the path")
struct RuleEvaluationTests {
  /// `eth0` (10) carries the traffic, `eth1` (11) would be next, and `wwan0` (20) last.
  private static func kernel(_ rules: [String]) throws -> FakeKernel {
    var kernel = FakeKernel.two
    kernel.install(.up(20, "wwan0", kind: "wwan"), "10.64.0.2/30")
    kernel.addRoute(RouteSpec("default", .via(nil, "wwan0"), metric: 700))
    let files = try rules.enumerated().compactMap { try ConfigurationFile(parsing: $1, path: "\($0).conf").rule }
    kernel.judgements = JudgementMemory(InterfaceRules(files))
    return kernel
  }

  private static func path(_ rules: String...) throws -> NetworkPath {
    var kernel = try kernel(rules)
    return try kernel.evaluate().path
  }

  @Test func `a rule makes an interface expensive, or free, whatever was detected`() throws {
    let expensive = try Self.path("[Match]\nName=eth0\n[Path]\nExpensive=yes\nConstrained=yes")
    #expect(expensive.isExpensive)
    #expect(expensive.isConstrained)
    #expect(expensive.cost?.confidence == .user)
    #expect(expensive.cost?.evidence.map(\.source) == [.configuration, .configuration])
    let free = try Self.path("[Match]\nType=cellular\n[Path]\nExpensive=no")
    #expect(free.interfaces.map(\.isExpensive) == [false, false, false])
  }

  @Test func `the type in a rule applies, with its cost; rules match the detected type`() throws {
    let path = try Self.path(
      "[Match]\nName=eth0\n[Path]\nType=cellular", "[Match]\nType=cellular\n[Path]\nConstrained=yes")
    #expect(path.interfaceType == .cellular)
    #expect(path.isExpensive)
    #expect(!path.isConstrained, "eth0 was found to be an Ethernet")
    #expect(path.interfaces.map(\.isConstrained) == [false, false, true])
  }

  @Test func `a link upon another has the type that a rule gives the lower one`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(5, "vlan7", kind: "vlan", parent: 2), "192.0.2.2/24")
    kernel.install(.up(2, "eth0"))
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "vlan7")))
    let rule = try ConfigurationFile(parsing: "[Match]\nName=eth0\n[Path]\nType=cellular", path: "x.conf").rule
    kernel.judgements = JudgementMemory(InterfaceRules([rule].compactMap(\.self)))
    let path = try kernel.evaluate().path
    #expect(path.interfaceType == .cellular)
    #expect(path.isExpensive)
  }

  @Test func `an ignored interface is no path for any user, and no other takes its place`() throws {
    let backup = try Self.path("[Match]\nName=eth1\n[Path]\nIgnore=yes")
    #expect(backup.status == .satisfied)
    #expect(backup.interfaces.map(\.name) == ["eth0", "wwan0"])
    let primary = try Self.path("[Match]\nName=eth0\n[Path]\nIgnore=yes")
    #expect(primary.status == .unsatisfied)
    #expect(primary.unsatisfiedReason == .overridden)
    #expect(primary.interfaces.map(\.name) == ["eth1", "wwan0"])
    #expect(try Self.path("[Match]\nName=eth1\n[Path]\nIgnore=no").interfaces.count == 3)
  }

  @Test func `a preference orders the interfaces that the kernel leaves unordered`() throws {
    let path = try Self.path(
      "[Match]\nName=wwan0\n[Path]\nPreference=5", "[Match]\nName=eth0\n[Path]\nPreference=-5")
    #expect(path.interfaces.map(\.name) == ["eth0", "wwan0", "eth1"])
    #expect(path.interfaceType == .wiredEthernet)
    #expect(path.gateways.count == 2)
  }

  @Test func `rules see the routers and the wireless network`() throws {
    var kernel = try Self.kernel([
      "[Match]\nGateway=192.0.2.1\n[Path]\nExpensive=yes", "[Match]\nSSID=Hotel\n[Path]\nConstrained=yes",
    ])
    #expect(try kernel.evaluate().path.isExpensive)
    #expect(try !kernel.evaluate().path.isConstrained)
    kernel.networkFacts.networkNames[10] = NetworkName(Array("Hotel".utf8))
    #expect(try kernel.evaluate().path.isConstrained)
  }

  @Test func `a file that is not used leaves the cost undetermined, unless another rule or a price is known`() throws {
    var kernel = FakeKernel.two
    func path(_ rule: String? = nil) throws -> NetworkPath {
      let rules = try [rule].compactMap(\.self).compactMap { try ConfigurationFile(parsing: $0, path: "x.conf").rule }
      kernel.judgements = JudgementMemory(InterfaceRules(rules, unusedFile: "bad.conf, line 4: no such key"))
      return try kernel.evaluate().path
    }
    let unmetered = try PathRequirement("unmetered")
    let doubtful = try path()
    #expect(doubtful.isExpenseUndetermined)
    #expect(unmetered.verdict(on: doubtful) == .unknown)
    #expect(
      doubtful.cost?.evidence.map(\.text)
        == ["eth0 may be metered by a rule that is not used: bad.conf, line 4: no such key"])
    // The rule would have been stronger than the settings of the network.
    kernel.networkFacts.meteredByName["eth0"] = .no
    #expect(unmetered.verdict(on: try path()) == .unknown)
    #expect(unmetered.verdict(on: try path("[Match]\nName=eth0\n[Path]\nExpensive=no")) == .met)
    #expect(unmetered.verdict(on: try path("[Match]\nName=eth0\n[Path]\nExpensive=yes")) == .notMet)
    kernel.networkFacts.meteredByName["eth0"] = .guessYes
    #expect(unmetered.verdict(on: try path()) == .notMet)
  }

  private static func explain(_ kernel: FakeKernel) throws -> [String] {
    var kernel = kernel
    let evaluation = try kernel.evaluate()
    return PathExplanation.steps(
      evaluation, path: evaluation.path, causes: [], state: kernel.state, resolver: kernel.resolver, notes: [])
  }

  @Test func `the explanation names the file and the line, and has no empty ruling`() throws {
    let steps = try Self.explain(Self.kernel(["[Match]\nName=eth*\n[Path]\nExpensive=yes\nPreference=3"]))
    #expect(
      steps.contains {
        $0.hasPrefix("link eth0 ") && $0.hasSuffix("; Expensive=yes in 0.conf:4, Preference=3 in 0.conf:5")
      })
    #expect(steps.contains("cost of the path: metered (user), unconstrained"))
    #expect(steps.contains("  * user  expensive  configuration  Expensive=yes for eth0 in 0.conf:4"))
    #expect(steps.contains("cost of wwan0: metered (certain), unconstrained"))
    var kernel = FakeKernel.two
    kernel.judgements = JudgementMemory(InterfaceRules(unusedFile: "bad.conf, line 4: no such key"))
    #expect(try !Self.explain(kernel).contains { $0.hasPrefix("link ") && $0.hasSuffix("; ") })
  }

  @Test func `the facts of NetworkManager and leases belong to an interface`() throws {
    var kernel = FakeKernel.two
    kernel.networkFacts.meteredByName["eth0"] = .guessNo
    #expect(try kernel.evaluate().path.cost?.confidence == .guess)
    kernel.networkFacts.leasesByIndex[10] = [LeaseFacts(address: .literal("192.0.2.2"), isMetered: true)]
    var path = try kernel.evaluate().path
    #expect(path.isExpensive)
    #expect(path.cost?.evidence.map(\.source) == [.lease, .networkManager])
    kernel.networkFacts.leasesByIndex = [11: kernel.networkFacts.leasesByIndex[10]!]
    path = try kernel.evaluate().path
    #expect(!path.isExpensive, "eth1 does not have that address")
    kernel.networkFacts.leasesByName["eth0"] = [LeaseFacts(address: .literal("192.0.2.2"), isMetered: true)]
    #expect(try kernel.evaluate().path.isExpensive)
  }
}
