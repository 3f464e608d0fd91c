package import PathModel
package import SystemIO

/// The addresses that this machine had and has no more, and the moment from which nothing can come of their
/// connections. Pure.
///
/// An address is due when, for the whole of the grace, it has been configured nowhere and the path has been satisfied.
/// Both have to last: a tunnel comes back some seconds after the path that it leads over. An address that was never
/// seen configured is never due.
package struct GoneAddresses: Sendable {
  /// The most addresses that are remembered, because a path may be away for long. The oldest are forgotten first, and
  /// their connections stay.
  package static let limit = 10_000

  private let grace: Duration
  private var present: Set<IPAddress> = []
  /// The moment at which each address was first found missing.
  private var missing: [IPAddress: MonotonicInstant] = [:]
  private var satisfiedSince: MonotonicInstant?

  /// No address is known yet, and no path.
  ///
  /// - Parameter grace: The time for which an address must be away.
  package init(grace: Duration) { self.grace = grace }

  /// Notes the addresses that are configured.
  ///
  /// - Parameters:
  ///   - seen: The addresses that have been configured at some time since the last reading.
  ///   - isIncomplete: Whether others may have been, too.
  package mutating func observe(
    _ configured: Set<IPAddress>, seen: Set<IPAddress> = [], isIncomplete: Bool = false, at now: MonotonicInstant
  ) {
    for address in missing.keys where isIncomplete || seen.contains(address) { missing[address] = now }
    for address in present.subtracting(configured) { missing[address] = now }
    for address in configured { missing[address] = nil }
    // An address that came and went between two readings was configured, too.
    for address in seen.subtracting(configured) where !address.isLoopback { missing[address] = now }
    present = configured
    let excess = missing.count - Self.limit
    if excess > 0 {
      for address in missing.sorted(by: { $0.value < $1.value }).prefix(excess) { missing[address.key] = nil }
    }
  }

  /// Notes whether the path is satisfied, as far as is known.
  package mutating func observe(isSatisfied: Bool, at now: MonotonicInstant) {
    satisfiedSince = isSatisfied ? satisfiedSince ?? now : nil
  }

  /// The addresses that are due, with the moments at which they were found missing.
  package func due(at now: MonotonicInstant) -> [IPAddress: MonotonicInstant] {
    missing.filter { moment(after: $0.value).map { $0 <= now } ?? false }
  }

  /// The moment at which the next address is due as things stand; `nil` for never.
  package var nextDue: MonotonicInstant? { missing.values.min().flatMap { moment(after: $0) } }

  private func moment(after removal: MonotonicInstant) -> MonotonicInstant? {
    satisfiedSince.map { max($0, removal).advanced(by: grace) }
  }

  /// Forgets addresses whose connections were ended: no rule is left to apply to them until they are seen again.
  package mutating func forget(_ addresses: some Sequence<IPAddress>) {
    for address in addresses { missing[address] = nil }
  }
}
