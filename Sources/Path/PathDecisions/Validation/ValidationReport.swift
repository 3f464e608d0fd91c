package import PathModel

/// The verdict of the validator, which asks hosts as programs do, with the network that it belongs to.
package struct ValidationReport: Sendable {
  /// The interface that carried the traffic.
  package let interfaceIndex: Int32
  /// The wireless network of the interface when the report came; `nil` for none.
  package let wireless: NetworkName?
  /// The routers of the path, without scopes.
  package let gateways: Set<IPAddress>
  /// The verdict, the page for the sign-in if the validator has seen one, and its observations.
  package var validation: PathValidation

  /// A report about a network.
  package init(
    interfaceIndex: Int32, wireless: NetworkName?, gateways: Set<IPAddress>, _ validation: PathValidation
  ) {
    (self.interfaceIndex, self.wireless, self.gateways) = (interfaceIndex, wireless, gateways)
    self.validation = validation
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

extension ValidationReport: Equatable {
  /// Equality of everything, times and texts included.
  package static func == (left: Self, right: Self) -> Bool {
    left.isOfSameNetwork(as: right) && left.validation == right.validation
      && left.validation.since == right.validation.since
      && left.validation.evidence.elementsEqual(right.validation.evidence) {
        $0.when == $1.when && $0.text.exact == $1.text.exact
      }
  }
}
