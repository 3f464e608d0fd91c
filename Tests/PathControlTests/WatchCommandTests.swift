import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathControl

@Suite("The command of watch")
struct WatchCommandTests {
  private static func begin(_ path: NetworkPath, _ dispatch: inout HookDispatch) -> HookDispatch.Run? {
    guard dispatch.handle(path, at: HookDispatchTests.start) == [.list] else { return nil }
    return run(dispatch.run(programs: ["sh"], at: MonotonicInstant(0)))
  }

  private static func variables(
    _ path: NetworkPath, former: NetworkPath? = nil, moved: PathChanges = []
  ) -> [String: String] {
    let run = HookDispatch.Run(path: path, former: former, moved: moved)
    return Dictionary(uniqueKeysWithValues: PathVariables.of(run).map { ($0.name, $0.value) })
  }

  /// The next run after the end of the one before.
  private static func proceed(_ dispatch: inout HookDispatch) -> HookDispatch.Run? {
    guard dispatch.programEnded(at: MonotonicInstant(0)) == [.list] else { return nil }
    return run(dispatch.run(programs: ["sh"], at: MonotonicInstant(0)))
  }

  private static func run(_ actions: [HookDispatch.Action]) -> HookDispatch.Run? {
    guard actions.count == 1, case .start("sh", let run) = actions[0] else { return nil }
    return run
  }

  @Test func `it is run for the first path and for each that follows`() {
    var hook = HookDispatch(limit: nil)
    for sequence in 1...3 {
      #expect(Self.begin(HookDispatchTests.path(sequence, "status"), &hook)?.path.sequence == sequence)
      #expect(Self.proceed(&hook) == nil)
    }
  }

  @Test func `updates during a run are one update, the newest, with all changed fields`() throws {
    var hook = HookDispatch(limit: nil)
    #expect(Self.begin(HookDispatchTests.path(0), &hook)?.path.sequence == 0)
    #expect(hook.handle(HookDispatchTests.path(1, "status", "gateways"), at: HookDispatchTests.start).isEmpty)
    #expect(hook.handle(HookDispatchTests.path(2, "cost", "status"), at: HookDispatchTests.start).isEmpty)
    let next = try #require(Self.proceed(&hook))
    #expect(next.path.sequence == 2 && next.path.changed == ["status", "gateways", "cost"])
    #expect(Self.proceed(&hook) == nil)
    #expect(Self.begin(HookDispatchTests.path(3, "status"), &hook)?.path.changed == ["status"])
  }

  @Test func `a change that is undone during a run is still an update`() throws {
    var hook = HookDispatch(limit: nil)
    _ = Self.begin(HookDispatchTests.path(0), &hook)
    _ = hook.handle(HookDispatchTests.path(1, "status"), at: HookDispatchTests.start)
    _ = hook.handle(HookDispatchTests.path(2, "status"), at: HookDispatchTests.start)
    let next = try #require(Self.proceed(&hook))
    #expect(next.path.sequence == 2 && next.path.changed == ["status"])
  }

  @Test func `each run has the path of the run before, whatever came between`() {
    var hook = HookDispatch(limit: nil)
    #expect(Self.begin(HookDispatchTests.path(0), &hook) == .init(path: HookDispatchTests.path(0), former: nil))
    _ = hook.handle(HookDispatchTests.path(1), at: HookDispatchTests.start)
    _ = hook.handle(HookDispatchTests.path(3), at: HookDispatchTests.start)
    #expect(Self.proceed(&hook) == .init(path: HookDispatchTests.path(3), former: HookDispatchTests.path(0)))
    #expect(Self.proceed(&hook) == nil)
    let next = HookDispatch.Run(path: HookDispatchTests.path(4), former: HookDispatchTests.path(3))
    #expect(Self.begin(next.path, &hook) == next)
  }

  @Test func `the former values stand beside the new ones, and are empty for the first run`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)]
    let first = Self.variables(path)
    let former = first.filter { $0.key.hasPrefix("PATH_FORMER_") }
    #expect(former.count == 15)
    #expect(former.values.allSatisfy { $0.isEmpty })
    let later = NetworkPath(status: .unsatisfied, knowledge: .known)
    let next = Self.variables(later, former: path)
    #expect(next["PATH_STATUS"] == "unsatisfied" && next["PATH_FORMER_STATUS"] == "satisfied")
    #expect(next["PATH_INTERFACE"] == "" && next["PATH_FORMER_INTERFACE"] == "eth0")
    #expect(next["PATH_FORMER_JSON"] == first["PATH_JSON"])
    #expect(next["PATH_FORMER_CHANGED"] == nil)
  }

  @Test func `the variables of a path have the words of JSON`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "wlan0", index: 3, type: .wifi)]
    path.interfaceType = .wifi
    path.isExpensive = true
    path.supportsIPv4 = true
    path.changed = ["status", "interfaces"]
    let variables = Self.variables(path)
    let json = variables["PATH_JSON"] ?? ""
    #expect(json.hasPrefix(#"{"status":"satisfied""#) && json.hasSuffix("}"))
    #expect(
      variables.filter { $0.key != "PATH_JSON" && !$0.key.hasPrefix("PATH_FORMER_") } == [
        "PATH_STATUS": "satisfied", "PATH_KNOWLEDGE": "known", "PATH_REASON": "", "PATH_INTERFACE": "wlan0",
        "PATH_TYPE": "wifi", "PATH_EXPENSIVE": "true", "PATH_CONSTRAINED": "false", "PATH_TUNNEL": "false",
        "PATH_IPV4": "true", "PATH_IPV6": "false", "PATH_DNS": "false", "PATH_CHANGED": "status interfaces",
        "PATH_DIAGNOSIS": "", "PATH_ADVICE": "", "PATH_VALIDATION": "unknown", "PATH_MOVED": "",
      ])
  }

  @Test func `an offline path has a reason and no interface, whatever bound sockets could use`() {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noRoute
    path.interfaces = [NetworkInterface(name: "wlan0", index: 3, type: .wifi)]
    let variables = Self.variables(path)
    #expect(variables["PATH_REASON"] == "noRoute")
    #expect(variables["PATH_DIAGNOSIS"] == "no route beyond the local network", "nothing more is known")
    #expect(variables["PATH_INTERFACE"] == "" && variables["PATH_TYPE"] == "")
  }

  @Test func `the kinds of change since the last path are words in their order`() {
    let path = NetworkPath(status: .satisfied, knowledge: .known)
    let all: PathChanges = [.better, .addresses, .gateway, .interface, .source]
    #expect(Self.variables(path, moved: all)["PATH_MOVED"] == "source interface gateway addresses better")
  }

  @Test func `a run has the changes since the last run with a path, whatever came between`() throws {
    let wired = try NetworkPath.way("eth0 192.0.2.2/24 via 192.0.2.1")
    let wireless = try NetworkPath.way("wlan0 198.51.100.2/24 via 198.51.100.1")
    let lost = NetworkPath(status: .unsatisfied, knowledge: .known)
    var hook = HookDispatch(limit: nil)
    let moved: [PathChanges] = try [wired, lost, wired, lost, wireless, wireless].map { path in
      let run = try #require(Self.begin(path, &hook))
      #expect(Self.proceed(&hook) == nil)
      return run.moved
    }
    #expect(moved == [[], [], [], [], [.source, .interface, .gateway, .addresses], []])
    _ = Self.begin(lost, &hook)
    _ = hook.handle(wired, at: HookDispatchTests.start)
    _ = hook.handle(wireless, at: HookDispatchTests.start)
    #expect(Self.proceed(&hook)?.moved == [], "the path in between was in no run")
  }

  @Test func `a path that is too long for an environment leaves the others`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = (1...2_000).map { NetworkInterface(name: "interface\($0)", index: $0, type: .other) }
    let variables = Self.variables(path)
    #expect(variables["PATH_JSON"] == "")
    #expect(variables["PATH_INTERFACE"] == "interface1")
  }
}
