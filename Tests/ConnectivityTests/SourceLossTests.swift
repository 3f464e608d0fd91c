import Connectivity
import ConnectivityCore
import ConnectivityTesting
import Dispatch
import Testing

@Suite("A source that is lost")
struct SourceLossTests {
  @Test func `a lost source is not offline: the last path stays, and is stale`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.script.lose()
    stage.finish()
    #expect(stage.recorder.statuses == [.satisfied, .satisfied])
    #expect(stage.recorder.all[1].knowledge == .stale)
    #expect(stage.recorder.all[1].changed == ["knowledge"])
    #expect(stage.monitor.sourceError?.code == .connectionLost)
    stage.send(.online())
    #expect(stage.recorder.all[2] == .online())
    #expect(stage.recorder.all[2].changed == ["knowledge"])
  }

  @Test func `an interruption shows in the current path only, and recovery is silent if nothing changed`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.script.interrupt()
    stage.finish()
    #expect(stage.monitor.currentPath.knowledge == .stale)
    #expect(stage.monitor.currentPath.status == .satisfied)
    stage.send(.online())
    #expect(stage.recorder.all == [.online()])
    #expect(stage.monitor.currentPath == .online())
  }

  @Test func `a change during the interruption is delivered at recovery`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.script.interrupt()
    stage.send(.offline)
    #expect(stage.recorder.all == [.online(), .offline])
  }

  @Test func `a source that is lost before its first path leads to a first update that claims nothing`() {
    let stage = ScriptedStage(nil)
    stage.script.lose()
    stage.start()
    #expect(stage.recorder.all == [.unknown])
    stage.script.lose()
    stage.finish()
    #expect(stage.recorder.all.count == 1)
  }

  @Test func `a monitor that starts during an interruption reports a stale path, and then its recovery`() {
    let stage = ScriptedStage(.online())
    let (posted, late) = (PathRecorder(), PathRecorder())
    let end = stage.monitor.observe { posted.add($0) }
    stage.script.interrupt()
    let endLate = stage.monitor.observe { late.add($0) }
    stage.start()
    #expect(stage.recorder.all.map(\.knowledge) == [.stale])
    #expect(stage.recorder.all.first?.changed == [])
    stage.send(.online())
    for recorder in [stage.recorder, late] {
      #expect(recorder.all.map(\.knowledge) == [.stale, .known])
      #expect(recorder.all.last?.changed == ["knowledge"])
      #expect(recorder.all.map(\.sequence) == [0, 1])
    }
    #expect(posted.all == [.online()], "who has heard nothing of it needs not hear that it is over")
    #expect(stage.monitor.currentPath == .online())
    stage.send(.offline)
    #expect(stage.recorder.all.last?.changed.contains("knowledge") == false, "the recovery is reported once")
    end()
    endLate()
    stage.monitor.cancel()
  }

  @Test func `a monitor that starts during an interruption reports the loss once`() {
    let (script, monitor) = scripted(.online())
    let (early, late) = (PathRecorder(), PathRecorder())
    let end = monitor.observe { early.add($0) }
    script.interrupt()
    let endLate = monitor.observe { late.add($0) }
    script.lose()
    script.send(.online())
    #expect(early.all.map(\.knowledge) == [.known, .stale, .known])
    #expect(late.all.map(\.knowledge) == [.stale, .known])
    end()
    endLate()
  }

  @Test func `the first path is not one that the source no longer backs`() async throws {
    let (script, monitor) = scripted(.online())
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next() == .online())
    script.interrupt()
    var late = monitor.makeAsyncIterator()
    #expect(await late.next()?.knowledge == .stale)
    // Asked for while the path is stale, and answered when it is known again.
    async let first = monitor.firstPath
    async let returned = late.next()
    script.send(.online())
    #expect(try await first == .online())
    #expect(await returned == .online())
  }
}
