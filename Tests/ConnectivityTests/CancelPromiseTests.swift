import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import SystemIO
import Testing

@testable import ConnectivityCore

@Suite("A monitor's promises about its end")
struct CancelPromiseTests {
  @Test func `no handler starts after cancel has returned`() {
    let script = PathScript(.offline)
    for round in 0..<300 {
      let monitor = PathMonitor(source: .scripted(script))
      let hasReturned = Guarded(false)
      let isLate = Guarded(false)
      monitor.pathUpdateHandler = { _ in
        let late = hasReturned.withLock { $0 }
        isLate.withLock { $0 = $0 || late }
      }
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        for _ in 0..<20 {
          script.send(.online())
          script.send(.offline)
        }
      }
      monitor.start(queue: .global())
      if round % 2 == 0 { script.send(.online(over: .wifi)) }
      monitor.cancel()
      hasReturned.withLock { $0 = true }
      group.wait()
      #expect(!isLate.withLock { $0 })
    }
  }

  @Test func `a call that was scheduled before cancel is void`() {
    let stage = ScriptedStage(.offline)
    stage.queue.suspend()
    stage.monitor.start(queue: stage.queue)
    stage.script.send(.online())
    stage.monitor.cancel()
    stage.queue.resume()
    stage.finish()
    #expect(stage.recorder.all.isEmpty)
  }

  @Test func `cancel does not wait for ever for a handler that waits for the canceller`() {
    let call = HandlerCall()
    call.monitor.cancel()
    // A second cancellation, or the release of the monitor, does not wait for the same call once more.
    call.monitor.core.cancel(patience: .seconds(600))
    call.mayEnd.signal()
  }

  @Test func `a handler may release its monitor`() {
    let script = PathScript(.offline)
    let owner = Guarded<PathMonitor?>(nil)
    let recorder = PathRecorder()
    let queue = DispatchQueue(label: "handler")
    do {
      let monitor = PathMonitor(source: .scripted(script))
      monitor.pathUpdateHandler = { path in
        let released = owner.withLock { $0.take() }
        withExtendedLifetime(released) {}
        recorder.add(path)
      }
      owner.withLock { $0 = monitor }
      queue.suspend()
      monitor.start(queue: queue)
    }
    queue.resume()
    for _ in 0..<2 { queue.sync {} }
    script.send(.online())
    for _ in 0..<2 { queue.sync {} }
    #expect(recorder.all == [.offline])
    #expect(script.subscriberCount == 0)
  }

  @Test func `start after cancel starts afresh`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.send(.online())
    stage.monitor.cancel()
    #expect(stage.script.subscriberCount == 0)
    stage.start()
    // The first update comes again, although it equals the last delivery.
    #expect(stage.recorder.all == [.offline, .online(), .online()])
    #expect(stage.recorder.all.map(\.sequence) == [0, 1, 0])
    stage.send(.offline)
    #expect(stage.recorder.all.last == .offline)
  }

  @Test func `a handler may cancel and start its monitor`() {
    let stage = ScriptedStage(.offline)
    stage.monitor.pathUpdateHandler = {
      [unowned monitor = stage.monitor, recorder = stage.recorder, queue = stage.queue] path in
      recorder.add(path)
      if recorder.all.count < 4 {
        monitor.cancel()
        monitor.start(queue: queue)
      }
    }
    stage.monitor.start(queue: stage.queue)
    for _ in 0..<10 { stage.queue.sync {} }
    #expect(stage.recorder.all.count == 4)
  }

  @Test func `on a concurrent queue the handler of a new run waits for the call that started the run`() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let monitor = PathMonitor(source: .scripted(PathScript(.offline)))
    let (order, hasEnded) = (Guarded<[String]>([]), DispatchSemaphore(value: 0))
    monitor.pathUpdateHandler = { [unowned monitor] _ in
      let number = order.withLock { order in
        order.append("begin")
        return order.count
      }
      if number == 1 {
        monitor.cancel()
        monitor.start(queue: queue)
        // The next call has been handed to the queue: what is handed to it later does not run much before.
        for _ in 0..<100 {
          let isThrough = DispatchSemaphore(value: 0)
          queue.async { isThrough.signal() }
          isThrough.wait()
        }
      }
      order.withLock { $0.append("end") }
      hasEnded.signal()
    }
    monitor.start(queue: queue)
    for _ in 0..<2 { #expect(hasEnded.wait(timeout: .now() + 20) == .success) }
    #expect(order.copy == ["begin", "end", "begin", "end"])
    monitor.cancel()
  }

  @Test func `a handler that outlasts the longest wait of cancel is not overtaken by that of the next run`() {
    let monitor = PathMonitor(source: .scripted(PathScript(.offline)))
    let (hasStarted, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let overlaps = Overlaps()
    monitor.pathUpdateHandler = { _ in
      overlaps.during {
        hasStarted.signal()
        mayEnd.wait()
      }
    }
    monitor.start(queue: DispatchQueue(label: "first"))
    hasStarted.wait()
    monitor.cancel()
    let second = DispatchQueue(label: "second")
    monitor.start(queue: second)
    let isThrough = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      second.async { isThrough.signal() }
      #expect(isThrough.wait(timeout: .now() + 20) == .success)
    }
    #expect(overlaps.counts.copy.all == 1)
    mayEnd.signal()
    #expect(hasStarted.wait(timeout: .now() + 20) == .success)
    mayEnd.signal()
    monitor.cancel()
    #expect(overlaps.counts.copy == (0, 1, 2))
  }

  @Test func `of two concurrent cancellations neither returns before the handler has ended`() {
    let call = HandlerCall()
    let (sawEnd, hasReturned) = (Guarded<[Bool]>([]), DispatchSemaphore(value: 0))
    for _ in 0..<2 {
      Thread.detachNewThread {
        call.monitor.core.cancel(patience: .seconds(600))
        sawEnd.withLock { $0.append(call.hasEnded.copy) }
        hasReturned.signal()
      }
    }
    // Long enough for both threads to reach the wait.
    #expect(hasReturned.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
    call.mayEnd.signal()
    for _ in 0..<2 { #expect(hasReturned.wait(timeout: .now() + 20) == .success) }
    #expect(sawEnd.copy == [true, true])
  }

  @Test func `releasing the monitor stops it`() {
    let script = PathScript(.offline)
    let recorder = PathRecorder()
    let queue = DispatchQueue(label: "handler")
    weak var released: PathMonitor?
    do {
      let monitor = PathMonitor(source: .scripted(script))
      monitor.pathUpdateHandler = { recorder.add($0) }
      monitor.start(queue: queue)
      for _ in 0..<2 { queue.sync {} }
      released = monitor
    }
    #expect(released == nil)
    script.send(.online())
    for _ in 0..<2 { queue.sync {} }
    #expect(recorder.all == [.offline])
    #expect(script.subscriberCount == 0)
  }

  @Test func `the path of a cancelled monitor stays, and is not called known any more`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.monitor.cancel()
    #expect(stage.monitor.currentPath.status == .satisfied)
    #expect(stage.monitor.currentPath.knowledge == .stale)
  }

  @Test func `start and cancel from many threads at once end in order`() {
    let (script, monitor) = scripted(.offline)
    monitor.pathUpdateHandler = { _ in }
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<200 {
        if number % 2 == 0 { monitor.start(queue: .global()) } else { monitor.cancel() }
        _ = monitor.currentPath
        if number == 7 { script.send(.online()) }
      }
    }
    monitor.cancel()
    #expect(script.subscriberCount == 0)
  }
}
