/// Finds out when an evaluation may become wrong without any message of links, addresses, routes or rules.
struct SilentChanges {
  /// When to evaluate again at the latest; `nil` when nothing changes by itself.
  private(set) var reevaluateAfter: Duration?
  /// The routers whose reachability the kernel chooses routes by.
  private(set) var routers = RouterWatch()

  /// How much longer a route may live than the kernel says: it rounds down to hundredths of a second, and ends the route
  /// with the tick after its time, which comes a hundred times a second or more often. An earlier lookup would find the
  /// route there, with no end any more.
  private static let expiryMargin = Duration.milliseconds(30)
  /// How often routes of equal metric are compared although no neighbour has changed: the kernel announces most but not
  /// all states of a neighbour.
  private static let rivalPause = Duration.seconds(30)

  init(
    _ batches: [PathEvaluation.Batch], _ families: [PathEvaluation.FamilyVerdict],
    _ rivals: [PathEvaluation.Availability]
  ) {
    var moments: [Duration] = []
    for batch in batches {
      for index in batch.queries.indices where batch.queries[index].kind == .match {
        guard case .route(let route) = batch.answers[index], let expires = route.expires, expires > 0 else { continue }
        // The lifetime ends without a message, which comes up to 30 s later.
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

/// The routers whose reachability the kernel chooses routes by. It moves between routes of equal metric as neighbours
/// come and go, and announces nothing but the state of the neighbour (`RTM_NEWNEIGH`).
package struct RouterWatch: Hashable, Sendable {
  /// The routers in use: the kernel may leave one that fails for another of which nothing is known here.
  package var current: [IPAddress] = []
  /// The routers of routes with equal metrics over different interfaces: the kernel may move whenever one of them changes.
  package var rivals: [IPAddress] = []

  /// The most routers of either kind that are followed; it bounds the length of the kernel's event filter.
  package static let limit = 64

  /// Whether there is none.
  package var isEmpty: Bool { current.isEmpty && rivals.isEmpty }

  /// No router.
  package init() {}

  /// Whether listening for these says all that listening for others would. Without a path there is no router: those of the
  /// last one may be back in a moment.
  package func suffices(for others: RouterWatch) -> Bool { others.isEmpty || others == self }

  /// Adds those of another path.
  package mutating func formUnion(_ other: RouterWatch) {
    current += other.current.filter { !current.contains($0) }
    rivals += other.rivals.filter { !rivals.contains($0) }
  }
}
