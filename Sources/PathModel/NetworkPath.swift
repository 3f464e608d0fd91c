/// The network path of an unbound socket at one moment: whether it is there, over what, at what cost.
///
/// *Satisfied* means that the kernel has a usable route now, not that the Internet answers.
///
/// Two paths are equal when all but ``sequence``, ``boottimeMicroseconds``, ``changed`` and the
/// texts of evidence is equal.
public struct NetworkPath: Sendable {
  /// Whether the path can be used.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// There is a usable route.
    case satisfied
    /// There is none; ``NetworkPath/unsatisfiedReason`` says why.
    case unsatisfied
    /// There is none yet, but using it may bring one up; also the status of a path that is not known yet.
    case requiresConnection
  }

  /// How far the path can be trusted.
  public enum Knowledge: String, Hashable, Sendable, CaseIterable {
    /// It was evaluated from what the kernel says now.
    case known
    /// It was true; since then the source could not be asked.
    case stale
    /// It has never been evaluated.
    case unknown
  }

  /// Whether the path can be used.
  public var status: Status
  /// How far the path can be trusted. Our own failure shows here, never in ``status``.
  public var knowledge: Knowledge
  /// Why the path is unsatisfied; `nil` when it is satisfied.
  public var unsatisfiedReason: UnsatisfiedReason?
  /// The usable interfaces in order of preference. When the path is satisfied the first one carries
  /// the traffic; when it is not, these are usable only by sockets bound to them.
  public var interfaces: [NetworkInterface]
  /// The type of the interface that carries the traffic; `nil` unless satisfied.
  public var interfaceType: InterfaceType?
  /// Whether the interface that carries the traffic is a tunnel, such as a VPN.
  public var usesTunnel: Bool
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool
  /// Why ``isExpensive`` and ``isConstrained`` are what they are; `nil` unless satisfied.
  public var cost: Cost?
  /// Whether IPv4 destinations are routable.
  public var supportsIPv4: Bool
  /// Whether IPv6 destinations are routable.
  public var supportsIPv6: Bool
  /// Whether the path is satisfied and a name server is configured.
  public var supportsDNS: Bool
  /// The routers of the usable interfaces, in order of preference. Point-to-point links have none.
  public var gateways: [IPAddress]
  /// What an administrator has overridden, in words; empty when nothing.
  public var overrides: [String]
  /// Counts the updates of the stream the path came from; a gap means skipped updates.
  public var sequence: Int
  /// When the path was evaluated: microseconds since boot, suspend included (`CLOCK_BOOTTIME`).
  public var boottimeMicroseconds: Int
  /// The names of the fields that differ from the update before; empty in a stream's first.
  public var changed: [String]

  /// A path of the given status and knowledge, with everything else empty.
  public init(status: Status, knowledge: Knowledge) {
    self.status = status
    self.knowledge = knowledge
    unsatisfiedReason = nil
    interfaces = []
    interfaceType = nil
    usesTunnel = false
    isExpensive = false
    isConstrained = false
    cost = nil
    supportsIPv4 = false
    supportsIPv6 = false
    supportsDNS = false
    gateways = []
    overrides = []
    sequence = 0
    boottimeMicroseconds = 0
    changed = []
  }

  /// What is said before the first evaluation: nothing is known, and it is not called offline.
  public static let unknown = NetworkPath(status: .requiresConnection, knowledge: .unknown)

  /// Whether the interface that carries the traffic has this type.
  public func usesInterfaceType(_ type: InterfaceType) -> Bool {
    status == .satisfied && interfaces.first?.type == type
  }
}

extension NetworkPath: Hashable {
  /// Equality of what a reader would call the same path; see the type.
  public static func == (left: NetworkPath, right: NetworkPath) -> Bool {
    comparedFields.allSatisfy { $0.isEqual(left, right) }
  }

  /// Hashes part of what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(interfaces)
    hasher.combine(gateways)
  }

  /// The names of the fields in which this path differs from an earlier one.
  ///
  /// The names are those of the properties and of the JSON keys.
  public func fieldsChanged(since earlier: NetworkPath) -> [String] {
    Self.comparedFields.filter { !$0.isEqual(earlier, self) }.map(\.name)
  }

  private struct ComparedField: Sendable {
    let name: String
    let isEqual: @Sendable (NetworkPath, NetworkPath) -> Bool
  }

  /// The fields that make a path what it is. A field missing here would never be announced: a test
  /// compares this list with the properties.
  private static let comparedFields: [ComparedField] = [
    ComparedField(name: "status") { $0.status == $1.status },
    ComparedField(name: "knowledge") { $0.knowledge == $1.knowledge },
    ComparedField(name: "unsatisfiedReason") { $0.unsatisfiedReason == $1.unsatisfiedReason },
    ComparedField(name: "interfaces") { $0.interfaces == $1.interfaces },
    ComparedField(name: "interfaceType") { $0.interfaceType == $1.interfaceType },
    ComparedField(name: "usesTunnel") { $0.usesTunnel == $1.usesTunnel },
    ComparedField(name: "isExpensive") { $0.isExpensive == $1.isExpensive },
    ComparedField(name: "isConstrained") { $0.isConstrained == $1.isConstrained },
    ComparedField(name: "cost") { $0.cost == $1.cost },
    ComparedField(name: "supportsIPv4") { $0.supportsIPv4 == $1.supportsIPv4 },
    ComparedField(name: "supportsIPv6") { $0.supportsIPv6 == $1.supportsIPv6 },
    ComparedField(name: "supportsDNS") { $0.supportsDNS == $1.supportsDNS },
    ComparedField(name: "gateways") { $0.gateways == $1.gateways },
    ComparedField(name: "overrides") { $0.overrides == $1.overrides },
  ]

  /// Whether going to `next` takes something away: the connection, a family, or name resolution.
  ///
  /// Losses are announced later than gains, so that a reconfiguration does not flash "offline".
  package func isLoss(comparedTo next: NetworkPath) -> Bool {
    (status == .satisfied && next.status != .satisfied)
      || (supportsIPv4 && !next.supportsIPv4)
      || (supportsIPv6 && !next.supportsIPv6)
      || (supportsDNS && !next.supportsDNS)
  }
}
