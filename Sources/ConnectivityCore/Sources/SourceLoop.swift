internal import SystemIO

/// The loop of a ``SourceThread``, with a feed for each settle time that is asked for.
final class SourceLoop {
  /// Who is told what.
  struct Member: Sendable {
    let settle: Duration?
    /// Stores the update, and returns the receivers to be woken.
    let deliver: @Sendable (SourceUpdate) -> Deliveries
  }

  private let origin: SourceOrigin
  private let wakeup: Wakeup?
  private let loop: EventLoop
  private let kernel: KernelAccess
  private var feeds: [Duration?: SourceFeed] = [:]
  /// The receivers to be woken, once the loop has been left.
  private var due = Deliveries()
  /// Whether the round was ended by the wakeup.
  private var isWoken = false

  /// - Parameters:
  ///   - wakeup: Ends a round; with `nil` a round ends within a second.
  ///   - members: Who is there already.
  init(_ origin: SourceOrigin, wakeup: Wakeup?, members: [Int: Member]) throws(SystemError) {
    self.origin = origin
    self.wakeup = wakeup
    loop = try EventLoop()
    kernel = KernelAccess(loop: loop, origin: origin)
    if let wakeup {
      try loop.watch(wakeup.number) { [unowned self] _ in
        wakeup.clear()
        self.isWoken = true
      }
    }
    for (number, member) in members { add(number, member) }
  }

  /// Ends all feeds; to be called at the end.
  ///
  /// - Returns: The deliveries that are due.
  func stop() -> Deliveries {
    for feed in feeds.values { feed.stop() }
    feeds = [:]
    return takeDue()
  }

  func add(_ number: Int, _ member: Member) {
    let deliver = { [unowned self] in self.due.add(member.deliver($0)) }
    if let feed = feeds[member.settle] { return feed.add(number, deliver) }
    let feed = SourceFeed(loop: loop, origin: origin, settle: member.settle, kernel: kernel)
    feeds[member.settle] = feed
    feed.add(number, deliver)
    feed.start()
  }

  func remove(_ number: Int, _ member: Member) {
    guard let feed = feeds[member.settle] else { return }
    feed.remove(number)
    guard feed.isEmpty else { return }
    feed.stop()
    feeds[member.settle] = nil
  }

  /// A descriptor that is readable when there is something to do; `nil` while that depends on the time too.
  var number: Int32? { loop.hasTimer || wakeup == nil ? nil : loop.number }

  /// Has the thread that follows look at the loop while its leader is away.
  func add(to threads: LeaderAndFollower) throws(SystemError) { try threads.add(loop.number) }

  /// Follows the path for a round. Returns the deliveries that are due then, unless the wakeup has ended it: what it was
  /// called for comes first, as nobody would notice that while the call of a handler takes its time.
  func runOnce() throws(SystemError) -> Deliveries {
    isWoken = false
    // What a new member was left may be due already.
    if due.isEmpty { try loop.runOnce(until: wakeup == nil ? MonotonicInstant.now.advanced(by: .seconds(1)) : nil) }
    return isWoken ? Deliveries() : takeDue()
  }

  private func takeDue() -> Deliveries {
    defer { due = Deliveries() }
    return due
  }
}
