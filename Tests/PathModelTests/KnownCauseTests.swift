import PathModel
import Testing

@Suite("The cause that a path itself shows")
struct KnownCauseTests {
  @Test(arguments: [
    (UnsatisfiedReason.noInterface, Diagnosis.Code.noInterface), (.noCarrier, .noCarrier),
    (.dormant, .waitsForAuthentication), (.noAddress, .noAddress), (.noRoute, .noDefaultRoute),
    (.linkDownRoute, .linkDownRoute), (.prohibited, .refusedByRoute), (.sinkInterface, .sinkInterface),
    (.overridden, .overridden), (.init(rawValue: "solarStorm"), .init(rawValue: "solarStorm")),
  ])
  func `each reason is a cause with its words`(reason: UnsatisfiedReason, code: Diagnosis.Code) {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    #expect(path.diagnosis == Diagnosis(code: code, sentence: reason.words))
  }

  @Test("a reason reads as its words, which end without a mark", arguments: UnsatisfiedReason.all)
  func words(_ reason: UnsatisfiedReason) {
    #expect("\(reason)" == reason.words)
    #expect(reason.words.last?.isLetter == true)
  }

  @Test func `the cause that the source has named comes before the words for the reason`() {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    #expect(path.description == "offline: no carrier: the cable is not plugged in, or the access point out of reach")
    let cause = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
    path.diagnosis = cause
    #expect(path.diagnosis == cause)
    #expect(path.description == "offline: eth0 has no carrier")
    path.knowledge = .stale
    #expect(path.description == "not known now; before: offline: eth0 has no carrier")
  }

  @Test func `another code or subject of the cause is another path, and another sentence is not`() {
    func path(_ code: Diagnosis.Code, _ subject: String?, _ sentence: String) -> NetworkPath {
      var path = NetworkPath(status: .unsatisfied, knowledge: .known)
      path.unsatisfiedReason = .noCarrier
      path.diagnosis = Diagnosis(code: code, subject: subject, sentence: sentence)
      return path
    }
    let first = path(.noCarrier, "eth0", "eth0 has no carrier")
    #expect(path(.noCarrier, "eth0", "the cable is out") == first)
    for other in [path(.switchedOff, "eth0", "x"), path(.noCarrier, "eth1", "x"), path(.noCarrier, nil, "x")] {
      #expect(other.fieldsChanged(since: first) == ["diagnosis"])
    }
    var none = first
    none.diagnosis = nil
    #expect(none.fieldsChanged(since: first) == ["diagnosis"] && first.fieldsChanged(since: none) == ["diagnosis"])
  }

  @Test func `a path that a requirement takes away has no cause of the path before`() throws {
    var doubtful = NetworkPath(status: .satisfied, knowledge: .known)
    doubtful.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)]
    doubtful.diagnosis = Diagnosis(code: .noNameServer, sentence: "connected over eth0, but no name server")
    #expect(doubtful.doubtInWords == "connected over eth0, but no name server")
    let refused = try PathRequirement("wifi").applied(to: doubtful)
    #expect(refused.diagnosis?.code == .init(rawValue: "requirementNotMet"))
    #expect(refused.description.hasPrefix("offline: there is a path, but not of the kind asked for"))
  }

  @Test func `a satisfied path is described, and an unknown one has no cause`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "eth0", index: 10, type: .wiredEthernet)]
    #expect(
      path.diagnosis
        == Diagnosis(code: .connected, subject: "eth0", sentence: "connected over eth0 (wired Ethernet)"))
    #expect(NetworkPath.unknown.diagnosis == nil)
  }
}
