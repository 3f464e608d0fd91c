import Connectivity
import ConnectivityTesting
import Dispatch
import SystemIO
import Testing

@testable import ConnectivityCore

@Suite("The calls of a handler")
struct HandlerRunTests {
  @Test func `the path is not lost when the handler is set while a call finds none`() {
    let (runs, fetches, received) = (Guarded<[HandlerRun]>([]), Guarded(0), Guarded<[NetworkPath]>([]))
    let queue = DispatchQueue(label: "handler")
    let run = HandlerRun(queue, owner: nil, turn: HandlerTurn()) {
      let isFirst = fetches.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return { path in received.withLock { $0.append(path) } } }
      // The program sets its handler now, and the monitor offers the path for it.
      for run in runs.copy { #expect(!run.offer(.online())) }
      return nil
    }
    runs.withLock { $0 = [run] }
    if run.offer(.online()) { run.wake() }
    // The first call, and the one that it hands to the queue at its end.
    queue.sync {}
    queue.sync {}
    #expect(received.copy == [.online()])
    runs.withLock { $0 = [] }
  }
}
