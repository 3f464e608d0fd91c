import Glibc
import PathControl
import PathModel
import Testing

@Suite("The command of watch")
struct UpdateHookTests {
  private static func path(_ sequence: Int, _ changed: String...) -> NetworkPath {
    var path = NetworkPath(status: sequence.isMultiple(of: 2) ? .satisfied : .unsatisfied, knowledge: .known)
    path.sequence = sequence
    path.changed = changed
    return path
  }

  private static func ran(_ actions: [UpdateHook.Action]) -> (sequence: Int, changed: [String])? {
    guard actions.count == 1, case .run(let path, _) = actions[0] else { return nil }
    return (path.sequence, path.changed)
  }

  @Test func `it is run for the first path and for each that follows`() {
    var hook = UpdateHook()
    for sequence in 1...3 {
      #expect(Self.ran(hook.handle(Self.path(sequence, "status")))?.sequence == sequence)
      #expect(hook.commandEnded().isEmpty)
    }
  }

  @Test func `updates during a run are one update, the newest, with all changed fields`() throws {
    var hook = UpdateHook()
    #expect(Self.ran(hook.handle(Self.path(0)))?.sequence == 0)
    #expect(hook.handle(Self.path(1, "status", "gateways")).isEmpty)
    #expect(hook.handle(Self.path(2, "cost", "status")).isEmpty)
    let next = try #require(Self.ran(hook.commandEnded()))
    #expect(next == (2, ["status", "gateways", "cost"]))
    #expect(hook.commandEnded().isEmpty)
    #expect(Self.ran(hook.handle(Self.path(3, "status")))?.changed == ["status"])
  }

  @Test func `a change that is undone during a run is still an update`() throws {
    var hook = UpdateHook()
    _ = hook.handle(Self.path(0))
    _ = hook.handle(Self.path(1, "status"))
    _ = hook.handle(Self.path(2, "status"))
    #expect(try #require(Self.ran(hook.commandEnded())) == (2, ["status"]))
  }

  @Test func `each run has the path of the run before, whatever came between`() {
    var hook = UpdateHook()
    #expect(hook.handle(Self.path(0)) == [.run(Self.path(0), former: nil)])
    _ = hook.handle(Self.path(1))
    _ = hook.handle(Self.path(3))
    #expect(hook.commandEnded() == [.run(Self.path(3), former: Self.path(0))])
    #expect(hook.commandEnded().isEmpty)
    #expect(hook.handle(Self.path(4)) == [.run(Self.path(4), former: Self.path(3))])
  }

  @Test func `the former values stand beside the new ones, and are empty for the first run`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)]
    let first = Dictionary(uniqueKeysWithValues: PathVariables.of(path, former: nil).map { ($0.name, $0.value) })
    let former = first.filter { $0.key.hasPrefix("PATH_FORMER_") }
    #expect(former.count == 12)
    #expect(former.values.allSatisfy { $0.isEmpty })
    let later = NetworkPath(status: .unsatisfied, knowledge: .known)
    let next = Dictionary(uniqueKeysWithValues: PathVariables.of(later, former: path).map { ($0.name, $0.value) })
    #expect(next["PATH_STATUS"] == "unsatisfied" && next["PATH_FORMER_STATUS"] == "satisfied")
    #expect(next["PATH_INTERFACE"] == "" && next["PATH_FORMER_INTERFACE"] == "eth0")
    #expect(next["PATH_FORMER_JSON"] == first["PATH_JSON"])
    #expect(next["PATH_FORMER_CHANGED"] == nil)
  }

  @Test func `a signal is passed on, and the end waits for the command`() {
    var hook = UpdateHook()
    _ = hook.handle(Self.path(0))
    _ = hook.handle(Self.path(1))
    #expect(hook.handle(signal: SIGTERM) == [.send(SIGTERM), .send(SIGCONT)])
    #expect(hook.handle(signal: SIGINT) == [.send(SIGINT), .send(SIGCONT)])
    #expect(hook.handle(Self.path(2)).isEmpty)
    #expect(hook.commandEnded() == [.end(status: 143)])
  }

  @Test func `without a running command the end comes at once`() {
    var hook = UpdateHook()
    #expect(hook.handle(signal: SIGHUP) == [.end(status: 129)])
    var idle = UpdateHook()
    _ = idle.handle(Self.path(0))
    _ = idle.commandEnded()
    #expect(idle.end(0) == [.end(status: 0)])
  }

  @Test func `the variables of a path have the words of JSON`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: "wlan0", index: 3, type: .wifi)]
    path.interfaceType = .wifi
    path.isExpensive = true
    path.supportsIPv4 = true
    path.changed = ["status", "interfaces"]
    let variables = Dictionary(uniqueKeysWithValues: PathVariables.of(path, former: nil).map { ($0.name, $0.value) })
    let json = variables["PATH_JSON"] ?? ""
    #expect(json.hasPrefix(#"{"status":"satisfied""#) && json.hasSuffix("}"))
    #expect(
      variables.filter { $0.key != "PATH_JSON" && !$0.key.hasPrefix("PATH_FORMER_") } == [
        "PATH_STATUS": "satisfied", "PATH_KNOWLEDGE": "known", "PATH_REASON": "", "PATH_INTERFACE": "wlan0",
        "PATH_TYPE": "wifi", "PATH_EXPENSIVE": "true", "PATH_CONSTRAINED": "false", "PATH_TUNNEL": "false",
        "PATH_IPV4": "true", "PATH_IPV6": "false", "PATH_DNS": "false", "PATH_CHANGED": "status interfaces",
        "PATH_DIAGNOSIS": "", "PATH_ADVICE": "",
      ])
  }

  @Test func `an offline path has a reason and no interface, whatever bound sockets could use`() {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noRoute
    path.interfaces = [NetworkInterface(name: "wlan0", index: 3, type: .wifi)]
    let variables = Dictionary(uniqueKeysWithValues: PathVariables.of(path, former: nil).map { ($0.name, $0.value) })
    #expect(variables["PATH_REASON"] == "noRoute")
    #expect(variables["PATH_DIAGNOSIS"] == "no route beyond the local network", "nothing more is known")
    #expect(variables["PATH_INTERFACE"] == "" && variables["PATH_TYPE"] == "")
  }

  @Test func `a path that is too long for an environment leaves the others`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = (1...2_000).map { NetworkInterface(name: "interface\($0)", index: $0, type: .other) }
    let variables = Dictionary(uniqueKeysWithValues: PathVariables.of(path, former: nil).map { ($0.name, $0.value) })
    #expect(variables["PATH_JSON"] == "")
    #expect(variables["PATH_INTERFACE"] == "interface1")
  }
}
