/// What makes an interface expensive. More sources of evidence come in here; the combination stays.
package enum CostRules {
  /// What the rules look at.
  package struct Candidate: Hashable, Sendable {
    /// The name of the interface, for the texts.
    package var name: String
    /// The type of the interface.
    package var type: InterfaceType
    /// Its addresses.
    package var addresses: [AddressFacts]
    /// The routers reached over it.
    package var gateways: [IPAddress]

    /// A candidate.
    package init(name: String, type: InterfaceType, addresses: [AddressFacts], gateways: [IPAddress]) {
      self.name = name
      self.type = type
      self.addresses = addresses
      self.gateways = gateways
    }
  }

  /// 172.20.10.1: the router of an iPhone's Personal Hotspot, which always uses 172.20.10.0/28.
  private static let personalHotspotRouter = IPAddress(ipv4: 0xac14_0a01)

  /// All evidence about one interface.
  package static func evidence(for candidate: Candidate) -> [Evidence] {
    var evidence: [Evidence] = []
    if candidate.type == .cellular {
      evidence.append(
        Evidence(
          source: "interfaceType", verdict: "expensive", confidence: "certain",
          text: "\(candidate.name) is a cellular interface"))
    }
    let isInHotspot = candidate.addresses.contains {
      $0.prefixLength == 28 && $0.address.matches(personalHotspotRouter, prefixLength: 28)
    }
    if isInHotspot, candidate.gateways.contains(personalHotspotRouter) {
      evidence.append(
        Evidence(
          source: "gatewayAddress", verdict: "expensive", confidence: "likely",
          text: "\(candidate.name) is in 172.20.10.0/28 with router 172.20.10.1, as behind an iPhone's hotspot"))
    }
    return evidence
  }

  /// The cost of what goes over several interfaces, one after the other or side by side: it is expensive when any
  /// of them is.
  package static func union(_ costs: [Cost]) -> Cost {
    guard costs.count > 1 else { return costs.first ?? combine([]) }
    let deciding = costs.first { $0.isExpensive } ?? costs.first { $0.isConstrained } ?? costs[0]
    var evidence = deciding.evidence
    for piece in costs.flatMap(\.evidence) where !evidence.contains(where: { $0 == piece && $0.text == piece.text }) {
      evidence.append(piece)
    }
    return Cost(
      isExpensive: costs.contains { $0.isExpensive }, isConstrained: costs.contains { $0.isConstrained },
      confidence: deciding.confidence, evidence: evidence)
  }

  /// The verdict of all evidence about one interface: the most confident piece wins, and comes first.
  package static func combine(_ evidence: [Evidence]) -> Cost {
    let order = ["certain", "likely", "guess"]
    let ranked = evidence.enumerated().sorted { left, right in
      let ranks = [left, right].map { order.firstIndex(of: $0.element.confidence) ?? order.count }
      return (ranks[0], left.offset) < (ranks[1], right.offset)
    }.map(\.element)
    return Cost(
      isExpensive: ranked.first { $0.verdict.hasSuffix("xpensive") }?.verdict == "expensive",
      isConstrained: ranked.first { $0.verdict.hasSuffix("onstrained") }?.verdict == "constrained",
      confidence: ranked.first?.confidence ?? "unknown", evidence: ranked)
  }
}
