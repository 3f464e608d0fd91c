import Connectivity
import ConnectivityCore
import ConnectivityTesting
import Dispatch
import SystemIO
import Testing

@Suite("A monitor's promises about its updates")
struct UpdatePromiseTests {
  @Test func `before the first evaluation nothing is known, and that is not offline`() {
    let monitor = PathMonitor(source: .scripted(PathScript()))
    #expect(monitor.currentPath.knowledge == .unknown)
    #expect(monitor.currentPath.status != .unsatisfied)
    monitor.start(queue: .global())
    #expect(monitor.currentPath.knowledge == .unknown)
    monitor.cancel()
    #expect(monitor.currentPath.knowledge == .unknown)
  }

  @Test(arguments: [NetworkPath.unknown, .online()])
  func `the first update comes without any change, also when it equals the default`(path: NetworkPath) {
    let stage = ScriptedStage(path)
    stage.start()
    #expect(stage.recorder.all == [path])
    #expect(stage.recorder.all.first?.changed == [])
  }

  @Test func `two equal paths are never delivered in a row`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.send(.offline, .online(), .online(), .offline, .offline, .online(over: .wifi))
    #expect(stage.recorder.all == [.offline, .online(), .offline, .online(over: .wifi)])
  }

  @Test func `a path that goes and comes while the handler is busy is no update`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.queue.suspend()
    stage.script.send(.online())
    stage.script.send(.offline)
    stage.queue.resume()
    stage.finish()
    #expect(stage.recorder.all == [.offline])
  }

  @Test func `updates come in the order of the source, numbered and with the changed fields`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.send(.online(), .online(over: .cellular), .offline)
    #expect(stage.recorder.all.map(\.sequence) == [0, 1, 2, 3])
    #expect(stage.recorder.all[2].changed.contains("interfaceType"))
    #expect(!stage.recorder.all[2].changed.contains("status"))
    #expect(stage.recorder.all[3].changed.contains("status"))
  }

  @Test func `a slow handler gets the newest path, and a gap in the numbers`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.queue.suspend()
    for _ in 0..<100 {
      stage.script.send(.online(over: .wifi))
      stage.script.send(.offline)
    }
    stage.script.send(.online())
    stage.queue.resume()
    stage.finish()
    #expect(stage.recorder.all == [.offline, .online()])
    #expect(stage.recorder.all.map(\.sequence) == [0, 201])
  }

  @Test func `the state can be read in the handler, and is that of the update or newer`() {
    let (stage, isTrue) = (ScriptedStage(.offline), Guarded(true))
    stage.monitor.pathUpdateHandler = { [unowned monitor = stage.monitor] path in
      let current = monitor.currentPath
      isTrue.withLock { $0 = $0 && current.sequence >= path.sequence }
    }
    stage.start()
    for _ in 0..<500 {
      stage.script.send(.online())
      stage.script.send(.offline)
    }
    stage.finish()
    #expect(isTrue.copy)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a handler that takes long delays neither its source nor another handler`() {
    let slow = HandlerCall()
    let recorder = PathRecorder()
    let other = PathMonitor(source: .scripted(slow.script))
    other.pathUpdateHandler = { recorder.add($0) }
    other.start(queue: DispatchQueue(label: "other"))
    #expect(recorder.next() == .offline)
    slow.script.send(.online())
    #expect(recorder.next() == .online())
    #expect(slow.monitor.currentPath == .online())
    for _ in 0..<2 { slow.mayEnd.signal() }
    slow.monitor.cancel()
  }

  @Test func `on a concurrent queue handlers come one after the other`() {
    let (script, monitor) = scripted(.offline)
    let (overlaps, recorder) = (Overlaps(), PathRecorder())
    monitor.pathUpdateHandler = { path in
      overlaps.during {
        for _ in 0..<100 { _ = path.hashValue }
        recorder.add(path)
      }
    }
    monitor.start(queue: .global())
    for _ in 0..<500 {
      script.send(.online())
      script.send(.offline)
    }
    script.send(.online(over: .wifi))
    #expect(recorder.next { $0.sequence == 1_001 } != nil)
    #expect(overlaps.counts.copy.most == 1)
    let numbers = recorder.all.map(\.sequence)
    #expect(numbers == Set(numbers).sorted())
    monitor.cancel()
  }

  @Test func `a handler that is set after the start gets the first path`() {
    let stage = ScriptedStage(.offline)
    stage.monitor.pathUpdateHandler = nil
    stage.start()
    #expect(stage.recorder.all.isEmpty)
    stage.monitor.pathUpdateHandler = { [recorder = stage.recorder] in recorder.add($0) }
    stage.finish()
    #expect(stage.recorder.all == [.offline])
  }

  @Test func `a second start changes nothing`() {
    let stage = ScriptedStage(.offline)
    stage.start()
    stage.start()
    stage.send(.online())
    #expect(stage.recorder.all == [.offline, .online()])
    #expect(stage.script.subscriberCount == 1)
  }

  @Test func `monitors of one source are independent`() {
    let script = PathScript(.offline)
    let monitors = (0..<10).map { _ in PathMonitor(source: .scripted(script)) }
    let recorders = monitors.map { monitor in
      let recorder = PathRecorder()
      monitor.pathUpdateHandler = { recorder.add($0) }
      return recorder
    }
    let queue = DispatchQueue(label: "handlers")
    for monitor in monitors { monitor.start(queue: queue) }
    for _ in 0..<2 { queue.sync {} }
    monitors[3].cancel()
    script.send(.online())
    for _ in 0..<2 { queue.sync {} }
    for (number, recorder) in recorders.enumerated() {
      #expect(recorder.all == (number == 3 ? [.offline] : [.offline, .online()]))
    }
    #expect(script.subscriberCount == 9)
  }
}
