package import PathDecisions
package import PathModel

/// A route as in a command line.
package struct RouteSpec: Hashable, Sendable {
  /// One next hop.
  package struct Hop: Hashable, Sendable {
    /// The name of the interface.
    package var device: String
    /// The router, also of the other family; `nil` for a route without one.
    package var gateway: IPAddress?

    /// A next hop over the device.
    package static func via(_ gateway: String?, _ device: String) -> Hop {
      Hop(device: device, gateway: gateway.map(IPAddress.literal))
    }
  }

  /// The destination.
  package var destination: Prefix
  /// `RTN_…`.
  package var type = RouteType.unicast
  /// The next hops; empty for a route that forbids.
  package var hops: [Hop] = []
  /// The table; 254 is main.
  package var table: UInt32 = 254
  /// The priority; `nil` for iproute2's choice.
  package var metric: UInt32?
  /// The source address that the route prefers.
  package var source: IPAddress?
  /// The sources that the route is for; IPv6 alone has such routes.
  package var from: Prefix?
  /// The origin, `RTPROT_…`; 3 is the administrator at boot, iproute2's choice.
  package var origin: UInt8 = 3
  /// The lifetime that is left, in hundredths of a second.
  package var expires: Int32?

  /// A unicast route over one or more next hops.
  package init(
    _ destination: Prefix, _ hops: Hop..., table: UInt32 = 254, metric: UInt32? = nil, source: String? = nil
  ) {
    self.destination = destination
    self.hops = hops
    self.table = table
    self.metric = metric
    self.source = source.map(IPAddress.literal)
  }

  /// A route that forbids, or that sends the search on (`throw`).
  package init(_ type: UInt8, _ destination: Prefix, table: UInt32 = 254, metric: UInt32? = nil) {
    self.destination = destination
    self.type = type
    self.table = table
    self.metric = metric
  }

  /// The family of the destination.
  package var family: IPAddress.Family { destination.address.family }

  /// The metric with the kernel's default filled in.
  package var effectiveMetric: UInt32 { metric ?? (family == .ipv4 ? 0 : 1024) }
}

/// A policy rule as in a command line.
package struct RuleSpec: Hashable, Sendable {
  /// The action of a rule.
  package enum Action: Hashable, Sendable {
    case lookup(table: UInt32)
    case prohibit
    case unreachable
    case blackhole
  }

  /// The family it is for.
  package var family = IPAddress.Family.ipv4
  /// The preference: lower ones come first.
  package var preference: UInt32
  /// Only packets to this destination.
  package var destination: Prefix?
  /// Only packets from this source; before a source is chosen, none matches.
  package var source: Prefix?
  /// Only packets with this mark.
  package var mark: UInt32?
  /// Only packets of these users.
  package var users: ClosedRange<UInt32>?
  /// Whether the conditions are inverted.
  package var isInverted = false
  /// The action.
  package var action: Action
  /// Results with a prefix of at most this length are ignored (`suppress_prefixlength`).
  package var suppressedPrefixLength: UInt8?

  /// A rule; a condition that is left out matches every packet.
  package init(
    _ preference: UInt32, _ action: Action, family: IPAddress.Family = .ipv4, to destination: Prefix? = nil,
    from source: Prefix? = nil, mark: UInt32? = nil, users: ClosedRange<UInt32>? = nil, isInverted: Bool = false,
    suppressedPrefixLength: UInt8? = nil
  ) {
    self.family = family
    self.preference = preference
    self.destination = destination
    self.source = source
    self.mark = mark
    self.users = users
    self.isInverted = isInverted
    self.action = action
    self.suppressedPrefixLength = suppressedPrefixLength
  }

  /// The rule as the kernel reports it.
  var policyRule: PolicyRule {
    var rule = PolicyRule(family: family, priority: preference, action: reportedAction)
    rule.source = source.map { PolicyRule.Prefix($0.address, length: Int($0.length)) }
    rule.destination = destination.map { PolicyRule.Prefix($0.address, length: Int($0.length)) }
    rule.mark = mark.map { ($0, .max) }
    rule.users = users
    rule.isInverted = isInverted
    return rule
  }

  private var reportedAction: PolicyRule.Action {
    switch action {
    case .lookup(let table): .lookup(table: table)
    case .prohibit: .prohibit
    case .unreachable: .unreachable
    case .blackhole: .blackhole
    }
  }

  /// Whether the rule applies to a packet of the query.
  package func applies(to query: RouteQuery) -> Bool {
    guard query.destination.family == family else { return false }
    let fits =
      mark.map { $0 == query.mark ?? 0 } ?? true && (destination?.contains(query.destination) ?? true)
      && (users?.contains(query.user ?? 0) ?? true)
      && (source.map { prefix in query.source.map { prefix.contains($0) } ?? false } ?? true)
    return fits != isInverted
  }
}
