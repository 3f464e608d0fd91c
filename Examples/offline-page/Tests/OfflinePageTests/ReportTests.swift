import ConnectivityCore
import Testing

@testable import offline_page

@Suite("Report")
struct ReportTests {
  @Test func `each phase has its word, and its reason if it is not well`() {
    let offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    #expect(Report(.checking, .unknown).phase == "checking")
    #expect(Report(.online, offline).phase == "online")
    #expect(Report(.online, offline).reason == "")
    #expect(Report(.offline(.noRoute), offline).phase == "offline")
    #expect(Report(.degraded(.noNameServer), offline).reason == "Names of servers cannot be looked up.")
    #expect(Report(.degraded(.notKnown), offline).phase == "degraded")
  }

  @Test func `every reason is a sentence, also one that is not known yet`() {
    let reasons: [UnsatisfiedReason] = [
      .noInterface, .noCarrier, .dormant, .noAddress, .noRoute, .linkDownRoute, .prohibited, .sinkInterface,
      .requirementNotMet, .overridden, UnsatisfiedReason(rawValue: "tomorrow's"),
    ]
    for reason in reasons {
      let sentence = Report(.offline(reason), .unknown).reason
      #expect(sentence.first?.isUppercase == true)
      #expect(sentence.hasSuffix(".") && !sentence.contains("--"))
    }
  }

  @Test func `an offline report has the diagnosis, and others have none`() {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    let report = Report(.offline(.noCarrier), path)
    #expect(report.diagnosis?.code == "noCarrier")
    #expect(report.diagnosis?.sentence == "no carrier: the cable is not plugged in, or the access point out of reach")
    #expect(report.json.contains(#""diagnosis":{"code":"noCarrier""#))
    #expect(Report(.checking, .unknown).diagnosis == nil)
    #expect(Report(.online, NetworkPath(status: .satisfied, knowledge: .known)).diagnosis == nil)
  }

  @Test func `a report is one line, whatever the names in it`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: "a\n\ndata: \"</script>", index: 1, type: .wifi,
        addresses: ["192.0.2.1/24"].compactMap { NetworkInterface.Address($0) })
    ]
    let json = Report(.online, path).json
    #expect(!json.contains("\n"))
    #expect(json.contains(#""name":"a\n\ndata: \"</script>""#))
    #expect(json.contains(#""addresses":["192.0.2.1/24"]"#))
  }
}
