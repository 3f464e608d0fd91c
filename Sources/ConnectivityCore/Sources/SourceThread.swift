internal import PathModel
internal import SystemIO

/// The thread that follows the path for all monitors of the process with the same origin. It lives as long as there is
/// a subscription.
final class SourceThread: Sendable {
  private enum Command: Sendable {
    case subscribe(Int, settle: Duration?, @Sendable (SourceUpdate) -> Void)
    case cancel(Int)
  }

  private struct Mailbox {
    var commands: [Command] = []
    var nextNumber = 0
    var subscriptions = 0
    var isEnding = false
  }

  private static let threads = Guarded<[SourceOrigin: SourceThread]>([:])

  private let origin: SourceOrigin
  private let mailbox = Guarded(Mailbox())
  /// `nil` when the process has no descriptor left: then the thread looks now and then.
  private let wakeup = try? Wakeup()

  /// How long after it could not be made a thread is tried again.
  private static let retryPause = Duration.seconds(5)

  /// Delivers the path as it is, then each settled change, on the thread of the origin.
  ///
  /// - Returns: What ends it. A delivery that is under way may still come.
  static func subscribe(
    _ origin: SourceOrigin, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Void
  ) -> @Sendable () -> Void {
    do throws(SystemError) {
      return try join(origin, settle: settle, deliver)
    } catch {
      deliver(.lost(PathSourceError(.kernelUnavailable, message: error.description)))
    }
    let end = Guarded<(@Sendable () -> Void)?>(nil)
    let retrying = Task {
      while true {
        do { try await Task.sleep(for: retryPause) } catch { return }
        guard let leave = try? join(origin, settle: settle, deliver) else { continue }
        end.withLock { $0 = leave }
        // Who ended it meanwhile has not seen what to call.
        if Task.isCancelled { take(end)?() }
        return
      }
    }
    return {
      retrying.cancel()
      take(end)?()
    }
  }

  /// Subscribes to the thread of the origin, which is made unless it is there.
  private static func join(
    _ origin: SourceOrigin, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Void
  ) throws(SystemError) -> @Sendable () -> Void {
    try threads.withLock { threads throws(SystemError) in
      let thread = threads[origin] ?? SourceThread(origin)
      let number = thread.add(settle, deliver)
      if threads[origin] == nil {
        try SystemThread.start("pathmonitor") { thread.run() }
        threads[origin] = thread
      }
      return { thread.cancel(number) }
    }
  }

  private static func take(_ end: Guarded<(@Sendable () -> Void)?>) -> (@Sendable () -> Void)? {
    end.withLock { end in
      defer { end = nil }
      return end
    }
  }

  private init(_ origin: SourceOrigin) {
    self.origin = origin
  }

  private func add(_ settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Void) -> Int {
    let number = mailbox.withLock { mailbox in
      mailbox.nextNumber += 1
      mailbox.subscriptions += 1
      mailbox.commands.append(.subscribe(mailbox.nextNumber, settle: settle, deliver))
      return mailbox.nextNumber
    }
    wakeup?.signal()
    return number
  }

  private func cancel(_ number: Int) {
    // The registry is locked too, so that nobody subscribes to a thread that has just decided to end.
    Self.threads.withLock { threads in
      mailbox.withLock { mailbox in
        mailbox.subscriptions -= 1
        mailbox.commands.append(.cancel(number))
        guard mailbox.subscriptions == 0 else { return }
        mailbox.isEnding = true
        threads[origin] = nil
      }
    }
    wakeup?.signal()
  }

  // MARK: On the thread

  /// Who is told what, by subscription.
  private typealias Members = [Int: (settle: Duration?, deliver: @Sendable (SourceUpdate) -> Void)]

  private func run() {
    var members: Members = [:]
    while true {
      do throws(SystemError) {
        return try follow(&members)
      } catch {
        // Without an event queue nothing can be followed: those who wait are told so, and we try again.
        let lost = SourceUpdate.lost(PathSourceError(.kernelUnavailable, message: error.description))
        let isEnding = takeCommands(
          subscribe: { number, settle, deliver in
            members[number] = (settle, deliver)
            deliver(lost)
          }, cancel: { members[$0] = nil })
        if isEnding { return }
        SystemThread.pause(for: .seconds(1))
      }
    }
  }

  /// Follows the path until the last subscription ends.
  private func follow(_ members: inout Members) throws(SystemError) {
    let loop = try EventLoop()
    let kernel = KernelAccess(loop: loop, origin: origin)
    var feeds: [Duration?: SourceFeed] = [:]
    defer { for feed in feeds.values { feed.stop() } }
    func join(_ number: Int, _ settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Void) {
      if let feed = feeds[settle] { return feed.add(number, deliver) }
      let feed = SourceFeed(loop: loop, origin: origin, settle: settle, kernel: kernel)
      feeds[settle] = feed
      feed.add(number, deliver)
      feed.start()
    }
    if let wakeup { try loop.watch(wakeup.number) { _ in wakeup.clear() } }
    for (number, member) in members { join(number, member.settle, member.deliver) }
    while true {
      let isEnding = takeCommands(
        subscribe: { number, settle, deliver in
          members[number] = (settle, deliver)
          join(number, settle, deliver)
        },
        cancel: { number in
          guard let member = members.removeValue(forKey: number), let feed = feeds[member.settle] else { return }
          feed.remove(number)
          guard feed.isEmpty else { return }
          feed.stop()
          feeds[member.settle] = nil
        })
      if isEnding { return }
      try loop.runOnce(until: wakeup == nil ? MonotonicInstant.now.advanced(by: .seconds(1)) : nil)
    }
  }

  /// Does what was asked for since the last call. Returns whether the thread has to end.
  private func takeCommands(
    subscribe: (Int, Duration?, @escaping @Sendable (SourceUpdate) -> Void) -> Void, cancel: (Int) -> Void
  ) -> Bool {
    let (commands, isEnding) = mailbox.withLock { mailbox in
      defer { mailbox.commands = [] }
      return (mailbox.commands, mailbox.isEnding)
    }
    for command in commands {
      switch command {
      case .subscribe(let number, let settle, let deliver): subscribe(number, settle, deliver)
      case .cancel(let number): cancel(number)
      }
    }
    return isEnding
  }
}
