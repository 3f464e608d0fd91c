import Connectivity
import ConnectivityTesting
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

  @Test func `what has changed meanwhile is told at recovery`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.script.interrupt()
    stage.send(.offline)
    #expect(stage.recorder.all == [.online(), .offline])
  }

  @Test func `a source that is lost before it said anything leads to a first update that claims nothing`() {
    let stage = ScriptedStage(nil)
    stage.script.lose()
    stage.start()
    #expect(stage.recorder.all == [.unknown])
    stage.script.lose()
    stage.finish()
    #expect(stage.recorder.all.count == 1)
  }
}
