import History
import PathModel
import Testing

@Suite("Recorded paths")
struct RecordedPathTests {
  private static let path: NetworkPath = {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(name: "wlan0", index: 3, type: .wifi, networkName: "Hotel"),
      NetworkInterface(name: "wlan1", index: 4, type: .wifi, networkName: "Bar"),
    ]
    (path.sequence, path.boottimeMicroseconds, path.changed) = (7, 8, ["status"])
    return path
  }()

  @Test func `the network is that of the interface that carried the traffic`() {
    #expect(RecordedPath(Self.path).networkName == "Hotel")
    var offline = Self.path
    offline.status = .unsatisfied
    #expect(RecordedPath(offline).networkName == nil)
  }

  @Test func `where names of networks are not recorded, no interface has one`() {
    let recorded = RecordedPath(Self.path, keepsNetworkNames: false)
    #expect(recorded.networkName == nil)
    #expect(recorded.path.interfaces.map(\.networkName) == [nil, nil])
    #expect(recorded.path.interfaces.map(\.name) == ["wlan0", "wlan1"])
    #expect(recorded != RecordedPath(Self.path))
  }

  @Test func `the place in a stream is not recorded`() {
    let recorded = RecordedPath(Self.path).path
    #expect((recorded.sequence, recorded.boottimeMicroseconds) == (0, 0) && recorded.changed.isEmpty)
  }

  @Test func `of a validation the state alone is recorded, so that its times and addresses make no other path`() {
    func path(_ when: Int) -> NetworkPath {
      var path = Self.path
      path.validation = PathValidation(
        state: .portal, since: when, portal: "https://portal.example/",
        evidence: [.init(source: .networkManager, verdict: .portal, when: when, text: "a sign-in page")])
      return path
    }
    let validations = [1, 2].map { RecordedPath(path($0)).path.validation }
    for validation in validations {
      #expect(validation.state == .portal && validation.evidence.isEmpty)
      #expect(validation.since == nil && validation.portal == nil)
    }
  }
}
