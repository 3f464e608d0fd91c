internal import KernelPath
internal import PathDecisions
internal import SystemIO

/// The routers whose reachability decides which routes the kernel takes.
extension PathEngine {
  /// Follows the current routers. If they are new, it evaluates again, because they may have changed before.
  func followRouters() {
    let routers = reader.routers
    let followed = reader.kernel.followedRouters
    if !followed.suffices(for: routers),
      reader.kernel.follow(routers.following(followed), recording: reader.neighbours)
    {
      evaluate()
    }
    schedule.routersFollowed()
    timers.set(by: schedule)
  }
}
