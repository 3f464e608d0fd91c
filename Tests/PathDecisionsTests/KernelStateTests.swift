import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Kernel state")
struct KernelStateTests {
  private typealias Message = @Sendable (inout KernelState) -> Void

  private static func link(_ index: Int32, _ name: String) -> Message { { $0.update(LinkFacts.up(index, name)) } }
  private static func address(_ facts: AddressFacts) -> Message { { $0.update(facts) } }

  private static func address(
    _ index: Int32, _ prefix: Prefix, peer: String? = nil, flags: AddressFlags = []
  ) -> AddressFacts {
    AddressFacts(
      interfaceIndex: index, address: prefix.address, peer: peer.map(IPAddress.literal),
      prefixLength: prefix.length, flags: flags)
  }

  private static let messages: [Message] = [
    link(1, "lo"), link(7, "eth1"), link(3, "eth0"),
    address(address(3, "192.0.2.2/24")), address(address(3, "192.0.2.2/25")), address(address(3, "10.0.0.1/8")),
    address(address(3, "2001:db8::2/64")), address(address(7, "192.0.2.2/24")),
    address(address(7, "10.1.0.1/32", peer: "10.1.0.2")), address(address(7, "10.1.0.1/32", peer: "10.1.0.3")),
    address(address(9, "203.0.113.9/24")), address(address(9, "203.0.113.8/24")),
  ]

  private static func state(after messages: [Message]) -> KernelState {
    messages.reduce(into: KernelState()) { $1(&$0) }
  }

  @Test(arguments: SeededGenerator.seeds)
  func `the order of messages does not matter, and neither do repetitions`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let expected = Self.state(after: Self.messages)
    for _ in 0..<300 {
      let repeated = Self.messages + Self.messages.filter { _ in Bool.random(using: &generator) }
      #expect(Self.state(after: repeated.shuffled(using: &generator)) == expected, "seed \(seed)")
    }
  }

  @Test func `interfaces are sorted by index, and their addresses by family, number and length`() {
    let state = Self.state(after: Self.messages)
    #expect(state.interfaces.map(\.link.index) == [1, 3, 7])
    #expect(state[3]?.addresses.map(\.text) == ["10.0.0.1/8", "192.0.2.2/24", "192.0.2.2/25", "2001:db8::2/64"])
    #expect(state[7]?.addresses.map(\.peer?.description) == ["10.1.0.2", "10.1.0.3", nil])
    #expect(state[2] == nil)
    #expect(state[9] == nil)
    #expect(KernelState()[1] == nil)
  }

  @Test func `addresses that come before their link wait for it, can be removed and go with it`() {
    var state = Self.state(after: Self.messages)
    #expect(state[9] == nil)
    state.update(LinkFacts.up(9, "wlan0"))
    #expect(state[9]?.addresses.map(\.text) == ["203.0.113.8/24", "203.0.113.9/24"])
    #expect(state[9]?.hasUsableIPv4Address == true)
    state.removeLink(9)
    state.update(LinkFacts.up(9, "wlan0"))
    #expect(state[9]?.addresses.isEmpty == true, "a link that takes the index anew inherits nothing")
    state = KernelState()
    for address in ["192.0.2.2/24", "192.0.2.3/24"] as [Prefix] { state.update(Self.address(5, address)) }
    state.remove(Self.address(5, "192.0.2.2/24"))
    #expect(state != KernelState())
    state.removeLink(5)
    #expect(state == KernelState())
  }

  @Test func `a link that changes keeps its addresses`() {
    var state = Self.state(after: Self.messages)
    let addresses = state[3]?.addresses
    state.update(LinkFacts.up(3, "uplink"))
    #expect(state[3]?.link.name == "uplink")
    #expect(state[3]?.addresses == addresses)
  }

  @Test func `an address that changes its flags is replaced, and one that is removed is of no use`() {
    var state = Self.state(after: [
      Self.link(3, "eth0"), Self.address(Self.address(3, "2001:db8::2/64", flags: .tentative)),
    ])
    #expect(state[3]?.hasUsableAddress(.ipv6) == false)
    state.update(Self.address(3, "2001:db8::2/64"))
    #expect(state[3]?.hasUsableAddress(.ipv6) == true)
    #expect(state[3]?.hasUsableAddress(.ipv4) == false)
    #expect(state[3]?.addresses.count == 1)
    state.remove(Self.address(3, "2001:db8::2/64"))
    #expect(state[3]?.hasUsableAddress(.ipv6) == false)
    #expect(state == Self.state(after: [Self.link(3, "eth0")]))
  }

  @Test
  func
    `removing is by address, peer and length, or by link, and doing it twice changes nothing`()
  {
    var state = Self.state(after: Self.messages)
    state.remove(Self.address(3, "192.0.2.2/24", flags: .deprecated))
    #expect(state[3]?.addresses.map(\.text) == ["10.0.0.1/8", "192.0.2.2/25", "2001:db8::2/64"])
    state.remove(Self.address(7, "10.1.0.1/32", peer: "10.1.0.3"))
    #expect(state[7]?.addresses.count == 2)
    let once = state
    state.remove(Self.address(3, "192.0.2.2/24"))
    state.remove(Self.address(7, "10.1.0.1/32", peer: "10.1.0.3"))
    state.removeLink(77)
    #expect(state == once)
    state.removeLink(7)
    #expect(state.interfaces.map(\.link.index) == [1, 3])
  }

  @Test(arguments: SeededGenerator.seeds)
  func `many changes at once lead to the same state as one after the other`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let numbers = UInt32(1)...12
    for _ in 0..<200 {
      var (single, whole) = (KernelState(), KernelState())
      for _ in 0..<5 {
        var changes = AddressChanges()
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
          let number = UInt32.random(in: numbers, using: &generator)
          let isIPv4 = Bool.random(using: &generator)
          let address = AddressFacts(
            interfaceIndex: Int32.random(in: 1...2, using: &generator),
            address: isIPv4 ? IPAddress(ipv4: number) : IPAddress(ipv6: 1, UInt64(number)),
            peer: isIPv4 && Bool.random(using: &generator) ? IPAddress(ipv4: 0) : nil,
            prefixLength: UInt8.random(in: 24...25, using: &generator),
            flags: Bool.random(using: &generator) ? .tentative : [])
          if Int.random(in: 0..<3, using: &generator) == 0 {
            single.remove(address)
            changes.remove(address)
          } else {
            single.update(address)
            changes.update(address)
          }
        }
        whole.merge(changes)
        if Bool.random(using: &generator) {
          single.update(LinkFacts.up(1, "eth0"))
          whole.update(LinkFacts.up(1, "eth0"))
        }
        #expect(whole == single, "seed \(seed)")
      }
    }
  }
}
