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
  private static let unplugged = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
  private static let data = " | connected=1;;;0;1 metered=0;;;0;1 ipv4=1;;;0;1 ipv6=0;;;0;1 dns=1;;;0;1"
  private static let noData = " | connected=0;;;0;1 metered=0;;;0;1 ipv4=0;;;0;1 ipv6=0;;;0;1 dns=0;;;0;1"

  @Test(
    arguments: [
      (.connected, path, nil, .ok, "PATH OK - connected over eth0 (wired Ethernet)" + data),
      // A doubt is a warning, and connected is none.
      (.connected, path, Diagnosis(code: .connected, sentence: "connected"), .ok, nil),
      (
        .connected, path, Diagnosis(code: .routerSilent, sentence: "connected, but the router does not answer"),
        .warning, "PATH WARNING - connected, but the router does not answer" + data
      ),
      (.connected, offline, unplugged, .critical, "PATH CRITICAL - offline: eth0 has no carrier" + noData),
      (.wifi, path, nil, .critical, "PATH CRITICAL - not 'wifi': connected over eth0 (wired Ethernet)" + data),
      (.offline, offline, unplugged, .ok, nil),
      (.connected, path.with { $0.validation.state = .validated }, nil, .ok, nil),
      (.connected, path.with { $0.knowledge = .stale }, nil, .unknown, nil),
      // What is not known has no performance data.
      (.connected, .unknown, nil, .unknown, "PATH UNKNOWN - not known yet"),
    ] as [(PathRequirement, NetworkPath, Diagnosis?, MonitoringLine.State, String?)])
  func `the state is that of the requirement, and the line has the culprit and performance data`(
    requirement: PathRequirement, path: NetworkPath, cause: Diagnosis?, state: MonitoringLine.State, text: String?
  ) {
    let line = MonitoringLine(requirement, on: path, causes: [cause].compactMap(\.self))
    #expect(line.state == state)
    if let text { #expect(line.text == text) }
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

  @Test func `a service that is not there is unknown`() {
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
