import PathDecisions
import PathModel
import PathTestSupport

/// The kernel's entry for a router on a link that loses each fifth packet, while a program sends one datagram a second.
/// No answers of TCP confirm the entry, so the kernel's questions alone do. Times are seconds since midnight.
///
/// - Source: Linux's `net/core/neighbour.c`, with the times of `neigh_tbl.parms`.
struct LossyRouter {
  /// The router.
  static let router = RoutingFacts.Neighbour(.literal("192.0.2.1"), on: 2)

  private enum State {
    case failed
    case reachable(until: Int)
    case delayed(until: Int)
    case asking(tries: Int)
  }

  private var random: SeededGenerator
  private var state = State.failed
  private var confirmed = -1_000
  private var hasAddress = false
  /// When a packet could last be sent to the router, because the kernel had its hardware address.
  private(set) var sendable = -1_000

  /// The entry of a seed.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Lets a second pass, with a datagram.
  ///
  /// - Returns: The kernel's message, if there is one.
  mutating func pass(_ now: Int, isOn: Bool) -> NeighbourFacts? {
    switch state {
    case .reachable(let until): if now >= until { state = .delayed(until: now + 5) }
    case .delayed(let until): if now >= until { state = .asking(tries: 0) }
    case .failed: state = .asking(tries: 0)
    case .asking: break
    }
    // While it asks whether an address is still right, it sends to that.
    if hasAddress { sendable = now }
    guard case .asking(let tries) = state else { return nil }
    guard tries < 3 else {
      (state, hasAddress) = (.failed, false)
      return message(.failed, now)
    }
    state = .asking(tries: tries + 1)
    let isLost = (0..<2).contains { _ in Int.random(in: 0..<5, using: &random) == 0 }
    guard isOn, !isLost else { return nil }
    state = .reachable(until: now + Int.random(in: 15...45, using: &random))
    (confirmed, hasAddress, sendable) = (now, true, now)
    return message(.reachable, now)
  }

  private func message(_ state: RoutingFacts.NeighbourState, _ now: Int) -> NeighbourFacts {
    NeighbourFacts(Self.router, state, confirmedAgo: (now - confirmed) * 1_000_000)
  }
}
