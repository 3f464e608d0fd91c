import PathModel
import Testing

@Suite("Paths and their causes in words")
struct NetworkPathDescriptionTests {
  @Test(arguments: [
    (UnsatisfiedReason.noInterface, Diagnosis.Code.noInterface), (.noCarrier, .noCarrier),
    (.dormant, .waitsForAuthentication), (.noAddress, .noAddress), (.noRoute, .noDefaultRoute),
    (.linkDownRoute, .linkDownRoute), (.prohibited, .refusedByRoute), (.sinkInterface, .sinkInterface),
    (.overridden, .overridden), (.requirementNotMet, .init(rawValue: "requirementNotMet")),
    (.init(rawValue: "solarStorm"), .init(rawValue: "solarStorm")),
  ])
  func `each reason is a cause with its words`(reason: UnsatisfiedReason, code: Diagnosis.Code) {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    #expect(path.diagnosis == Diagnosis(code: code, sentence: reason.words))
    #expect((reason.words == reason.rawValue) == !UnsatisfiedReason.all.contains(reason))
    #expect("\(reason)" == reason.words && reason.words.last?.isLetter == true)
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
    let doubtful = NetworkPath.wired.with {
      $0.diagnosis = Diagnosis(code: .noNameServer, sentence: "connected over eth0, but no name server")
    }
    #expect(doubtful.doubtInWords == "connected over eth0, but no name server")
    let refused = try PathRequirement("wifi").applied(to: doubtful)
    #expect(refused.diagnosis?.code == .init(rawValue: "requirementNotMet"))
    #expect(refused.description.hasPrefix("offline: there is a path, but not of the kind asked for"))
  }

  @Test func `a satisfied path is described, and an unknown one has no cause`() {
    let sentence = "connected over eth0 (wired Ethernet) via 192.0.2.1"
    #expect(NetworkPath.wired.diagnosis == Diagnosis(code: .connected, subject: "eth0", sentence: sentence))
    #expect(NetworkPath.unknown.diagnosis == nil)
  }

  @Test func `a satisfied path names interface, type and router`() {
    #expect(NetworkPath.wired.description == "connected over eth0 (wired Ethernet) via 192.0.2.1")
    #expect(NetworkPath.wired.with { $0.gateways = [] }.description == "connected over eth0 (wired Ethernet)")
    #expect(NetworkPath.wired.with { $0.isExpensive = true }.description.hasSuffix(", metered"))
    #expect(NetworkPath.wired.with { $0.isConstrained = true }.description.hasSuffix("via 192.0.2.1, constrained"))
    #expect(
      NetworkPath.wired.with { ($0.isExpensive, $0.isConstrained) = (true, true) }.description.hasSuffix(
        ", metered, constrained"))
    #expect(NetworkPath.wired.with { $0.interfaces = [] }.description == "connected")
  }

  @Test func `a tunnel is called one, and only the interface that carries the traffic is`() {
    let path = NetworkPath.wired.with {
      $0.interfaces[0].type = .other
      $0.usesTunnel = true
    }
    #expect(path.description == "connected over eth0 (tunnel)", "a router would say nothing")
    #expect(path.kindInWords(of: NetworkInterface(name: "wlan0", index: 3, type: .wifi)) == "Wi-Fi")
  }

  @Test func `an unsatisfied path gives its reason in words, whatever its interfaces are`() {
    let path = NetworkPath.wired.asUnsatisfied.with { $0.unsatisfiedReason = .noAddress }
    #expect(path.description == "offline: no address that reaches beyond the link")
  }

  @Test func `a path that is not as required says what it is`() throws {
    let words = "offline: there is a path, but not of the kind asked for: over eth0 (wired Ethernet)"
    let metered = NetworkPath.wired.with {
      $0.isExpensive = true
      $0.interfaces[0].isExpensive = true
    }
    #expect(try PathRequirement("unmetered").applied(to: metered).description == words + ", metered")
    #expect(try PathRequirement("wifi").applied(to: NetworkPath.wired).description == words)
    let nothing = NetworkPath.wired.with { $0.interfaces = [] }
    #expect(
      try PathRequirement("wifi").applied(to: nothing).description
        == "offline: there is a path, but not of the kind asked for")
  }

  @Test func `an unknown path is not called offline`() {
    #expect(NetworkPath.unknown.description == "not known yet")
    let stale = NetworkPath.wired.with { $0.knowledge = .stale }
    #expect(stale.description == "not known now; before: connected over eth0 (wired Ethernet) via 192.0.2.1")
    #expect(NetworkPath.wired.with { $0.status = .requiresConnection }.description == "not connected yet")
  }
}
