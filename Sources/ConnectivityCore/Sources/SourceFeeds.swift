internal import SystemIO

/// The feeds of a ``SourceThread``, one for each settle time of its subscriptions. They belong to the thread's loop.
final class SourceFeeds {
  /// A subscription.
  struct Member: Sendable {
    let settle: Duration?
    /// Stores the update, and returns the receivers to be woken.
    let deliver: @Sendable (SourceUpdate) -> Deliveries
  }

  private let loop: EventLoop
  private let origin: SourceOrigin
  private let kernel: KernelAccess
  private var feeds: [Duration?: SourceFeed] = [:]
  private var due = Deliveries()

  init(_ origin: SourceOrigin, loop: EventLoop) {
    self.origin = origin
    self.loop = loop
    kernel = KernelAccess(loop: loop, origin: origin)
  }

  /// Ends all feeds. To be called before it is released.
  func stop() {
    for feed in feeds.values { feed.stop() }
    feeds = [:]
  }

  func add(_ number: Int, _ member: Member) {
    let deliver = { [unowned self] in self.due.add(member.deliver($0)) }
    if let feed = feeds[member.settle] { return feed.add(number, deliver) }
    let feed = SourceFeed(loop: loop, origin: origin, settle: member.settle, kernel: kernel)
    feeds[member.settle] = feed
    feed.add(number, deliver)
    feed.start()
  }

  func remove(_ number: Int, settle: Duration?) {
    guard let feed = feeds[settle] else { return }
    feed.remove(number)
    guard feed.isEmpty else { return }
    feed.stop()
    feeds[settle] = nil
  }

  /// Removes the deliveries that are due.
  ///
  /// They are performed once a round of the loop is over: then all monitors have the path, and no code of the program
  /// runs inside the engine.
  func takeDue() -> Deliveries {
    defer { due = Deliveries() }
    return due
  }
}
