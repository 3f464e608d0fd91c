internal import PathModel

/// The routers of the paths, as the kernel's neighbour entries have shown them since they are watched. Pure.
///
/// A router that was never seen to answer is no evidence, because some never answer. One that is not known counts as
/// reachable. If the kernel gives up a router that has answered before (`NUD_FAILED`), it sends nothing to the router
/// until it has its hardware address again. It asks for that with the next packet. The router has stopped answering
/// when the kernel has given it up twice in a row: once may be bad luck, and the kernel says the same when somebody
/// deletes the entry.
package struct RouterRecords: Hashable, Sendable {
  /// A router since it is watched.
  package struct Record: Hashable, Sendable {
    /// When it was last seen to answer, in microseconds since boot; `nil` for never. The kernel reports the first
    /// answer, not each further one.
    package fileprivate(set) var answered: Int?
    /// Since when it has not answered any more, in microseconds since boot; `nil` while it does, or is not known.
    package fileprivate(set) var failed: Int?
    /// Its hardware address when it last answered; empty while none is known.
    package fileprivate(set) var hardwareAddress: [UInt8] = []
    /// When the kernel has given it up for the first time in a row, in microseconds since boot.
    fileprivate var doubted: Int?

    /// Whether its next answer is news.
    fileprivate var isAwaited: Bool { answered == nil || failed != nil }
    /// The end of an Ethernet address.
    fileprivate var hardwareTail: UInt32? {
      hardwareAddress.count == 6 ? hardwareAddress.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
  }

  /// How long ago a router may have answered to count as reachable when it begins to be watched, in microseconds.
  private static let freshness = 60_000_000

  private struct Router: Hashable {
    let neighbour: RoutingFacts.Neighbour
    var record = Record()
  }

  private var routers: [Router] = [] {
    didSet {
      awaited = routers.filter(\.record.isAwaited).map(\.neighbour.address)
      let others = routers.filter { !awaited.contains($0.neighbour.address) }
      answering = others.map(\.neighbour.address)
      hardwareTails = others.reduce(into: [:]) { $0[$1.neighbour.address] = $1.record.hardwareTail }
    }
  }
  /// The routers whose next answer is news, and the others. Each evaluation asks for them, and they change rarely.
  private var (awaited, answering): ([IPAddress], [IPAddress]) = ([], [])
  private var hardwareTails: [IPAddress: UInt32] = [:]

  /// No router is watched.
  package init() {}

  /// The record of a router; `nil` when it is not watched.
  package subscript(neighbour: RoutingFacts.Neighbour) -> Record? { position(of: neighbour).map { routers[$0].record } }

  private func position(of neighbour: RoutingFacts.Neighbour) -> Int? {
    routers.firstIndex { $0.neighbour == neighbour }
  }

  /// The routers that are watched.
  package var neighbours: [RoutingFacts.Neighbour] { routers.map(\.neighbour) }

  /// The routers that have stopped answering.
  package var failed: [RoutingFacts.Neighbour] { routers.filter { $0.record.failed != nil }.map(\.neighbour) }

  /// Adds the routers to a watch whose next answer is news, and those whose next answer is none.
  ///
  /// - Parameter neighbours: The routers of the paths; those that are not watched yet are waited for, too.
  package func wait(for neighbours: [RoutingFacts.Neighbour], in watch: inout RouterWatch) {
    (watch.awaited, watch.answering, watch.hardwareTails) = (awaited, answering, hardwareTails)
    for neighbour in neighbours where position(of: neighbour) == nil {
      if !watch.awaited.contains(neighbour.address) { watch.awaited.append(neighbour.address) }
      watch.answering.removeAll { $0 == neighbour.address }
    }
  }

  /// Watches these routers, too. Former ones stay, because a path that goes away is likely to come back, until there
  /// are too many.
  package mutating func watch(_ neighbours: [RoutingFacts.Neighbour]) {
    var next = routers
    if next.count + neighbours.count > RouterWatch.limit { next.removeAll { !neighbours.contains($0.neighbour) } }
    for neighbour in neighbours where !next.contains(where: { $0.neighbour == neighbour }) {
      next.append(Router(neighbour: neighbour))
    }
    if next != routers { routers = next }
  }

  /// Applies an entry of the kernel. Those of neighbours that are not watched change nothing. Each failure is to be
  /// applied once, as the kernel reports it.
  ///
  /// - Parameter now: The time of the entry, in microseconds since boot.
  /// - Returns: Whether it is news.
  package mutating func observe(_ entry: NeighbourFacts, at now: Int) -> Bool {
    guard let position = position(of: entry.neighbour) else { return false }
    let former = routers[position].record
    var record = former
    switch entry.state {
    case .reachable: (record.answered, record.failed) = (now, nil)
    case .stale:
      // The hardware address is known again, from a packet of the router itself or an answer that is older.
      record.failed = nil
      if let ago = entry.confirmedAgo, ago < Self.freshness { record.answered = max(former.answered ?? 0, now - ago) }
    case .incomplete: break
    case .failed:
      guard let answered = former.answered, former.failed == nil else { break }
      let last = max(answered, entry.confirmedAgo.map { now - $0 } ?? answered)
      if let doubted = former.doubted, last <= doubted { record.failed = now } else { record.doubted = now }
    }
    if entry.state != .failed, !entry.hardwareAddress.isEmpty { record.hardwareAddress = entry.hardwareAddress }
    if record != former { routers[position].record = record }
    return record != former
  }

  /// Forgets what was seen over an interface, which may be connected to another network next time.
  ///
  /// - Returns: Whether anything was known.
  package mutating func forget(over interfaceIndex: Int32) -> Bool {
    let next = routers.map {
      $0.neighbour.interfaceIndex == interfaceIndex ? Router(neighbour: $0.neighbour) : $0
    }
    defer { if next != routers { routers = next } }
    return next != routers
  }
}
