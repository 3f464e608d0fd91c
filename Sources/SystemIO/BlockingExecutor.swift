internal import Dispatch

/// Runs tasks where a call that blocks holds up nobody else: on Dispatch's threads, of which there are as many as work,
/// and not on the few that all tasks of the program share.
package final class BlockingExecutor: TaskExecutor {
  package static let shared = BlockingExecutor()

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Does the work there, and does not wait for it.
  package func start(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
  }
}
