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
    var areEqual = true
    forEachDifference(left, right) { _ in
      areEqual = false
      return false
    }
    return areEqual
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
    var names: [String] = []
    Self.forEachDifference(earlier, self) { name in
      names.append(name)
      return true
    }
    return names
  }

  /// Names the fields in which two paths differ, in the order of the properties, as long as `goesOn` says so.
  ///
  /// A field missing here would never be announced: a test compares this list with the properties. It is spelled out,
  /// not a table of closures, because every update passes through it.
  @inline(__always)
  private static func forEachDifference(
    _ left: NetworkPath, _ right: NetworkPath, _ goesOn: (String) -> Bool
  ) {
    if left.status != right.status, !goesOn("status") { return }
    if left.knowledge != right.knowledge, !goesOn("knowledge") { return }
    if left.unsatisfiedReason != right.unsatisfiedReason, !goesOn("unsatisfiedReason") { return }
    if left.interfaces != right.interfaces, !goesOn("interfaces") { return }
    if left.interfaceType != right.interfaceType, !goesOn("interfaceType") { return }
    if left.usesTunnel != right.usesTunnel, !goesOn("usesTunnel") { return }
    if left.isExpensive != right.isExpensive, !goesOn("isExpensive") { return }
    if left.isConstrained != right.isConstrained, !goesOn("isConstrained") { return }
    if left.cost != right.cost, !goesOn("cost") { return }
    if left.supportsIPv4 != right.supportsIPv4, !goesOn("supportsIPv4") { return }
    if left.supportsIPv6 != right.supportsIPv6, !goesOn("supportsIPv6") { return }
    if left.supportsDNS != right.supportsDNS, !goesOn("supportsDNS") { return }
    if left.gateways != right.gateways, !goesOn("gateways") { return }
    if left.overrides != right.overrides { _ = goesOn("overrides") }
  }

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
