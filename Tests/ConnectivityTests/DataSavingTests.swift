import Connectivity
import ConnectivityTesting
import Testing

@testable import ConnectivityCore

@Suite("A program that saves data")
struct DataSavingTests {
  @Test func `its paths are constrained, with the reason, and nothing else changes`() throws {
    let stage = ScriptedStage(.online(over: .wifi))
    stage.monitor.savesData = true
    stage.start()
    var path = try #require(stage.recorder.all.last)
    #expect(path.isConstrained)
    #expect(path.interfaces.map(\.isConstrained) == [true])
    #expect(path.cost?.isConstrained == true)
    #expect(path.cost?.isExpensive == NetworkPath.online(over: .wifi).isExpensive)
    #expect(path.cost?.evidence.first?.text == "this program saves data")
    #expect(path.cost?.evidence.first?.verdict == .constrained)
    let plain = NetworkPath.online(over: .wifi)
    (path.isConstrained, path.interfaces, path.cost) = (plain.isConstrained, plain.interfaces, plain.cost)
    #expect(path == plain)
  }

  @Test func `the setting may change while the path is followed, and each change is an update`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.monitor.savesData = true
    stage.finish()
    stage.monitor.savesData = true
    stage.finish()
    stage.send(.online(over: .cellular))
    stage.monitor.savesData = false
    stage.finish()
    #expect(stage.recorder.all.map(\.isConstrained) == [false, true, true, false])
    #expect(stage.recorder.all.map(\.sequence) == [0, 1, 2, 3])
    #expect(stage.recorder.all[1].changed == ["interfaces", "isConstrained", "cost"])
    #expect(stage.monitor.currentPath == .online(over: .cellular))
  }

  @Test func `a monitor that requires an unconstrained path has none`() {
    let stage = ScriptedStage(.online()) { PathMonitor(requirement: .unconstrained, source: $0) }
    stage.start()
    stage.monitor.savesData = true
    stage.finish()
    #expect(stage.recorder.statuses == [.satisfied, .unsatisfied])
    #expect(stage.recorder.all.last?.unsatisfiedReason == .requirementNotMet)
  }

  @Test func `a path that is unknown or unsatisfied stays so`() {
    let stage = ScriptedStage(.unknown)
    stage.monitor.savesData = true
    stage.start()
    stage.send(.offline)
    #expect(stage.recorder.all == [.unknown, .offline])
    #expect(!stage.monitor.currentPath.isConstrained)
  }

  @Test func `it concerns one monitor only`() {
    let stage = ScriptedStage(.online())
    let other = PathMonitor(source: .scripted(stage.script))
    stage.monitor.savesData = true
    stage.start()
    other.start(queue: stage.queue)
    stage.finish()
    #expect(stage.monitor.currentPath.isConstrained)
    #expect(!other.currentPath.isConstrained)
    #expect(!other.savesData)
  }

  @Test func `what waits for the monitor's paths saves data as long as it does`() {
    let monitor = PathMonitor(source: .scripted(PathScript(.online())))
    monitor.savesData = true
    let unsettled = monitor.withoutSettling()
    #expect(unsettled.savesData)
    monitor.savesData = false
    #expect(!unsettled.savesData)
    monitor.savesData = true
    #expect(unsettled.savesData)
    #expect(unsettled.withoutSettling().savesData)
  }

  @Test func `the setting does not make a stale path known`() {
    let stage = ScriptedStage(.online())
    stage.start()
    stage.monitor.cancel()
    stage.monitor.savesData = true
    #expect(stage.monitor.currentPath.knowledge == .stale)
    #expect(stage.monitor.currentPath.isConstrained)
  }
}
