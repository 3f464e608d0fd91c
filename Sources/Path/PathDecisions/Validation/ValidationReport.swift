package import PathModel

/// The verdict of the validator, which asks hosts as programs do, with the network that it belongs to.
package struct ValidationReport: Equatable, Sendable {
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

  /// Whether it is about a path over this interface and these routers. A report may name further routers, those of
  /// other interfaces.
  package func isAbout(_ interfaceIndex: Int32?, _ routers: [IPAddress]) -> Bool {
    interfaceIndex == self.interfaceIndex && routers.allSatisfy { gateways.contains($0.scoped(to: nil)) }
  }
}
