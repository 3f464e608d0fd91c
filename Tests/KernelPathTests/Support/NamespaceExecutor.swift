internal import Foundation
internal import SystemIO

/// Runs each piece of a task on a fresh thread that has moved into a network namespace, and ends with it.
///
/// So nothing of the test process but this thread ever leaves its namespace, and what a test expects is still
/// booked to that test.
final class NamespaceExecutor: TaskExecutor {
  private let path: String

  /// For the namespace of that name, as ip-netns(8) made it.
  init(_ name: String) {
    path = "/run/netns/\(name)"
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in
      do {
        try NetlinkOptions.enterNetworkNamespace(path)
      } catch {
        fatalError("a test cannot enter its namespace: \(error)")
      }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
}
