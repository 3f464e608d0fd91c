internal import Glibc

/// A value that is reached only under its lock.
///
/// No foreign code runs under the lock; see ``ForeignCode`` for the rule and for the way to deliver a change.
///
/// A POSIX mutex rather than the standard library's `Mutex`: the thread sanitizer does not see that one on Linux, and
/// takes all that it guards for a race.
@safe package final class Guarded<Value>: @unchecked Sendable {
  // `lock` makes the unchecked conformance true: `value` is touched in `withLock` only.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  // The lock makes it true that nobody else has access; checking that at each access would only cost time.
  @exclusivity(unchecked) private var value: Value

  /// Guards the value from now on.
  package init(_ value: sending Value) {
    unsafe self.value = value
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// The value as it is.
  package var copy: Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return unsafe value
  }

  /// Runs the body with the value, alone. The body must not come back here, and runs no foreign code: it returns the
  /// objects that end with the change and the receivers to be woken.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(lock)
    LocksHeld.change(by: 1)
    defer {
      LocksHeld.change(by: -1)
      unsafe pthread_mutex_unlock(lock)
    }
    return try unsafe body(&value)
  }

  /// Replaces a part of the value and returns the former part, which thereby ends after the lock is released.
  @discardableResult
  package func exchange<Part>(_ part: WritableKeyPath<Value, Part>, for new: Part) -> Part {
    withLock { value in
      let former = value[keyPath: part]
      value[keyPath: part] = new
      return former
    }
  }
}
