package import PathDecisions
package import PathModel

/// A route as in a command line.
package struct RouteSpec: Hashable, Sendable {
  package struct Hop: Hashable, Sendable {
    package var device: String
    /// The router, also of the other family; `nil` for a route without one.
    package var gateway: IPAddress?

    package static func via(_ gateway: String?, _ device: String) -> Hop {
      Hop(device: device, gateway: gateway.map(IPAddress.literal))
    }
  }

  package var destination: Prefix
  /// `RTN_…`.
  package var type = RouteType.unicast
  /// The next hops; empty for a route that forbids.
  package var hops: [Hop] = []
  /// The table; 254 is main.
  package var table: UInt32 = 254
  /// The priority; `nil` for iproute2's choice.
  package var metric: UInt32?
  package var source: IPAddress?
  /// The sources that the route is for; IPv6 alone has such routes.
  package var from: Prefix?
  /// The lifetime that is left, in hundredths of a second.
  package var expires: Int32?

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

  package var family: IPAddress.Family { destination.address.family }

  /// The metric with the kernel's default filled in.
  package var effectiveMetric: UInt32 { metric ?? (family == .ipv4 ? 0 : 1024) }
}

/// A policy rule as in a command line.
package typealias RuleSpec = PolicyRule

extension PolicyRule {
  /// A rule; a condition that is left out matches every packet.
  package init(
    _ priority: UInt32, _ action: Action, family: IPAddress.Family = .ipv4,
    to destination: PathTestSupport.Prefix? = nil,
    from source: PathTestSupport.Prefix? = nil, mark: UInt32? = nil, users: ClosedRange<UInt32>? = nil,
    isInverted: Bool = false, suppressedPrefixLength: Int? = nil
  ) {
    self.init(family: family, priority: priority, action: action)
    self.destination = destination?.ofRule
    self.source = source?.ofRule
    self.mark = mark.map { ($0, .max) }
    (self.users, self.isInverted, self.suppressedPrefixLength) = (users, isInverted, suppressedPrefixLength)
  }

  /// Whether the rule applies to a packet of the query. Before a source is chosen, no rule for a source does.
  func applies(to query: RouteQuery) -> Bool {
    func holds(_ prefix: Prefix?, _ address: IPAddress?) -> Bool {
      guard let prefix else { return true }
      return address?.matches(prefix.address, prefixLength: prefix.length) == true
    }
    guard query.destination.family == family else { return false }
    let fits =
      mark.map { $0.value == query.mark ?? 0 } ?? true && users?.contains(query.user ?? 0) ?? true
      && holds(destination, query.destination) && holds(source, query.source)
    return fits != isInverted
  }
}

extension Prefix {
  /// The prefix in a rule.
  var ofRule: PolicyRule.Prefix { PolicyRule.Prefix(address, length: Int(length)) }
}
