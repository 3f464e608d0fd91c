internal import Foundation

/// Runs each piece of a task on a fresh thread that ends with it.
///
/// So such a piece may move its thread into a network namespace (``NetworkNamespace``), and what a test expects is
/// still booked to that test.
final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    thread.stackSize = 8 << 20
    thread.start()
  }
}
