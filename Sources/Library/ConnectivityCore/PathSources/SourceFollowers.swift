internal import PathFollowing
internal import SystemIO

/// The followers of a ``SourceThread``, one for each settle time of its subscriptions. They belong to the thread's
/// loop.
final class SourceFollowers {
  /// A subscription.
  struct Member: Sendable {
    let settle: Duration?
    /// Stores the update, and returns the receivers to be woken.
    let deliver: @Sendable (SourceUpdate) -> Deliveries
  }

  private let loop: EventLoop
  private let policy: FollowingPolicy
  private let kernel: SharedEngine
  private var followers: [PathFollower] = []
  private var due = Deliveries()

  init(_ policy: FollowingPolicy, loop: EventLoop) {
    self.policy = policy
    self.loop = loop
    kernel = SharedEngine(loop: loop, policy: policy)
  }

  /// Ends all followers. To be called before it is released.
  func stop() {
    for follower in followers { follower.stop() }
    followers = []
  }

  func add(_ number: Int, _ member: Member) {
    let deliver = { [unowned self] in self.due.add(member.deliver($0)) }
    if let follower = follower(member.settle) { return follower.add(number, deliver) }
    let follower = PathFollower(loop: loop, policy: policy, settle: member.settle, kernel: kernel)
    followers.append(follower)
    follower.add(number, deliver)
    follower.start()
  }

  func remove(_ number: Int, settle: Duration?) {
    guard let follower = follower(settle) else { return }
    follower.remove(number)
    guard follower.isEmpty else { return }
    follower.stop()
    followers.removeAll { $0 === follower }
  }

  private func follower(_ settle: Duration?) -> PathFollower? { followers.first { $0.settle == settle } }

  /// Removes the deliveries that are due.
  ///
  /// They are performed once a round of the loop is over: then all monitors have the path, and no code of the program
  /// runs inside the engine.
  func removeDue() -> Deliveries {
    defer { due = Deliveries() }
    return due
  }
}
