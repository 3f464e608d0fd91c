internal import KernelPath
internal import PathDecisions
internal import SystemIO

/// The routers whose reachability decides which routes the kernel takes.
extension PathEngine {
  /// Schedules the following of the routers by which the kernel chooses routes.
  func scheduleRouters(at now: MonotonicInstant) {
    let routers = inquiry.routers
    if routers.isEmpty || schedule.routersDue != nil || inquiry.kernel.followedRouters.suffices(for: routers) { return }
    schedule.routersChanged(at: now)
    routerTimer?.set(schedule.routersDue)
  }

  /// Follows the current routers. If they are new, it evaluates again, because they may have changed before.
  func followRouters() {
    let routers = inquiry.routers
    let followed = inquiry.kernel.followedRouters
    if !followed.suffices(for: routers), inquiry.kernel.follow(routers.following(followed)) { evaluate(anew: .all) }
    schedule.routersFollowed()
    routerTimer?.set(nil)
  }
}
