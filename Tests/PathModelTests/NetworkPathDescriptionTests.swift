import PathModel
import Testing

@Suite("Paths in words")
struct NetworkPathDescriptionTests {
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
