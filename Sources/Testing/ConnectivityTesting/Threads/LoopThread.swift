internal import Dispatch
internal import SystemIO

/// A thread with an event loop, and an owner of descriptors that lives on it alone.
///
/// The owner is made on the thread and released there before ``close()`` returns, with its descriptors.
final class LoopThread<Owner>: Sendable {
  typealias Job = @Sendable (Owner) -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosing = false
    var failure: SystemError?
    var thread: UInt?
  }

  private let state = Guarded(State())
  private let wakeup: Wakeup
  private let begun = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread and waits until its owner is made.
  ///
  /// - Parameters:
  ///   - name: The name that `ps -L` shows; at most 15 bytes.
  ///   - make: Makes the owner on the thread.
  init(_ name: String, _ make: @escaping @Sendable (EventLoop) throws(SystemError) -> Owner) throws(SystemError) {
    wakeup = try Wakeup()
    try SystemThread.start(name) { [self] in
      do throws(SystemError) {
        try run(make)
      } catch {
        state.withLock { $0.failure = error }
      }
      begun.signal()
      ended.signal()
    }
    begun.wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func run(_ make: (EventLoop) throws(SystemError) -> Owner) throws(SystemError) {
    let loop = try EventLoop()
    let owner = try make(loop)
    state.withLock { $0.thread = SystemThread.current }
    try loop.watch(wakeup.number) { [self] _ in
      wakeup.clear()
      let (jobs, isClosing) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isClosing)
      }
      for job in jobs { job(owner) }
      if isClosing { loop.stop() }
    }
    begun.signal()
    defer { loop.unwatch(wakeup.number) }
    try loop.run()
  }

  /// Runs a job on the thread, soon and in the order of the calls. After ``close()`` it does not run.
  func perform(_ job: @escaping Job) {
    state.withLock { state in
      if !state.isClosing { state.jobs.append(job) }
    }
    wakeup.signal()
  }

  /// Ends the thread, after the jobs before, and waits for its end unless the thread itself calls.
  func close() {
    let (isFirst, isOwnThread) = state.withLock { state in
      defer { state.isClosing = true }
      return (!state.isClosing, state.thread == SystemThread.current)
    }
    guard isFirst else { return }
    wakeup.signal()
    if !isOwnThread { ended.wait() }
  }
}
