import PathModel
import PathTestSupport
import Testing

@Suite("Cost rules")
struct CostRulesTests {
  private static func evidence(
    _ type: InterfaceType = .wifi, _ address: Prefix? = nil, via gateways: String...
  ) -> [Evidence] {
    let addresses = address.map {
      [AddressFacts(interfaceIndex: 2, address: $0.address, prefixLength: $0.length)]
    }
    return CostRules.evidence(
      for: .init(name: "wlan0", type: type, addresses: addresses ?? [], gateways: gateways.map(IPAddress.literal)))
  }

  private static func piece(_ verdict: String, _ confidence: String, source: String = "x") -> Evidence {
    Evidence(source: source, verdict: verdict, confidence: confidence, text: "\(verdict), \(confidence)")
  }

  @Test(arguments: InterfaceType.allCases)
  func `of the types only cellular is expensive`(type: InterfaceType) {
    let found = Self.evidence(type, "192.0.2.2/24", via: "192.0.2.1")
    #expect(found.map(\.confidence) == (type == .cellular ? ["certain"] : []))
    #expect(CostRules.combine(found).isExpensive == (type == .cellular))
  }

  @Test(
    arguments: [
      ("172.20.10.2/28", "172.20.10.1", true), ("172.20.10.14/28", "172.20.10.1", true),
      ("172.20.10.2/24", "172.20.10.1", false), ("172.20.10.2/28", "172.20.10.3", false),
      ("172.20.10.18/28", "172.20.10.1", false), ("172.20.11.2/28", "172.20.10.1", false),
      ("192.168.1.2/28", "192.168.1.1", false),
    ] as [(Prefix, String, Bool)])
  func `a hotspot is told by its network together with its router`(
    address: Prefix, gateway: String, isHotspot: Bool
  ) {
    #expect(Self.evidence(.wifi, address, via: gateway).map(\.confidence) == (isHotspot ? ["likely"] : []))
    #expect(Self.evidence(.wifi, address).isEmpty, "without a router it proves nothing")
  }

  @Test func `the texts name the interface`() {
    for piece in Self.evidence(.cellular, "172.20.10.2/28", via: "172.20.10.1") {
      #expect(piece.text.contains("wlan0"))
      #expect(!piece.text.hasSuffix("."))
    }
  }

  @Test func `without evidence nothing is expensive, and that is not known`() {
    let cost = CostRules.combine([])
    #expect(cost == Cost(isExpensive: false, isConstrained: false, confidence: "unknown", evidence: []))
  }

  @Test func `the most confident piece wins and comes first, of equals the first`() {
    let guess = Self.piece("expensive", "guess")
    let likely = Self.piece("notExpensive", "likely")
    let certain = Self.piece("expensive", "certain")
    #expect(CostRules.combine([guess]).isExpensive)
    let two = CostRules.combine([guess, likely])
    #expect(!two.isExpensive)
    #expect(two.confidence == "likely")
    #expect(two.evidence == [likely, guess])
    #expect(CostRules.combine([guess, likely, certain]).isExpensive)
    #expect(!CostRules.combine([Self.piece("notExpensive", "likely"), Self.piece("expensive", "likely")]).isExpensive)
    #expect(CostRules.combine([Self.piece("expensive", "likely"), Self.piece("notExpensive", "likely")]).isExpensive)
  }

  @Test func `expense and constraint are decided apart`() {
    let cost = CostRules.combine([
      Self.piece("notExpensive", "certain"), Self.piece("constrained", "guess"), Self.piece("notConstrained", "likely"),
    ])
    #expect(!cost.isExpensive)
    #expect(!cost.isConstrained)
    #expect(CostRules.combine([Self.piece("constrained", "guess"), Self.piece("expensive", "guess")]).isConstrained)
    #expect(!CostRules.combine([Self.piece("constrained", "guess")]).isExpensive)
  }

  @Test func `a confidence that nobody knows ranks last`() {
    let cost = CostRules.combine([Self.piece("expensive", "rumour"), Self.piece("notExpensive", "guess")])
    #expect(!cost.isExpensive)
    #expect(cost.confidence == "guess")
  }

  @Test func `evidence that differs in its text alone is the same evidence`() {
    var other = Self.piece("expensive", "guess")
    other.text = "reworded"
    #expect(other == Self.piece("expensive", "guess"))
    #expect(Set([other, Self.piece("expensive", "guess")]).count == 1)
    #expect(other != Self.piece("expensive", "likely"))
    #expect(other != Self.piece("notExpensive", "guess"))
    #expect(other != Self.piece("expensive", "guess", source: "y"))
  }
}
