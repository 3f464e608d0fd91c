import PathControl
import PathModel
import PathTestSupport
import Testing

@Suite("The line for monitoring systems")
struct MonitoringLineTests {
  private static let path = NetworkPath(status: .satisfied, knowledge: .known).with { path in
    path.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)]
    path.interfaceType = .wiredEthernet
    (path.supportsIPv4, path.supportsDNS) = (true, true)
  }
  private static let offline = NetworkPath(status: .unsatisfied, knowledge: .known).with {
    $0.unsatisfiedReason = .noCarrier
  }
  private static let data = " | connected=1;;;0;1 metered=0;;;0;1 ipv4=1;;;0;1 ipv6=0;;;0;1 dns=1;;;0;1"
  private static let noData = " | connected=0;;;0;1 metered=0;;;0;1 ipv4=0;;;0;1 ipv6=0;;;0;1 dns=0;;;0;1"

  @Test func `a path as required is fine, with performance data`() {
    let line = MonitoringLine(.connected, on: Self.path, causes: [])
    #expect(line.state == .ok)
    #expect(line.text == "PATH OK - connected over eth0 (wired Ethernet)" + Self.data)
  }

  @Test func `a doubt is a warning, and connected is none`() {
    let connected = Diagnosis(code: .connected, sentence: "connected")
    #expect(MonitoringLine(.connected, on: Self.path, causes: [connected]).state == .ok)
    let silent = Diagnosis(code: .routerSilent, sentence: "connected over eth0, but the router does not answer")
    let line = MonitoringLine(.connected, on: Self.path, causes: [silent])
    #expect(line.state == .warning)
    #expect(line.text == "PATH WARNING - connected over eth0, but the router does not answer" + Self.data)
  }

  @Test(
    "a path over which the Internet does not answer as it should is a warning, with the reason",
    arguments: [
      (PathValidation.State.unanswered, "unanswered"), (.portal, "sign-in wanted"), (.partial, "answered in part"),
    ])
  func fault(state: PathValidation.State, words: String) throws {
    let path = Self.path.with { path in
      path.validation.state = state
      path.validation.evidence = [
        PathValidation.Observation(source: .host, verdict: .unknown, family: nil, when: 1, text: "nothing"),
        PathValidation.Observation(source: .host, verdict: state, family: nil, when: 1, text: "a.example: no answer"),
      ]
    }
    let line = MonitoringLine(.connected, on: path, causes: [])
    #expect(line.state == .warning)
    #expect(
      line.text
        == "PATH WARNING - connected over eth0 (wired Ethernet), \(words): a.example: no answer" + Self.data)
    let asked = MonitoringLine(try PathRequirement("portal"), on: path, causes: [])
    #expect(asked.state == (state == .portal ? .ok : .critical), "the requirement is about that")
  }

  @Test(arguments: [PathValidation.State.validated, .unknown])
  func `a path of which nothing bad is known is fine`(state: PathValidation.State) {
    let path = Self.path.with { $0.validation.state = state }
    #expect(MonitoringLine(.connected, on: path, causes: []).state == .ok)
  }

  @Test func `a path that is lost or not as required is critical, with the culprit`() {
    let cause = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
    let lost = MonitoringLine(.connected, on: Self.offline, causes: [cause])
    #expect(lost.state == .critical)
    #expect(lost.text == "PATH CRITICAL - offline: eth0 has no carrier" + Self.noData)
    let other = MonitoringLine(.wifi, on: Self.path, causes: [])
    #expect(other.state == .critical)
    #expect(other.text == "PATH CRITICAL - not 'wifi': connected over eth0 (wired Ethernet)" + Self.data)
    #expect(MonitoringLine(.offline, on: Self.offline, causes: [cause]).state == .ok)
  }

  @Test func `what is not known is unknown, without performance data`() {
    let stale = Self.path.with { $0.knowledge = .stale }
    #expect(MonitoringLine(.connected, on: stale, causes: []).state == .unknown)
    #expect(MonitoringLine(.connected, on: .unknown, causes: []).text == "PATH UNKNOWN - not known yet")
    #expect(MonitoringLine.unknown("no service").text == "PATH UNKNOWN - no service")
  }

  @Test func `no foreign text adds a line or performance data`() {
    let cause = Diagnosis(code: .noCarrier, sentence: "a|b\nc=1 | d=2")
    let text = MonitoringLine(.connected, on: Self.offline, causes: [cause]).text
    #expect(!text.contains("\n") && text.split(separator: "|").count == 2)
  }
}

extension NetworkPath {
  fileprivate func with(_ change: (inout NetworkPath) -> Void) -> NetworkPath {
    var path = self
    change(&path)
    return path
  }
}
