package import PathModel

/// A story told in steps, for the kernel in memory and for the real one alike.
package struct Scenario: Hashable, Sendable, CustomStringConvertible {
  /// The rule that it shows, as a sentence.
  package var description: String
  /// The changes and the expectations between them.
  package var steps: [Step]

  /// A story.
  package init(_ description: String, _ steps: [Step]) {
    self.description = description
    self.steps = steps
  }

  /// The stand-ins for devices of a real machine.
  package enum LinkKind: Hashable, Sendable {
    /// A network card with a cable: a veth pair whose other end is far away.
    case ethernet
    /// A tunnel whose lower link the kernel does not name: a vxlan.
    case tunnel
    /// A bridge without ports.
    case bridge
    /// A device that discards packets: an ifb.
    case sink

    /// The kind as the kernel names it.
    package var name: String {
      switch self {
      case .ethernet: "veth"
      case .tunnel: "vxlan"
      case .bridge: "bridge"
      case .sink: "ifb"
      }
    }
  }

  /// A change or an expectation.
  package enum Step: Hashable, Sendable {
    case addLink(name: String, index: Int32, kind: LinkKind)
    case deleteLink(String)
    case rename(String, to: String)
    case setUp(String)
    case setDown(String)
    case carrier(String, Bool)
    case attach(String, to: String)
    case detach(String)
    case addAddress(Prefix, String)
    case removeAddress(Prefix, String)
    case addRoute(RouteSpec)
    case deleteRoute(RouteSpec)
    case addRule(RuleSpec)
    case deleteRule(RuleSpec)
    /// `ignore_routes_with_linkdown` of both families.
    case sysctl(ignoreRoutesWithLinkDown: Bool)
    case expect(Expectation)
  }
}

/// The values of a path that a scenario compares.
package struct Expectation: Hashable, Sendable {
  /// The status.
  package var status: NetworkPath.Status
  /// The reason, when unsatisfied.
  package var reason: UnsatisfiedReason?
  /// Whether IPv4 destinations are routable.
  package var supportsIPv4: Bool
  /// Whether IPv6 destinations are routable.
  package var supportsIPv6: Bool
  /// The names of the usable interfaces, best first.
  package var interfaces: [String]
  /// The type of the first, when satisfied.
  package var type: InterfaceType?
  /// The routers.
  package var gateways: [String]
  /// Whether a tunnel carries the traffic.
  package var usesTunnel: Bool

  /// The values of a path.
  package init(of path: NetworkPath) {
    status = path.status
    reason = path.unsatisfiedReason
    supportsIPv4 = path.supportsIPv4
    supportsIPv6 = path.supportsIPv6
    interfaces = path.interfaces.map(\.name)
    type = path.interfaceType
    gateways = path.gateways.map(\.description)
    usesTunnel = path.usesTunnel
  }

  private init(_ path: NetworkPath, interfaces: [String], gateways: [String]) {
    self.init(of: path)
    self.interfaces = interfaces
    self.gateways = gateways
  }

  /// A satisfied path: over the first interface, with the others usable by bound sockets.
  package static func online(
    _ interfaces: String..., via gateways: [String] = [], ipv4: Bool = true, ipv6: Bool = false,
    type: InterfaceType = .wiredEthernet, usesTunnel: Bool = false
  ) -> Expectation {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.supportsIPv4 = ipv4
    path.supportsIPv6 = ipv6
    path.interfaceType = type
    path.usesTunnel = usesTunnel
    return Expectation(path, interfaces: interfaces, gateways: gateways)
  }

  /// An unsatisfied path: the interfaces are usable by bound sockets alone.
  package static func offline(
    _ reason: UnsatisfiedReason, _ interfaces: String..., via gateways: [String] = []
  ) -> Expectation {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    return Expectation(path, interfaces: interfaces, gateways: gateways)
  }
}

extension Expectation: CustomStringConvertible {
  /// The expectation in one line.
  package var description: String {
    let families = (supportsIPv4 ? " IPv4" : "") + (supportsIPv6 ? " IPv6" : "")
    return "\(status.rawValue) \(reason?.rawValue ?? type?.rawValue ?? "")\(families)\(usesTunnel ? " tunnel" : "")"
      + " over [\(interfaces.joined(separator: ", "))] via [\(gateways.joined(separator: ", "))]"
  }
}
