internal import Foundation
internal import KernelPath
internal import PathEngine
internal import PathModel
internal import SystemIO

/// The thread that runs the engine for all monitors of the process with the same probes. It lives as long as
/// there is a subscription.
final class EngineThread: Sendable {
  /// A place among those who are told.
  struct Subscription: Sendable {
    fileprivate let thread: EngineThread
    fileprivate let number: Int

    /// Ends it. A delivery that is under way may still come.
    func cancel() { thread.cancel(number) }
  }

  private enum Command: Sendable {
    case subscribe(Int, SettleTimes, @Sendable (NetworkPath) -> Void)
    case cancel(Int)
  }

  private struct Mailbox {
    var commands: [Command] = []
    var nextNumber = 0
    var subscriptions = 0
    var isEnding = false
  }

  private static let threads = Guarded<[ProbeAddresses: EngineThread]>([:])

  private let probes: ProbeAddresses
  private let mailbox = Guarded(Mailbox())
  /// `nil` when the process has no descriptor left: then the thread looks now and then.
  private let wakeup = try? Wakeup()

  /// Delivers the path as it is, then each settled change, on the engine's thread.
  static func subscribe(
    _ times: SettleTimes, probes: ProbeAddresses, _ deliver: @escaping @Sendable (NetworkPath) -> Void
  ) -> Subscription {
    threads.withLock { threads in
      let thread = threads[probes] ?? EngineThread(probes)
      if threads[probes] == nil {
        threads[probes] = thread
        thread.start()
      }
      return thread.add(times, deliver)
    }
  }

  private init(_ probes: ProbeAddresses) {
    self.probes = probes
  }

  private func add(_ times: SettleTimes, _ deliver: @escaping @Sendable (NetworkPath) -> Void) -> Subscription {
    let number = mailbox.withLock { mailbox in
      mailbox.nextNumber += 1
      mailbox.subscriptions += 1
      mailbox.commands.append(.subscribe(mailbox.nextNumber, times, deliver))
      return mailbox.nextNumber
    }
    wakeup?.signal()
    return Subscription(thread: self, number: number)
  }

  private func cancel(_ number: Int) {
    // The registry is locked too, so that nobody subscribes to a thread that has just decided to end.
    Self.threads.withLock { threads in
      mailbox.withLock { mailbox in
        mailbox.subscriptions -= 1
        mailbox.commands.append(.cancel(number))
        guard mailbox.subscriptions == 0 else { return }
        mailbox.isEnding = true
        threads[probes] = nil
      }
    }
    wakeup?.signal()
  }

  // MARK: On the thread

  private func start() {
    let thread = Thread { [self] in run() }
    thread.name = "pathmonitor"
    thread.start()
  }

  /// Who is told what, by subscription.
  private typealias Members = [Int: (times: SettleTimes, deliver: @Sendable (NetworkPath) -> Void)]

  private func run() {
    var members: Members = [:]
    while true {
      do throws(KernelPathError) {
        try follow(&members)
        return
      } catch {
        // Our failure is never "offline": those who wait are told that nothing is known, and we try again.
        let isEnding = takeCommands(
          subscribe: { number, times, deliver in
            members[number] = (times, deliver)
            deliver(.unknown)
          }, cancel: { members[$0] = nil })
        if isEnding { return }
        Thread.sleep(forTimeInterval: 5)
      }
    }
  }

  /// Runs an engine until the last subscription ends.
  private func follow(_ members: inout Members) throws(KernelPathError) {
    let loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
    var configuration = PathInquiry.Configuration()
    // What the administrator says counts without the service, too. A mistake in it is told by pathctl and the service.
    if let files = try? ConfigurationFiles.read(nil) { configuration.apply(files.configuration) }
    if probes != .standard { configuration.probes = probes }
    let engine = try PathEngine(loop: loop, configuration: configuration)
    defer { engine.stop() }
    if let overrides = try? OverrideStore.read(OverrideStore.path(forSocket: nil)) { engine.setOverrides(overrides) }
    if let wakeup {
      try KernelPathError.translating { () throws(SystemError) in
        try loop.watch(wakeup.number) { _ in wakeup.clear() }
      }
    }
    var subscriptions: [Int: PathEngine.Subscription] = [:]
    for (number, member) in members { subscriptions[number] = engine.subscribe(member.times, member.deliver) }
    while true {
      let isEnding = takeCommands(
        subscribe: { number, times, deliver in
          members[number] = (times, deliver)
          subscriptions[number] = engine.subscribe(times, deliver)
        },
        cancel: { number in
          members[number] = nil
          subscriptions.removeValue(forKey: number).map(engine.cancel)
        })
      if isEnding { return }
      let deadline = wakeup == nil ? MonotonicInstant.now.advanced(by: .seconds(1)) : nil
      try KernelPathError.translating { () throws(SystemError) in try loop.runOnce(until: deadline) }
    }
  }

  /// Does what was asked for since the last call. Returns whether the thread has to end.
  private func takeCommands(
    subscribe: (Int, SettleTimes, @escaping @Sendable (NetworkPath) -> Void) -> Void, cancel: (Int) -> Void
  ) -> Bool {
    let (commands, isEnding) = mailbox.withLock { mailbox in
      defer { mailbox.commands = [] }
      return (mailbox.commands, mailbox.isEnding)
    }
    for command in commands {
      switch command {
      case .subscribe(let number, let times, let deliver): subscribe(number, times, deliver)
      case .cancel(let number): cancel(number)
      }
    }
    return isEnding
  }
}
