internal import CLinux

/// Wakes the thread that waits when a descriptor is readable, as long as another thread says so.
package final class Lookout: Sendable {
  private let epoll: OwnedDescriptor
  /// Readable when there is nothing to look out for any more.
  private let ending: Wakeup

  /// A lookout for nothing.
  ///
  /// - Throws: ``SystemError`` when the process has no descriptor left.
  package init() throws(SystemError) {
    epoll = OwnedDescriptor(owning: try systemCall("create a lookout") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    ending = try Wakeup()
    try control(EPOLL_CTL_ADD, ending.number, EventLoop.Readiness.readable.rawValue)
  }

  /// Adds a descriptor, until it is closed, which is not looked at yet.
  package func add(_ descriptor: Int32) throws(SystemError) {
    try control(EPOLL_CTL_ADD, descriptor, 0)
  }

  /// Wakes who waits, now or later, once, when the descriptor is readable; or does so no more. While it is not readable
  /// nobody is woken.
  package func look(at descriptor: Int32, _ isLookedAt: Bool) {
    let once = EventLoop.Readiness.readable.rawValue | EPOLLONESHOT.rawValue
    try? control(EPOLL_CTL_MOD, descriptor, isLookedAt ? once : 0)
  }

  /// Wakes everybody who waits, now or later.
  package func end() { ending.signal() }

  /// Waits to be woken.
  package func wait() {
    var event = clinux_event()
    // A signal wakes nobody.
    while unsafe clinux_epoll_wait(epoll.number, &event, 1, -1) < 0 {}
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) throws(SystemError) {
    try systemCall("look at descriptor \(descriptor)") {
      clinux_epoll_control(epoll.number, operation, descriptor, 0, events)
    }
  }
}
