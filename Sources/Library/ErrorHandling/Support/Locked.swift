internal import Synchronization

/// A value that is accessed only under its lock. No code of the program runs under it: the body returns what there is
/// to call or to resume.
final class Locked<Value: Sendable>: Sendable {
  private let value: Mutex<Value>
  /// The thread sanitizer does not see `Mutex` on Linux, but it sees that each access takes this over from the one
  /// before.
  private let turn = Atomic(false)

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  var copy: Value { withLock { $0 } }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(true, ordering: .releasing) }
      return body(&value)
    }
  }
}
