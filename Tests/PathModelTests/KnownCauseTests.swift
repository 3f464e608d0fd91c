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

  @Test func `a satisfied path is described, and an unknown one has no cause`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "eth0", index: 10, type: .wiredEthernet)]
    #expect(
      path.diagnosis
        == Diagnosis(code: .connected, subject: "eth0", sentence: "connected over eth0 (wired Ethernet)"))
    #expect(NetworkPath.unknown.diagnosis == nil)
  }
}
