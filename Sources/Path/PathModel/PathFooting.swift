/// The way of the path that a program has begun with. Later paths are compared with it, however many lie between: a
/// path that returns to that way is no change.
///
/// A network comes back in pieces: IPv6 at once and IPv4 some seconds later, an address by SLAAC before that by DHCP.
/// So a source that is missing, while nothing says that the network is another one, has some seconds to come back
/// before it counts as gone.
package struct PathFooting<Instant: InstantProtocol & Sendable>: Hashable, Sendable
where Instant.Duration == Duration {
  /// The way of one family.
  private struct Way: Hashable {
    /// The source address; `nil` if the path names none.
    var source: IPAddress?
    /// The routers of the interface that carries the traffic.
    var gateways: Set<IPAddress> = []
    /// The moment since which the source has been missing; `nil` while it is there.
    var missingSince: Instant?
  }

  /// How long a source may be missing before it counts as gone.
  package static var patience: Duration { .seconds(10) }
  /// The length of the prefix that the IPv6 addresses of a link have in common (RFC 4291).
  private static var subnetLength: Int { 64 }

  /// The ways of the families that the program could use.
  private var ways: [IPAddress.Family: Way] = [:]
  /// The addresses of the interface that carries the traffic.
  private var addresses: Set<NetworkInterface.Address>
  /// The index of that interface; `nil` if the path names none.
  private var index: Int?
  /// Whether the path has been expensive since the beginning.
  private var isExpensive: Bool

  /// The way of a satisfied path.
  package init(_ path: NetworkPath) {
    let carrier = path.interfaces.first
    for source in path.sourceAddresses.reversed() { ways[source.family] = Way(source: source) }
    for gateway in path.carrierGateways { ways[gateway.family, default: Way()].gateways.insert(gateway) }
    addresses = Set(carrier?.addresses ?? [])
    index = carrier?.index
    isExpensive = path.isExpensive
  }

  /// The moment at which a missing source counts as gone; `nil` for none that is missing, or gone already.
  package func due(after now: Instant) -> Instant? {
    ways.values.compactMap { $0.missingSince?.advanced(by: Self.patience) }.filter { now < $0 }.min()
  }

  /// The changes from this way to that of a path. A path that is not satisfied, or not known, leads no way, so there
  /// are none.
  ///
  /// A family that the beginning lacked is adopted from the path: it may be in use when it goes.
  package mutating func changes(to path: NetworkPath, at now: Instant) -> PathChanges {
    guard path.status == .satisfied, path.knowledge == .known else {
      interrupt()
      return []
    }
    let other = PathFooting(path)
    var changes: PathChanges = []
    let isBlind = !hasSources || !other.hasSources
    var awaited: Set<IPAddress.Family> = []
    for (family, way) in ways where !isBlind {
      let next = other.ways[family]
      let isAway = way.source.map { isMissing($0, next?.source, on: path) } ?? false
      ways[family]?.missingSince = isAway ? way.missingSince ?? now : nil
      if isAway, !isGone(family, at: now) {
        awaited.insert(family)
      } else if let source = way.source, Self.isOther(source, next?.source, on: path) {
        changes.insert(.source)
      }
    }
    if isBlind, hasOtherAddresses(other) { changes.insert(.source) }
    if index != other.index { changes.insert(.interface) }
    for (family, way) in ways where !awaited.contains(family) && !way.gateways.isEmpty {
      if way.gateways != other.ways[family]?.gateways ?? [] { changes.insert(.gateway) }
    }
    let differing = addresses.symmetricDifference(other.addresses)
    if differing.contains(where: { !awaited.contains($0.address.family) }) { changes.insert(.addresses) }
    if isExpensive, !path.isExpensive, !path.isExpenseUndetermined { changes.insert(.better) }
    adopt(other)
    isExpensive = isExpensive || path.isExpensive
    return changes
  }

  /// Notes that there is no path to compare: a source that is missing has not had the time to come back.
  package mutating func interrupt() {
    for family in ways.keys { ways[family]?.missingSince = nil }
  }

  /// Takes the way of a path for that of the program from now on, but keeps waiting for sources that are missing.
  package mutating func move(to path: NetworkPath, at now: Instant) {
    var next = PathFooting(path)
    for (family, way) in ways where way.missingSince != nil && !isGone(family, at: now) {
      next.ways[family] = way
      next.addresses = next.addresses.filter { $0.address.family != family }
        .union(addresses.filter { $0.address.family == family })
    }
    self = next
  }

  private mutating func adopt(_ other: PathFooting) {
    for (family, way) in other.ways {
      ways[family, default: Way()].source = ways[family]?.source ?? way.source
      if ways[family]?.gateways.isEmpty == true { ways[family]?.gateways = way.gateways }
    }
  }

  // MARK: Sources

  private var hasSources: Bool { ways.values.contains { $0.source != nil } }

  private func isGone(_ family: IPAddress.Family, at now: Instant) -> Bool {
    ways[family]?.missingSince.map { $0.advanced(by: Self.patience) <= now } ?? false
  }

  /// Whether a source is away, and the path has nothing in its place that says that it is another network.
  private func isMissing(_ source: IPAddress, _ next: IPAddress?, on path: NetworkPath) -> Bool {
    guard let next else { return true }
    return source != next && source.family == .ipv6 && source.matches(next, prefixLength: Self.subnetLength)
      && index == path.interfaces.first?.index && !path.interfaces.contains { $0.hasAddress(source) }
  }

  /// Whether connections over a source are lost now that the kernel gives another one to new connections.
  private static func isOther(_ source: IPAddress, _ next: IPAddress?, on path: NetworkPath) -> Bool {
    guard let next, source != next else { return next == nil }
    if source.family == .ipv4 { return true }
    // The kernel prefers a younger IPv6 address, and connections over the former one go on, unless the network has
    // given up its prefix.
    guard let interface = path.interfaces.first(where: { $0.hasAddress(source) && $0.hasAddress(next) }) else {
      return true
    }
    return interface.deprecatedPrefixes.contains { $0.contains(source) && !$0.contains(next) }
  }

  /// Whether the path, of an older service or of sockets bound to an interface, has other addresses than before.
  private func hasOtherAddresses(_ other: PathFooting) -> Bool {
    IPAddress.Family.allCases.contains { family in
      let former = addresses.filter { $0.address.family == family }
      return !former.isEmpty && former != other.addresses.filter { $0.address.family == family }
    }
  }
}

extension NetworkPath {
  /// The routers of the interface that carries the traffic, and those that no other interface can have brought.
  fileprivate var carrierGateways: [IPAddress] { keeping(Array(interfaces.prefix(1))).gateways }
}
