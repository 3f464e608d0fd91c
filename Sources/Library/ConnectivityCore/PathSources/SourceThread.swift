internal import PathFollowing
internal import SystemIO

/// Follows the path for all monitors of the process with the same policy, as long as there is a subscription.
///
/// Its one thread reads changes and leaves them with the monitors. It calls no handler: a handler is called on its
/// queue.
final class SourceThread: Sendable {
  private enum Command: Sendable {
    case subscribe(Int, SourceFollowers.Member)
    case cancel(Int, settle: Duration?)
  }

  private struct Inbox {
    var commands: [Command] = []
    var nextNumber = 0
    var subscriptions = 0
    var isEnding = false
    /// Wakes the thread; `nil` while the process has no free descriptor, and the thread retries after a pause.
    var wakeup: Wakeup?
  }

  private static let all = Guarded<[SourceThread]>([])

  private let policy: FollowingPolicy
  private let inbox = Guarded(Inbox())

  /// The pauses after a failure, before the thread or its loop is created again.
  private static let (threadPause, loopPause) = (Duration.seconds(5), Duration.seconds(1))

  /// Delivers the path as it is, then each settled change, on the thread of the policy.
  ///
  /// - Returns: A closure that ends the subscription. A delivery that is under way may still come.
  static func subscribe(
    _ policy: FollowingPolicy, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries
  ) -> @Sendable () -> Void {
    do throws(SystemError) {
      return try join(policy, settle: settle, deliver)
    } catch {
      deliver(.lost(PathSourceError(.kernelUnavailable, message: error.description))).perform()
    }
    let end = Guarded<(@Sendable () -> Void)?>(nil)
    let retrying = Task {
      while true {
        do { try await Task.sleep(for: threadPause) } catch { return }
        guard let leave = try? join(policy, settle: settle, deliver) else { continue }
        end.withLock { $0 = leave }
        // A cancellation that ran before `end` was set had nothing to call.
        if Task.isCancelled { remove(end)?() }
        return
      }
    }
    return {
      retrying.cancel()
      remove(end)?()
    }
  }

  /// Subscribes to the thread of the policy, and creates the thread if there is none.
  private static func join(
    _ policy: FollowingPolicy, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries
  ) throws(SystemError) -> @Sendable () -> Void {
    try all.withLock { all throws(SystemError) in
      let running = all.first { $0.policy == policy }
      let thread = running ?? SourceThread(policy)
      let number = thread.add(settle, deliver)
      if running == nil {
        try SystemThread.start("pathmonitor") { thread.run() }
        all.append(thread)
      }
      return { thread.cancel(number, settle: settle) }
    }
  }

  private static func remove(_ end: Guarded<(@Sendable () -> Void)?>) -> (@Sendable () -> Void)? {
    end.withLock { end in
      defer { end = nil }
      return end
    }
  }

  private init(_ policy: FollowingPolicy) {
    self.policy = policy
  }

  private func add(_ settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> Int {
    let (number, wakeup) = inbox.withLock { inbox in
      inbox.nextNumber += 1
      inbox.subscriptions += 1
      inbox.commands.append(.subscribe(inbox.nextNumber, SourceFollowers.Member(settle: settle, deliver: deliver)))
      return (inbox.nextNumber, inbox.wakeup)
    }
    wakeup?.signal()
    return number
  }

  private func cancel(_ number: Int, settle: Duration?) {
    // The registry is locked too, so that no subscription joins a thread that has just decided to end.
    let wakeup = Self.all.withLock { all in
      inbox.withLock { inbox in
        inbox.subscriptions -= 1
        inbox.commands.append(.cancel(number, settle: settle))
        if inbox.subscriptions == 0 {
          inbox.isEnding = true
          all.removeAll { $0 === self }
        }
        return inbox.wakeup
      }
    }
    wakeup?.signal()
  }

  // MARK: On the thread

  private func run() {
    while true {
      do throws(SystemError) {
        return follow(try makeLoop())
      } catch {
        // The commands wait for the loop.
        let (commands, isEnding) = inbox.withLock { ($0.commands, $0.isEnding) }
        if isEnding { return }
        let lost = SourceUpdate.lost(PathSourceError(.kernelUnavailable, message: error.description))
        for case .subscribe(_, let member) in commands { member.deliver(lost).perform() }
        SystemThread.pause(for: Self.loopPause)
      }
    }
  }

  private func makeLoop() throws(SystemError) -> EventLoop {
    let loop = try EventLoop()
    let wakeup = try Wakeup()
    try loop.watch(wakeup.number) { _ in wakeup.clear() }
    inbox.withLock { $0.wakeup = wakeup }
    return loop
  }

  /// Follows the path until the last subscription has ended.
  private func follow(_ loop: EventLoop) {
    let followers = SourceFollowers(policy, loop: loop)
    while true {
      let (commands, isEnding) = inbox.withLock { inbox in
        defer { inbox.commands = [] }
        return (inbox.commands, inbox.isEnding)
      }
      if isEnding { return followers.stop() }
      for command in commands {
        switch command {
        case .subscribe(let number, let member): followers.add(number, member)
        case .cancel(let number, let settle): followers.remove(number, settle: settle)
        }
      }
      followers.removeDue().perform()
      // epoll_wait(2) fails for no reason that a running loop could give it.
      do throws(SystemError) { try loop.runOnce() } catch { SystemThread.pause(for: Self.loopPause) }
      followers.removeDue().perform()
    }
  }
}
