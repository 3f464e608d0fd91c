package import PathModel
package import SystemIO

/// The addresses that this machine had and has no more, and the moment from which nothing can come of their
/// connections. Pure.
///
/// An address is due when, for the whole of its grace, it has been configured nowhere and the path of its family has
/// been satisfied. Both have to last: a tunnel comes back some seconds after the path that it leads over, and DHCP some
/// seconds after the routers of IPv6 have announced themselves. An address that was never seen configured is never due.
package struct GoneAddresses: Sendable {
  /// The times for which an address must be away.
  package struct Grace: Hashable, Sendable {
    /// The time for an address that no tunnel had.
    package var usual: Duration
    /// The time for the address of a tunnel, whose server may take long to answer after a restart.
    package var tunnel: Duration

    /// The graces.
    package init(_ usual: Duration, tunnel: Duration) { (self.usual, self.tunnel) = (usual, tunnel) }
  }

  /// The most addresses that are remembered, because a path may be away for long. The oldest are forgotten first, and
  /// their connections stay.
  package static let limit = 10_000
  /// The shortest grace while the path is satisfied, but not for the family of the address: it may come yet, or the
  /// network has none of it.
  package static let otherFamily = Duration.seconds(60)

  private let grace: Grace
  /// The addresses that were configured when they were last read.
  package internal(set) var present: Set<IPAddress> = []
  /// The moment at which each address was first found missing.
  package internal(set) var missing: [IPAddress: MonotonicInstant] = [:]
  /// The addresses among both that a tunnel has, or had last.
  package internal(set) var tunnels: Set<IPAddress> = []
  /// The moment since which the path of each family has been satisfied.
  private var satisfiedSince: [IPAddress.Family: MonotonicInstant] = [:]
  /// The addresses whose connections could not be ended, with the moments of the next attempts.
  private var failures: [IPAddress: (pauses: RetryPauses, next: MonotonicInstant)] = [:]

  /// No address is known yet, and no path.
  package init(grace: Grace) { self.grace = grace }

  /// Notes the addresses that are configured.
  ///
  /// - Parameters:
  ///   - tunnels: The addresses among them that tunnels have.
  ///   - seen: The addresses that have been configured at some time since the last reading.
  ///   - isIncomplete: Whether others may have been, too.
  package mutating func observe(
    _ configured: Set<IPAddress>, tunnels: Set<IPAddress> = [], seen: Set<IPAddress> = [], isIncomplete: Bool = false,
    at now: MonotonicInstant
  ) {
    for address in missing.keys where isIncomplete || seen.contains(address) { missing[address] = now }
    for address in present.subtracting(configured) { missing[address] = now }
    for address in configured { missing[address] = nil }
    // An address that came and went between two readings was configured, too.
    for address in seen.subtracting(configured) where !address.isLoopback { missing[address] = now }
    present = configured
    self.tunnels = tunnels.union(self.tunnels.filter { missing[$0] != nil })
    failures = failures.filter { missing[$0.key] != nil }
    forgetOldest()
  }

  /// Keeps to the limit.
  mutating func forgetOldest() {
    let excess = missing.count - Self.limit
    if excess <= 0 { return }
    for address in missing.sorted(by: { $0.value < $1.value }).prefix(excess) { missing[address.key] = nil }
  }

  /// Notes the families for which the path is satisfied, as far as is known.
  package mutating func observe(satisfied families: Set<IPAddress.Family>, at now: MonotonicInstant) {
    for family in IPAddress.Family.allCases {
      satisfiedSince[family] = families.contains(family) ? satisfiedSince[family] ?? now : nil
    }
  }

  /// The addresses that are due, with the moments at which they were found missing.
  package func due(at now: MonotonicInstant) -> [IPAddress: MonotonicInstant] {
    missing.filter { due($0.key, missingSince: $0.value).map { $0 <= now } ?? false }
  }

  /// The moment at which the next address is due as things stand; `nil` for never.
  package var nextDue: MonotonicInstant? { missing.compactMap { due($0.key, missingSince: $0.value) }.min() }

  private func due(_ address: IPAddress, missingSince removal: MonotonicInstant) -> MonotonicInstant? {
    var grace = tunnels.contains(address) ? grace.tunnel : grace.usual
    var since = satisfiedSince[address.family]
    if since == nil {
      since = satisfiedSince.values.min()
      grace = max(grace, Self.otherFamily)
    }
    guard let due = since.map({ max($0, removal).advanced(by: grace) }) else { return nil }
    return failures[address].map { max($0.next, due) } ?? due
  }

  /// Notes an attempt to end the connections of addresses that were due. No rule is left to apply to them until they
  /// are seen again, except to those whose connections could not be ended: they are due again after a pause.
  package mutating func attempted(
    _ addresses: some Sequence<IPAddress>, failed: Set<IPAddress>, at now: MonotonicInstant
  ) {
    for address in addresses {
      guard failed.contains(address) else {
        (missing[address], failures[address]) = (nil, nil)
        tunnels.remove(address)
        continue
      }
      var pauses = failures[address]?.pauses ?? RetryPauses(first: .milliseconds(250))
      let next = now.advanced(by: pauses.next())
      failures[address] = (pauses, next)
    }
  }
}
