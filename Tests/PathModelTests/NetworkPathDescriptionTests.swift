import PathModel
import Testing

@Suite("Paths in words")
struct NetworkPathDescriptionTests {
  private static func path(_ change: (inout NetworkPath) -> Void = { _ in }) -> NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet),
      NetworkInterface(name: "wlan0", index: 3, type: .wifi),
    ]
    path.gateways = [IPAddress(ipv4: 0xc000_0201), IPAddress(ipv4: 0xc000_0202)]
    change(&path)
    return path
  }

  @Test func `a satisfied path names interface, type and router`() {
    #expect(Self.path().description == "connected over eth0 (wired Ethernet) via 192.0.2.1")
    #expect(Self.path { $0.gateways = [] }.description == "connected over eth0 (wired Ethernet)")
    #expect(Self.path { $0.isExpensive = true }.description.hasSuffix(", metered"))
    #expect(Self.path { $0.isConstrained = true }.description.hasSuffix("via 192.0.2.1, constrained"))
    #expect(
      Self.path { ($0.isExpensive, $0.isConstrained) = (true, true) }.description.hasSuffix(", metered, constrained"))
    #expect(Self.path { $0.interfaces = [] }.description == "connected")
  }

  @Test func `a tunnel is called one, and only the interface that carries the traffic is`() {
    let path = Self.path {
      $0.interfaces[0].type = .other
      $0.usesTunnel = true
    }
    #expect(path.description == "connected over eth0 (tunnel)", "a router would say nothing")
    #expect(path.kindInWords(of: path.interfaces[1]) == "Wi-Fi")
  }

  @Test func `a path that is not as required says what it is`() throws {
    let words = "offline: there is a path, but not of the kind asked for: over eth0 (wired Ethernet)"
    let metered = Self.path {
      $0.isExpensive = true
      $0.interfaces[0].isExpensive = true
    }
    #expect(try PathRequirement("unmetered").applied(to: metered).description == words + ", metered")
    #expect(try PathRequirement("wifi").applied(to: Self.path()).description == words)
    let nothing = Self.path { $0.interfaces = [] }
    #expect(
      try PathRequirement("ipv6").applied(to: nothing).description
        == "offline: there is a path, but not of the kind asked for")
  }

  @Test func `an unknown path is not called offline`() {
    #expect(NetworkPath.unknown.description == "not known yet")
    let stale = Self.path { $0.knowledge = .stale }
    #expect(stale.description == "not known now; before: connected over eth0 (wired Ethernet) via 192.0.2.1")
    #expect(Self.path { $0.status = .requiresConnection }.description == "not connected yet")
  }
}
