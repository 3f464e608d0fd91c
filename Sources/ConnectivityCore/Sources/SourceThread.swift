internal import PathModel
internal import SystemIO

/// Follows the path for all monitors of the process with the same origin, as long as there is a subscription.
///
/// One thread does it, which calls handlers by itself when it can; from the first such call on there is another one that
/// follows the path meanwhile.
final class SourceThread: Sendable {
  private enum Command: Sendable {
    case subscribe(Int, SourceLoop.Member)
    case cancel(Int)
  }

  private struct Mailbox {
    var commands: [Command] = []
    var nextNumber = 0
    var subscriptions = 0
    var isEnding = false
  }

  private static let all = Guarded<[SourceOrigin: SourceThread]>([:])

  private let origin: SourceOrigin
  private let mailbox = Guarded(Mailbox())
  /// `nil` when the process has no descriptor left: then the thread looks now and then.
  private let wakeup = try? Wakeup()
  /// `nil` when the process has no descriptor left: then all calls are left to their queues.
  private let threads = try? LeaderAndFollower()
  /// What belongs to the thread that leads; its lock is never waited for, and deliveries are made without it.
  private let work = Guarded(Work())

  /// How long after it could not be made a thread is tried again.
  private static let retryPause = Duration.seconds(5)

  /// Delivers the path as it is, then each settled change, on a thread of the origin, which then makes the call that is
  /// due.
  ///
  /// - Returns: What ends it. A delivery that is under way may still come.
  static func subscribe(
    _ origin: SourceOrigin, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries
  ) -> @Sendable () -> Void {
    do throws(SystemError) {
      return try join(origin, settle: settle, deliver)
    } catch {
      deliver(.lost(PathSourceError(.kernelUnavailable, message: error.description))).perform()
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
    _ origin: SourceOrigin, settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries
  ) throws(SystemError) -> @Sendable () -> Void {
    try all.withLock { all throws(SystemError) in
      let thread = all[origin] ?? SourceThread(origin)
      let number = thread.add(settle, deliver)
      if all[origin] == nil {
        try SystemThread.start("pathmonitor") { thread.run() }
        all[origin] = thread
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

  private func add(_ settle: Duration?, _ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> Int {
    let number = mailbox.withLock { mailbox in
      mailbox.nextNumber += 1
      mailbox.subscriptions += 1
      mailbox.commands.append(.subscribe(mailbox.nextNumber, SourceLoop.Member(settle: settle, deliver: deliver)))
      return mailbox.nextNumber
    }
    wakeup?.signal()
    return number
  }

  private func cancel(_ number: Int) {
    // The registry is locked too, so that nobody subscribes to a thread that has just decided to end.
    Self.all.withLock { all in
      mailbox.withLock { mailbox in
        mailbox.subscriptions -= 1
        mailbox.commands.append(.cancel(number))
        guard mailbox.subscriptions == 0 else { return }
        mailbox.isEnding = true
        all[origin] = nil
      }
    }
    wakeup?.signal()
  }

  // MARK: On the threads

  private struct Work {
    /// Who is told what, by subscription.
    var members: [Int: SourceLoop.Member] = [:]
    /// `nil` while there can be none.
    var loop: SourceLoop?
    var hasFollower = false
  }

  /// The next action of the thread that leads.
  private enum Round {
    /// Makes the deliveries. The loop, by its descriptor, can be left to the other thread meanwhile; not if it is `nil`.
    case deliver(Deliveries, loop: Int32?)
    /// Makes the deliveries and waits, as nothing can be followed now.
    case pause(Deliveries)
    /// Makes the deliveries and ends, as the last subscription has.
    case end(Deliveries)
  }

  private func run() {
    repeat { lead() } while threads?.follow() == true
  }

  /// Follows the path until the last subscription has ended, or the other thread leads.
  private func lead() {
    while true {
      switch work.withLock({ nextRound(&$0) }) {
      case .deliver(let due, let loop):
        due.wakeReceivers()
        // This thread can make one call alone; the others do not wait for it.
        for call in due.runs.dropLast() { call.schedule() }
        if let call = due.runs.last, !make(call, besides: loop) { return }
      case .pause(let due):
        due.perform()
        SystemThread.pause(for: .seconds(1))
      case .end(let due):
        due.perform()
        threads?.end()
        return
      }
    }
  }

  /// Makes a call of a handler, or leaves it to its queue. Returns whether this thread still leads then.
  ///
  /// - Parameter loop: The descriptor of the loop; `nil` when it cannot be left alone.
  private func make(_ call: HandlerRun, besides loop: Int32?) -> Bool {
    guard let threads, let loop, call.mayBeCalledAnywhere else {
      call.schedule()
      return true
    }
    if let leads = threads.stepAside(from: loop, { call.callHere() }) { return leads }
    call.schedule()
    work.withLock { work in
      if work.hasFollower { return }
      let started: Void? = try? SystemThread.start("pathmonitor") { if threads.follow() { self.run() } }
      work.hasFollower = started != nil
    }
    return true
  }

  /// Follows the path until something is to be delivered.
  private func nextRound(_ work: inout Work) -> Round {
    do throws(SystemError) {
      return try follow(&work)
    } catch {
      // Without an event queue nothing can be followed: new subscribers are told so, and we try again.
      var due = work.loop?.stop() ?? Deliveries()
      work.loop = nil
      let lost = SourceUpdate.lost(PathSourceError(.kernelUnavailable, message: error.description))
      let isEnding = takeCommands(
        subscribe: { number, member in
          work.members[number] = member
          due.add(member.deliver(lost))
        }, cancel: { work.members[$0] = nil })
      return isEnding ? .end(due) : .pause(due)
    }
  }

  private func follow(_ work: inout Work) throws(SystemError) -> Round {
    let loop: SourceLoop
    if let present = work.loop {
      loop = present
    } else {
      loop = try SourceLoop(origin, wakeup: wakeup, members: work.members)
      work.loop = loop
      if let threads { try loop.add(to: threads) }
    }
    while true {
      let isEnding = takeCommands(
        subscribe: { number, member in
          work.members[number] = member
          loop.add(number, member)
        },
        cancel: { number in
          guard let member = work.members.removeValue(forKey: number) else { return }
          loop.remove(number, member)
        })
      if isEnding {
        work.loop = nil
        return .end(loop.stop())
      }
      let due = try loop.runOnce()
      if !due.isEmpty { return .deliver(due, loop: loop.number) }
    }
  }

  /// Does what was asked for since the last call. Returns whether the threads have to end.
  private func takeCommands(
    subscribe: (Int, SourceLoop.Member) -> Void, cancel: (Int) -> Void
  ) -> Bool {
    let (commands, isEnding) = mailbox.withLock { mailbox in
      defer { mailbox.commands = [] }
      return (mailbox.commands, mailbox.isEnding)
    }
    for command in commands {
      switch command {
      case .subscribe(let number, let member): subscribe(number, member)
      case .cancel(let number): cancel(number)
      }
    }
    return isEnding
  }
}
