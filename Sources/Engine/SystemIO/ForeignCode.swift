internal import CLinux

/// Code of others that we call: handlers, observers, continuations, clocks, callbacks of Foundation.
///
/// **No foreign code runs under a lock of ours.** Foreign code can take locks that we do not know. Another thread can
/// hold such a lock while it waits for ours. Swift's runtime itself does so: it cancels a task under that task's lock,
/// calls the task's cancellation handlers, and needs the same lock to resume the task.
///
/// A change is therefore delivered in two steps:
///
/// 1. Under the lock (``Guarded``) it is stored with each receiver, and the receivers to be woken are collected.
/// 2. Once the lock is released, they are woken. A wakeup carries no path: the receiver takes the stored one. So the
///    order in which several threads wake receivers does not matter.
///
/// Every call of foreign code goes through ``run(_:)``, which checks the rule in debug builds. The deinitialiser of an
/// object that a handler has captured is foreign code too: a value that can hold a handler leaves its lock before it
/// ends (``Guarded/exchange(_:for:)``).
package enum ForeignCode {
  /// Runs foreign code.
  ///
  /// - Precondition: The calling thread holds no lock of a ``Guarded``. Debug builds check this.
  @inline(__always)
  package static func run<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if DEBUG
      precondition(clinux_change_locks_held(0) == 0, "foreign code would run under a lock of ours")
    #endif
    return try body()
  }
}

/// The number of locks that the calling thread holds; counted in debug builds only.
enum LocksHeld {
  @inline(__always)
  static func change(by number: Int32) {
    #if DEBUG
      _ = clinux_change_locks_held(number)
    #endif
  }
}
