internal import Foundation

/// Runs each piece of a task on a fresh thread that ends with it.
///
/// Such a piece may move its thread into a network namespace (``NetworkNamespace``), and the expectations of a test
/// still belong to that test.
final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    thread.stackSize = 8 << 20
    thread.start()
  }
}
