import Connectivity
import ConnectivityTesting
import Testing

/// Paths that monitors with conditions show.
@Suite("A monitor's view of the path")
struct PathViewTests {
  private static let both: NetworkPath = {
    var path = NetworkPath.online()
    path.interfaces += NetworkPath.online(over: .wifi).interfaces
    return path
  }()

  @Test func `a required type that carries the traffic leaves the path with its interfaces alone`() {
    let stage = ScriptedStage(Self.both) { PathMonitor(requiredInterfaceType: .wiredEthernet, source: $0) }
    stage.start()
    let path = stage.recorder.all[0]
    #expect(path.status == .satisfied)
    #expect(path.interfaces.map(\.type) == [.wiredEthernet])
  }

  @Test func `a required type is satisfied over an interface that does not carry the traffic`() {
    let stage = ScriptedStage(Self.both) { PathMonitor(requiredInterfaceType: .wifi, source: $0) }
    stage.start()
    #expect(stage.recorder.all[0].status == .satisfied)
    #expect(stage.recorder.all[0].interfaceType == .wifi)
    stage.send(.online())
    #expect(stage.recorder.all[1].status == .unsatisfied)
    #expect(stage.recorder.all[1].unsatisfiedReason == .requirementNotMet)
    #expect(stage.recorder.all[1].interfaces.isEmpty)
  }

  @Test func `prohibited types do not count`() {
    let stage = ScriptedStage(Self.both) {
      PathMonitor(prohibitedInterfaceTypes: [.wiredEthernet, .cellular], source: $0)
    }
    stage.start()
    stage.send(.online(over: .cellular))
    #expect(stage.recorder.all[0].interfaces.map(\.type) == [.wifi])
    #expect(stage.recorder.all[1].status == .unsatisfied)
  }

  @Test func `a tunnel over a prohibited type is prohibited, and one over a required type is a way`() {
    var tunnel = NetworkPath.online(over: .other)
    tunnel.interfaces[0].underlyingTypes = [.cellular]
    let prohibiting = ScriptedStage(tunnel) { PathMonitor(prohibitedInterfaceTypes: [.cellular], source: $0) }
    prohibiting.start()
    #expect(prohibiting.recorder.all[0].unsatisfiedReason == .requirementNotMet)
    let requiring = ScriptedStage(tunnel) { PathMonitor(requiredInterfaceType: .cellular, source: $0) }
    requiring.start()
    #expect(requiring.recorder.all[0] == tunnel)
  }

  @Test func `a requirement is a predicate: the interfaces stay`() {
    let stage = ScriptedStage(.online(over: .cellular)) { PathMonitor(requirement: .unmetered, source: $0) }
    stage.start()
    #expect(stage.recorder.all[0].status == .unsatisfied)
    #expect(stage.recorder.all[0].unsatisfiedReason == .requirementNotMet)
    #expect(stage.recorder.all[0].interfaces.count == 1)
    stage.send(.online())
    #expect(stage.recorder.all[1] == .online())
  }

  @Test func `only via filters`() throws {
    let requirement = try PathRequirement("via=wifi")
    let stage = ScriptedStage(Self.both) { PathMonitor(requirement: requirement, source: $0) }
    stage.start()
    #expect(stage.recorder.all[0].interfaces.map(\.type) == [.wifi])
  }

  @Test func `a change that is not shown is no update`() {
    let stage = ScriptedStage(.online(over: .cellular)) { PathMonitor(requiredInterfaceType: .wifi, source: $0) }
    stage.start()
    stage.send(.online(), .online(over: .cellular), .online())
    #expect(stage.recorder.all.count == 1)
    stage.send(.online(over: .wifi))
    #expect(stage.recorder.all.last?.changed.contains("status") == true)
    #expect(stage.recorder.all.last?.sequence == 1)
  }

  @Test func `of an unknown path nothing is shown as missing`() {
    for stage in [
      ScriptedStage(.unknown) { PathMonitor(requiredInterfaceType: .wifi, source: $0) },
      ScriptedStage(.unknown) { PathMonitor(prohibitedInterfaceTypes: [.wifi], source: $0) },
      ScriptedStage(.unknown) { PathMonitor(requirement: .wifi, source: $0) },
    ] {
      stage.start()
      #expect(stage.recorder.all == [.unknown])
    }
  }
}
