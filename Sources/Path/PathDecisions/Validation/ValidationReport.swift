package import PathModel

/// The verdict of the validator, which asks hosts as programs do, with the network that it belongs to.
package struct ValidationReport: Sendable {
  /// The interface that carried the traffic.
  package let interfaceIndex: Int32
  /// The wireless network of the interface when the report came; `nil` for none.
  package let wireless: NetworkName?
  /// The routers of the path, without scopes.
  package let gateways: Set<IPAddress>
  /// The verdict.
  package let state: PathValidation.State
  /// The page for the sign-in, as the validator has seen it; `nil` if it has seen none.
  package let portal: String?
  /// The observations.
  package let evidence: [PathValidation.Observation]
  /// Since when the verdict holds, in microseconds since boot.
  package let since: Int

  /// A report about a network.
  package init(
    interfaceIndex: Int32, wireless: NetworkName?, gateways: Set<IPAddress>, _ validation: PathValidation, since: Int
  ) {
    (self.interfaceIndex, self.wireless, self.gateways) = (interfaceIndex, wireless, gateways)
    (state, portal, evidence) = (validation.state, validation.portal, validation.evidence)
    self.since = since
  }

  /// Whether this is about the network of the other one.
  package func isOfSameNetwork(as other: Self) -> Bool {
    interfaceIndex == other.interfaceIndex && wireless == other.wireless && gateways == other.gateways
  }

  /// Whether it is about a path over these next hops. A report may name further routers, those of other interfaces.
  func isAbout(_ legs: [RouteLeg], _ networks: NetworkFactsTable) -> Bool {
    guard legs.first?.interfaceIndex == interfaceIndex, networks.networkNames[interfaceIndex] == wireless else {
      return false
    }
    return legs.compactMap(\.gateway).allSatisfy { gateways.contains($0.scoped(to: nil)) }
  }
}

extension ValidationReport: Hashable {
  /// Equality of everything, times and texts included.
  package static func == (left: Self, right: Self) -> Bool {
    left.isOfSameNetwork(as: right) && left.state == right.state && left.since == right.since
      && left.portal?.exact == right.portal?.exact && left.evidence == right.evidence
      && left.evidence.elementsEqual(right.evidence) { $0.when == $1.when && $0.text.exact == $1.text.exact }
  }

  /// Hashes a part of it: there is one report at a time.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(state)
    hasher.combine(since)
  }
}
