package import PathModel

/// The changes that can make an evaluation wrong without a message about links, addresses, routes or rules.
struct SilentChanges {
  /// The time after which to evaluate again at the latest; `nil` when nothing changes by itself.
  private(set) var reevaluateAfter: Duration?
  /// The routers whose reachability decides which routes the kernel takes.
  private(set) var routers = RouterWatch()

  /// The margin after the end of a route's life as the kernel reports it. The kernel rounds down to hundredths of a
  /// second, and ends the route with the tick after its time, which comes a hundred times a second or more often. An
  /// earlier lookup would still find the route, but without an expiry.
  private static let expiryMargin = Duration.milliseconds(30)
  /// The pause between comparisons of routes of equal metric while no neighbour changes: the kernel announces most but
  /// not all states of a neighbour.
  private static let rivalPause = Duration.seconds(30)

  init(
    _ batches: [PathEvaluation.Batch], _ families: [PathEvaluation.FamilyVerdict],
    _ rivals: [PathEvaluation.Availability]
  ) {
    var moments: [Duration] = []
    for batch in batches {
      for index in batch.queries.indices where batch.queries[index].kind == .match {
        guard case .route(let route) = batch.answers[index], let expires = route.expires, expires > 0 else { continue }
        // The lifetime ends silently: the message about it comes up to 30 s later.
        moments.append(.milliseconds(10 * Int(expires)) + Self.expiryMargin)
      }
    }
    for family in families {
      let gateways = family.primaryLegs.compactMap(\.gateway)
      if family.alternates || rivals.contains(where: { $0.family == family.family }) {
        moments.append(Self.rivalPause)
        routers.rivals += gateways
      } else {
        routers.current += gateways
      }
    }
    routers.rivals += rivals.compactMap(\.leg.gateway)
    reevaluateAfter = moments.min()
  }
}

/// The routers whose reachability decides which routes the kernel takes. The kernel moves between routes of equal
/// metric as neighbours come and go, and announces nothing but the state of the neighbour (`RTM_NEWNEIGH`).
package struct RouterWatch: Hashable, Sendable {
  /// The routers in use. If one fails, the kernel may replace it with a router that is unknown here.
  package var current: [IPAddress] = []
  /// The routers of routes with equal metrics over different interfaces. The kernel may move whenever one of them
  /// changes.
  package var rivals: [IPAddress] = []

  /// The most routers of either kind that are followed; the limit bounds the length of the kernel's event filter.
  package static let limit = 64

  /// Whether there is no router.
  package var isEmpty: Bool { current.isEmpty && rivals.isEmpty }

  /// No router.
  package init() {}

  /// Whether following these routers covers the others, too. An empty watch is always covered: without a path there is
  /// no router, and those of the last path may be back in a moment.
  package func suffices(for others: RouterWatch) -> Bool { others.isEmpty || others == self }

  /// Adds the routers of another path.
  package mutating func formUnion(_ other: RouterWatch) {
    current += other.current.filter { !current.contains($0) }
    rivals += other.rivals.filter { !rivals.contains($0) }
  }
}
