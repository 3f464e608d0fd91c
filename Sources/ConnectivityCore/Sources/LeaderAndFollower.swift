internal import SystemIO

/// Two threads that take turns at running an event loop: one leads, the other follows (the pattern "leader/followers").
///
/// The leader can do by itself what may take any time, as a program's handler does: when something is ready in the loop
/// meanwhile, who follows leads on, and who comes back follows. So nobody has to be woken for what is done quickly, and
/// nothing is late for what is not.
final class LeaderAndFollower: Sendable {
  private enum Lead {
    /// A thread leads.
    case taken
    /// The leader is away: it leads on when it comes back, unless the follower does.
    case free
    /// The work is done.
    case over
  }

  private struct State {
    var lead = Lead.taken
    var isFollowed = false
  }

  private let state = Guarded(State())
  private let lookout: Lookout

  /// - Throws: ``SystemError`` when the process has no descriptor left.
  init() throws(SystemError) {
    lookout = try Lookout()
  }

  /// Has the follower look at a loop, by its descriptor, whenever the leader steps aside from it.
  func add(_ loop: Int32) throws(SystemError) { try lookout.add(loop) }

  /// Does what may take long, as the leader.
  ///
  /// - Parameter loop: Its descriptor. It has no timer: the follower would not notice that one is due.
  /// - Returns: Whether the thread that asks still leads; `nil` if nothing was done, since nobody follows.
  func stepAside(from loop: Int32, _ body: () -> Void) -> Bool? {
    let isFollowed = state.withLock { state in
      if state.isFollowed { state.lead = .free }
      return state.isFollowed
    }
    if !isFollowed { return nil }
    lookout.look(at: loop, true)
    body()
    return state.withLock { state in
      guard state.lead == .free else { return false }
      state.lead = .taken
      lookout.look(at: loop, false)
      return true
    }
  }

  /// Waits until the lead is free and there is something to do, and takes it.
  ///
  /// - Returns: Whether the thread that asks leads now; if not, the work is over.
  func follow() -> Bool {
    state.withLock { $0.isFollowed = true }
    while true {
      lookout.wait()
      // The leader may have come back just now.
      let lead = state.withLock { state in
        defer { if state.lead == .free { state = State() } }
        return state.lead
      }
      switch lead {
      case .over: return false
      case .free: return true
      case .taken: continue
      }
    }
  }

  /// Ends the work, as the leader.
  func end() {
    state.withLock { $0.lead = .over }
    lookout.end()
  }
}
