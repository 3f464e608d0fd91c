import PathModel
import PathTestSupport
import Testing

@Suite("Equality of paths")
struct NetworkPathEqualityTests {
  private static let path = NetworkPath.unknown
  /// The fields that do not change by themselves: the scopes are parts of the gateways, the others are the place in a
  /// stream.
  private static let notCompared = ["gatewayScopes", "sequence", "boottimeMicroseconds", "changed"]
  static let compared = NetworkPath.fields.map(\.key).filter { !notCompared.contains($0) }

  @Test(arguments: compared)
  func `a change of any one property is a change of the path, and is named`(key: String) {
    var other = Self.path
    other.fill(key)
    #expect(other != Self.path)
    #expect(other.fieldsChanged(since: Self.path) == [key])
    #expect(Self.path.fieldsChanged(since: other) == [key])
  }

  @Test func `another router is a change of the gateways, and another scope also of the scopes`() {
    func path(_ gateway: String) -> NetworkPath {
      var path = Self.path
      path.gateways = [gateway].compactMap { IPAddress($0) }
      return path
    }
    #expect(path("fe80::2%eth0").fieldsChanged(since: path("fe80::1%eth0")) == ["gateways"])
    #expect(path("192.0.2.1").fieldsChanged(since: path("192.0.2.2")) == ["gateways"])
    let moved = ["gateways", "gatewayScopes"]
    #expect(path("fe80::1%eth1").fieldsChanged(since: path("fe80::1%eth0")) == moved)
    #expect(path("192.0.2.1").fieldsChanged(since: path("fe80::1%eth0")) == moved)
  }

  @Test func `an update names the fields that have changed since the one before, the first one none`() {
    var other = NetworkPath.full
    other.noteChanges(since: Self.path)
    #expect(other.changed == other.fieldsChanged(since: Self.path))
    other.changed.append("knowledge")
    let all = NetworkPath.fields.map(\.key).prefix { $0 != "sequence" }
    #expect(other.changed == all + ["knowledge"])
    other.noteChanges(since: nil)
    #expect(other.changed.isEmpty)
  }

  @Test func `number, time and list of changes of an update do not make a path another one`() {
    var other = Self.path
    (other.sequence, other.boottimeMicroseconds, other.changed) = (7, 8, ["status"])
    #expect(other == Self.path)
    #expect(other.fieldsChanged(since: Self.path).isEmpty)
    #expect(Set([other, Self.path]).count == 1)
  }

  @Test func `times and wording of evidence and of a validation are no change of the path, what they say is`() {
    func path(
      _ text: String, when: Int, _ verdict: PathValidation.State = .unanswered, cost: Evidence.Verdict = .expensive,
      source: Evidence.Source = .lease, confidence: Evidence.Confidence = .guess
    ) -> NetworkPath {
      var path = Self.path
      path.validation = PathValidation(
        state: .unanswered, since: when,
        evidence: [.init(source: .router, verdict: verdict, family: .ipv4, when: when, text: text)])
      path.cost = Cost(
        isExpensive: true, isConstrained: false, confidence: .guess,
        evidence: [Evidence(source: source, verdict: cost, confidence: confidence, text: text)])
      return path
    }
    let one = path("one", when: 1)
    #expect(path("two", when: 2) == one && path("two", when: 2).fieldsChanged(since: one).isEmpty)
    #expect(path("one", when: 1, .unknown).fieldsChanged(since: one) == ["validation"])
    for other in [
      path("one", when: 1, cost: .constrained), path("one", when: 1, source: .driver),
      path("one", when: 1, confidence: .likely),
    ] { #expect(other.fieldsChanged(since: one) == ["cost"]) }
  }

  @Test(arguments: NetworkInterface.fields.map { ($0.key, $0.type) })
  func `a change of any one property of an interface is a change of the path`(key: String, type: String) throws {
    var json = try #require(try JSONValue(written: { NetworkInterface.blank.write(to: &$0) }).objectValue)
    var (path, other) = (Self.path, Self.path)
    path.interfaces = [.blank]
    json[key] = try JSONValue(parsing: Array(ExampleJSON.value(key, type).utf8))
    other.interfaces = [try NetworkInterface(json: .object(json))]
    #expect(other.fieldsChanged(since: path) == ["interfaces"])
  }

  private static let online = NetworkPath(status: .satisfied, knowledge: .known)

  static let losses: [@Sendable (inout NetworkPath) -> Void] = [
    { $0.status = .unsatisfied }, { $0.status = .requiresConnection }, { $0.supportsIPv4 = false },
    { $0.supportsIPv6 = false }, { $0.supportsDNS = false },
    { $0.validation.state = .unanswered }, { $0.validation.state = .portal }, { $0.validation.state = .partial },
  ]

  @Test(arguments: losses.indices)
  func `the connection, a family, names or answers that go are a loss, and their return a gain`(index: Int) {
    var full = Self.online
    (full.supportsIPv4, full.supportsIPv6, full.supportsDNS) = (true, true, true)
    var less = full
    Self.losses[index](&less)
    #expect(full.isLoss(comparedTo: less) && !less.isLoss(comparedTo: full) && !full.isLoss(comparedTo: full))
  }

  @Test func `one family in place of the other is a loss, another reason or another price is none`() {
    var (four, six, offline, expensive) = (Self.online, Self.online, Self.online, Self.online)
    (four.supportsIPv4, six.supportsIPv6, expensive.isExpensive) = (true, true, true)
    #expect(four.isLoss(comparedTo: six) && six.isLoss(comparedTo: four))
    #expect(!Self.online.isLoss(comparedTo: expensive))
    (offline.status, offline.unsatisfiedReason) = (.unsatisfied, .noCarrier)
    var other = offline
    other.unsatisfiedReason = .noRoute
    #expect(!offline.isLoss(comparedTo: other))
  }
}
