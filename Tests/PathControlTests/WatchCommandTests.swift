import PathModel
import Testing

@testable import PathControl

@Suite("The variables of a command of watch")
struct WatchCommandTests {
  private static func variables(
    _ path: NetworkPath, former: NetworkPath? = nil, moved: PathChanges = []
  ) -> [String: String] {
    let run = HookDispatch.Run(path: path, former: former, moved: moved)
    return Dictionary(uniqueKeysWithValues: PathVariables.of(run).map { ($0.name, $0.value) })
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

  @Test func `a path that is too long for an environment leaves the others`() {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = (1...2_000).map { NetworkInterface(name: "interface\($0)", index: $0, type: .other) }
    let variables = Self.variables(path)
    #expect(variables["PATH_JSON"] == "")
    #expect(variables["PATH_INTERFACE"] == "interface1")
  }
}
