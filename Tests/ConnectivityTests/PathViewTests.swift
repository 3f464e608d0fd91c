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

  private static let tunnel: NetworkPath = {
    var path = NetworkPath.online(over: .other)
    path.interfaces[0].underlyingTypes = [.cellular]
    return path
  }()

  enum Condition {
    case required(InterfaceType)
    case prohibited([InterfaceType])
    case requirement(PathRequirement)

    func monitor(_ source: PathSource) -> PathMonitor {
      switch self {
      case .required(let type): PathMonitor(requiredInterfaceType: type, source: source)
      case .prohibited(let types): PathMonitor(prohibitedInterfaceTypes: types, source: source)
      case .requirement(let requirement): PathMonitor(requirement: requirement, source: source)
      }
    }
  }

  @Test(
    "a condition of types leaves their interfaces, and a requirement all",
    arguments: [
      (.required(.wiredEthernet), both, [.wiredEthernet], true),
      // It does not carry the traffic.
      (.required(.wifi), both, [.wifi], true), (.required(.wifi), .online(), [], false),
      (.prohibited([.wiredEthernet, .cellular]), both, [.wifi], true),
      (.prohibited([.wiredEthernet, .cellular]), .online(over: .cellular), [], false),
      (.prohibited([.cellular]), tunnel, [], false), (.required(.cellular), tunnel, [.other], true),
      (.requirement(.unmetered), .online(over: .cellular), [.cellular], false),
      (.requirement(.unmetered), .online(), [.wiredEthernet], true),
    ] as [(Condition, NetworkPath, [InterfaceType], Bool)])
  func view(_ condition: Condition, _ path: NetworkPath, _ types: [InterfaceType], _ isSatisfied: Bool) {
    let stage = ScriptedStage(path, make: condition.monitor)
    stage.start()
    #expect(stage.recorder.statuses == [isSatisfied ? .satisfied : .unsatisfied])
    #expect(stage.recorder.all[0].unsatisfiedReason == (isSatisfied ? nil : .requirementNotMet))
    #expect(stage.recorder.all[0].interfaces.map(\.type) == types)
  }

  @Test func `only via filters`() throws {
    let stage = ScriptedStage(Self.both, make: Condition.requirement(try PathRequirement("via=wifi")).monitor)
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

  @Test(arguments: [Condition.required(.wifi), .prohibited([.wifi]), .requirement(.wifi)])
  func `of an unknown path nothing is shown as missing`(condition: Condition) {
    let stage = ScriptedStage(.unknown, make: condition.monitor)
    stage.start()
    #expect(stage.recorder.all == [.unknown])
  }
}
