import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import SystemIO
import Testing

@Suite("The names of Apple's Network framework")
struct AppleNamesTests {
  @Test func `a monitor delivers NWPaths to its handler, on its queue`() {
    let script = PathScript(.offline)
    let monitor = NWPathMonitor(source: .scripted(script))
    let queue = DispatchQueue(label: "handler")
    let paths = Guarded<[NWPath]>([])
    monitor.pathUpdateHandler = { path in
      dispatchPrecondition(condition: .onQueue(queue))
      paths.withLock { $0.append(path) }
    }
    #expect(monitor.queue == nil)
    monitor.start(queue: queue)
    #expect(monitor.queue === queue)
    for _ in 0..<2 { queue.sync {} }
    script.send(.online(over: .wifi))
    for _ in 0..<2 { queue.sync {} }
    #expect(paths.withLock { $0 }.map(\.status) == [.unsatisfied, .satisfied])
    #expect(monitor.currentPath.usesInterfaceType(.wifi))
    monitor.cancel()
    #expect(monitor.queue == nil)
    script.send(.offline)
    for _ in 0..<2 { queue.sync {} }
    #expect(paths.withLock { $0.count } == 2)
  }

  @Test func `a monitor is a sequence of NWPaths`() async {
    let script = PathScript(.offline)
    var iterator = NWPathMonitor(source: .scripted(script)).makeAsyncIterator()
    #expect(await iterator.next()?.status == .unsatisfied)
    script.send(.online())
    #expect(await iterator.next()?.status == .satisfied)
  }

  @Test func `a monitor of types has the path through them`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      for (monitor, status) in [
        (NWPathMonitor(), NWPath.Status.satisfied), (NWPathMonitor(requiredInterfaceType: .wifi), .satisfied),
        (NWPathMonitor(requiredInterfaceType: .cellular), .unsatisfied),
        (NWPathMonitor(prohibitedInterfaceTypes: [.wifi]), .unsatisfied),
      ] {
        var iterator = monitor.makeAsyncIterator()
        let path = await iterator.next()
        precondition(path?.status == status)
      }
    }
  }

  @Test func `a path in Apple's terms equals the path in ours`() throws {
    var ours = NetworkPath.online(over: .cellular, isConstrained: true)
    ours.gateways.append(try #require(IPAddress("fe80::1%wwan0")))
    let path = NWPath(ours)
    #expect(path.status == .satisfied)
    #expect(path.isExpensive && path.isConstrained)
    #expect(path.supportsIPv4 && path.supportsIPv6 && path.supportsDNS)
    #expect(path.availableInterfaces.map(\.name) == ["wwan0"])
    #expect(path.availableInterfaces.map(\.type) == [.cellular])
    #expect(path.availableInterfaces.map(\.index) == [4])
    #expect(
      path.gateways == [
        .hostPort(host: "192.0.2.1", port: .any), .hostPort(host: "fe80::1%wwan0", port: .any),
      ])
    #expect(path.gateways.map(\.interface) == [nil, path.availableInterfaces[0]])
    #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
    #expect(!path.isUltraConstrained && path.linkQuality == .unknown)
    #expect(path == NWPath(ours))
    #expect(path != NWPath(.offline))
    #expect(path.debugDescription == ours.description)
    ours.interfaces[0].underlyingTypes = [.wifi]
    #expect(NWPath(ours).usesInterfaceType(.cellular) && NWPath(ours).usesInterfaceType(.wifi))
  }

  @Test func `a reason is given as far as Apple has a word for it`() {
    #expect(NWPath(.offline(because: .noCarrier)).unsatisfiedReason == .notAvailable)
    #expect(NWPath(.offline(because: .sinkInterface)).unsatisfiedReason == .vpnInactive)
    #expect(NWPath(.unknown).status == .requiresConnection)
  }

  @Test func `interface types are the same by both names`() {
    for type in InterfaceType.allCases { #expect(NWInterface.InterfaceType(type).interfaceType == type) }
  }

  @Test func `endpoints are spelled as Apple spells them`() throws {
    #expect(NWEndpoint.hostPort(host: "192.0.2.1", port: 443).debugDescription == "192.0.2.1:443")
    #expect(NWEndpoint.hostPort(host: "2001:db8::1", port: .https).debugDescription == "2001:db8::1.443")
    #expect(NWEndpoint.hostPort(host: "fe80::1%lo", port: .https).debugDescription == "fe80::1%lo.443")
    #expect(NWEndpoint.hostPort(host: "example.org", port: 80).debugDescription == "example.org:80")
    #expect(NWEndpoint.unix(path: "/run/x").debugDescription == "/run/x")
    let url = try #require(URL(string: "wss://example.org/chat"))
    #expect(NWEndpoint.url(url).debugDescription == "wss://example.org/chat")
    #expect(NWEndpoint.url(url).interface == nil && NWEndpoint.url(url) == .url(url))
    #expect(NWEndpoint.service(name: "a", type: "_b._tcp", domain: "local", interface: nil).interface == nil)
    #expect(NWEndpoint.Port("https") == .https)
    #expect(NWEndpoint.Port("8080") == 8080)
    #expect(NWEndpoint.Port("many") == nil)
    #expect(NWEndpoint.Port("65536") == nil)
    let port: NWEndpoint.Port? = NWEndpoint.Port(rawValue: 443)
    #expect(port == .https)
  }

  @Test func `an interface is the same by index and name`() {
    let interface = NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)
    var changed = interface
    (changed.mtu, changed.isExpensive, changed.type) = (1_280, true, .other)
    #expect(NWInterface(interface) == NWInterface(changed))
    #expect(Set([NWInterface(interface), NWInterface(changed)]).count == 1)
    (changed.name, changed.index) = ("eth1", 2)
    #expect(NWInterface(interface) != NWInterface(changed))
    (changed.name, changed.index) = ("eth0", 3)
    #expect(NWInterface(interface) != NWInterface(changed))
  }

  @Test func `an IPv6 address keeps its interface`() throws {
    let address = try #require(IPv6Address("fe80::1%lo"))
    #expect(address.interface?.name == "lo")
    #expect(address.interface?.index == SystemInterface.index(of: "lo").map(Int.init))
    #expect(address.debugDescription == "fe80::1%lo")
    #expect(address.isLinkLocal)
    let index = try #require(SystemInterface.index(of: "lo"))
    #expect(IPv6Address("fe80::1%\(index)") == address)
    #expect(IPv6Address("fe80::1") != address)
    #expect(IPv6Address("fe80::1")?.interface == nil)
    #expect(IPv6Address("fe80::1%no-such0")?.interface?.index == 0)
    let interface = NWInterface(NetworkInterface(name: "eth7", index: 7, type: .wiredEthernet))
    let bound = IPv6Address(IPAddress(ipv6: 0xfe80 << 48, 1), interface: interface)
    #expect(bound?.debugDescription == "fe80::1%eth7")
    #expect(bound?.interface?.type == .wiredEthernet)
    #expect(NWEndpoint.Host("fe80::1%lo").interface?.name == "lo")
  }

  @Test func `addresses are made of their bytes`() throws {
    let ipv6 = try #require(IPv6Address("fe80::1:2%lo"))
    let bytes: [UInt8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2]
    #expect(Array(ipv6.rawValue) == bytes)
    #expect(IPv6Address(Data(bytes), ipv6.interface) == ipv6)
    #expect(IPv6Address(Data(bytes))?.interface == nil)
    #expect(IPv6Address(Data(bytes.dropLast())) == nil)
    let ipv4 = try #require(IPv4Address("192.0.2.1"))
    #expect(Array(ipv4.rawValue) == [192, 0, 2, 1])
    #expect(IPv4Address(ipv4.rawValue) == ipv4)
    #expect(IPv4Address(Data(bytes)) == nil)
    // A slice of bytes does not begin at zero.
    #expect(IPv4Address(Data([0, 192, 0, 2, 1]).dropFirst()) == ipv4)
  }

  @Test func `addresses know their kinds`() throws {
    #expect(IPv4Address("127.1.2.3")?.isLoopback == true)
    #expect(IPv4Address("239.0.0.1")?.isMulticast == true)
    #expect(IPv4Address("192.0.2.1")?.isMulticast == false)
    #expect(IPv4Address("::1") == nil)
    #expect(IPv4Address.broadcast.debugDescription == "255.255.255.255")
    #expect(IPv6Address("ff02::1")?.isMulticast == true)
    #expect(IPv6Address("fd00::1")?.isUniqueLocal == true)
    #expect(IPv6Address("fe80::1")?.isLinkLocal == true)
    #expect(IPv6Address("192.0.2.1") == nil)
    #expect(IPv6Address.any.isAny)
    #expect(IPv6Address.loopback.isLoopback)
  }
}
