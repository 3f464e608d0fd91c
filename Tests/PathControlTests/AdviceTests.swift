import PathControl
import PathModel
import Testing

@testable import Programs

@Suite("Advice about the causes of a path's state")
struct AdviceTests {
  private static let codes: [Diagnosis.Code] = [
    .overridden, .ignored, .noInterface, .switchedOff, .noCarrier, .bondWithoutPorts, .notAssociated,
    .waitsForAuthentication, .noAddress, .selfAssignedAddress, .duplicateAddress, .refusedByRule, .refusedByRoute,
    .noRuleForMainTable, .sinkInterface, .deadTunnel, .tunnelWithoutWay, .outsideTunnel,
    .linkDownRoute, .pointToPointDownRoute, .linkDownLeg,
    .deadTunnelLeg, .noDefaultRoute, .routeInVRF, .noRouteToAddress, .bridgeWithoutPorts, .addressOnPort, .routerSilent,
    .noNameServer, .nameServerUnreachable, .smallMTU, .familyWithoutRoute,
  ]

  private static func advice(_ code: Diagnosis.Code, _ subject: String? = "x0") -> String? {
    Diagnosis(code: code, subject: subject, sentence: "words").advice
  }

  @Test(arguments: codes)
  func `every cause has a next step, with and without a subject`(code: Diagnosis.Code) {
    #expect(Self.advice(code)?.isEmpty == false)
    #expect(Self.advice(code, nil)?.isEmpty == false)
  }

  @Test func `a satisfied path and an unknown cause need no step`() {
    #expect(Self.advice(.connected) == nil)
    #expect(Self.advice(Diagnosis.Code(rawValue: "solarStorm")) == nil)
  }

  @Test func `dead links are to be ignored unless they are tunnels, of whose routes the advice warns`() {
    for code in Self.codes {
      let ignores = Self.advice(code)?.contains("ignore_routes_with_linkdown") == true
      #expect(ignores == [.linkDownRoute, .linkDownLeg].contains(code), "\(code)")
    }
    for code in [Diagnosis.Code.deadTunnel, .sinkInterface, .pointToPointDownRoute, .deadTunnelLeg] {
      #expect(Self.advice(code)?.contains("leaves without") == true)
    }
  }

  @Test func `commands name the interface as one word of a shell`() {
    #expect(Self.advice(.switchedOff, "eth0") == "Switch it on: ip link set eth0 up")
    #expect(Self.advice(.switchedOff, "$(reboot)") == #"Switch it on: ip link set \$\(reboot\) up"#)
    #expect(Self.advice(.switchedOff, "a'b;c") == #"Switch it on: ip link set a\'b\;c up"#)
    #expect(Self.advice(.refusedByRoute, "table office")?.hasPrefix("'ip route show table office'") == true)
  }

  @Test func `the culprit stands in the headline, and doubts below it`() {
    let plain = Style(isColored: false)
    var offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    offline.unsatisfiedReason = .noCarrier
    let cable = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
    let names = Diagnosis(code: .noNameServer, sentence: "names cannot be looked up: /etc/resolv.conf names no server")
    let lines = PathPicture.lines(offline, plain, causes: [cable, names])
    #expect(lines[0] == "○ offline  eth0 has no carrier")
    #expect(lines[1].hasPrefix("  Check the cable"))
    #expect(lines[2] == "  also: names cannot be looked up: /etc/resolv.conf names no server")
    #expect(lines[3].hasPrefix("    Name a server"))
    var online = NetworkPath(status: .satisfied, knowledge: .known)
    online.interfaces = [NetworkInterface(name: "eth0", index: 10, type: .wiredEthernet)]
    let doubt = Diagnosis(code: .noNameServer, sentence: "connected over eth0, but \(names.sentence)")
    #expect(
      PathPicture.lines(online, plain, causes: [doubt])[..<2] == [
        "● connected  over eth0 (wired Ethernet)", "  but names cannot be looked up: /etc/resolv.conf names no server",
      ])
  }

  @Test func `the router of another interface is not that of the carrying one`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    func interface(_ name: String, _ index: Int, _ type: InterfaceType, _ address: String) -> NetworkInterface {
      NetworkInterface(
        name: name, index: index, type: type, addresses: [NetworkInterface.Address(address)].compactMap(\.self))
    }
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    path.interfaces = [
      interface("lo", 1, .loopback, "127.0.0.1/8"), interface("eth0", 10, .wiredEthernet, "192.0.2.2/24"),
    ]
    #expect(path.description == "connected over lo (loopback)")
    path.interfaces = [
      interface("eth1", 11, .wiredEthernet, "198.51.100.2/24"), interface("eth0", 10, .wiredEthernet, "192.0.2.2/24"),
    ]
    #expect(path.description == "connected over eth1 (wired Ethernet)")
    path.interfaces = [interface("eth0", 10, .wiredEthernet, "203.0.113.5/32")]
    #expect(path.description == "connected over eth0 (wired Ethernet) via 192.0.2.1", "a router beyond the prefix")
  }
}
