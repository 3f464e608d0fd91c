internal import Glibc

/// A value that is accessed only under its lock.
///
/// No foreign code runs under the lock; see ``ForeignCode`` for the rule and for the way to deliver a change.
///
/// The lock is a POSIX mutex, because the thread sanitizer does not see the standard library's `Mutex` on Linux and
/// reports all accesses under it as races.
@safe package final class Guarded<Value>: @unchecked Sendable {
  // `lock` makes the unchecked conformance true: `value` is accessed only while it is held.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  // The lock rules out overlapping accesses; checking them each time would only cost time.
  @exclusivity(unchecked) private var value: Value

  /// Puts the value under a lock.
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

  /// A copy of the value, made under the lock.
  package var copy: Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return unsafe value
  }

  /// Runs the body with exclusive access to the value. The body must not use this object and runs no foreign code: it
  /// returns the objects that end with the change and the receivers to wake.
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

  /// Replaces a part of the value and returns the former part, so that it ends after the lock is released.
  @discardableResult
  package func exchange<Part>(_ part: WritableKeyPath<Value, Part>, for new: Part) -> Part {
    withLock { value in
      let former = value[keyPath: part]
      value[keyPath: part] = new
      return former
    }
  }
}
