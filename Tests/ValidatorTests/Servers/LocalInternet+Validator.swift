import PathModel
import ProcessTestSupport

/// The validator, and what is seen of it.
extension LocalInternet {
  private func validator(_ arguments: String...) -> [String] {
    ["ip", "netns", "exec", network.near] + launcher + [RunningProgram.built("pathmonitor-validation")]
      + ["--socket", daemon.socket, "--config", directory("validation.conf")] + arguments
  }

  /// Starts the validator, which ends with the program that is returned.
  func startValidator(environment: [String: String?] = [:]) throws -> RunningProgram {
    try RunningProgram(validator(), environment: environment)
  }

  /// Runs the validator once.
  func validateOnce() async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(validator("--once"), within: .seconds(60))
  }

  /// Starts a subscriber of the service, and waits for the first path.
  func startWatcher() async throws -> RunningProgram {
    let watcher = try daemon.start("watch", "--json", "--settle", "0")
    _ = try await watcher.output.wait(lines: 1)
    return watcher
  }

  /// Makes it with a subscriber of the service and a validator, and waits for the verdict before the body.
  static func judged(
    _ behaviours: Behaviours = Behaviours(), as state: String = "validated", hasIPv6: Bool = false,
    announced: String? = nil,
    _ body: (LocalInternet, _ watcher: RunningProgram, _ validator: RunningProgram) async throws -> Void
  ) async throws {
    try await with(behaviours, hasIPv6: hasIPv6, announced: announced) { internet in
      let watcher = try await internet.startWatcher()
      let validator = try internet.startValidator()
      try await watcher.path(judged: state)
      try await body(internet, watcher, validator)
      validator.kill()
    }
  }

  /// The validation of the path, as the service has it.
  func validation() async throws -> JSONValue {
    let status = try await daemon.pathctl("status", "--json")
    return try JSONValue(parsing: Array(status.output.utf8))["validation"] ?? .null
  }

  /// The lines of the servers that begin with the word.
  func seen(_ word: String) -> [String] { servers.output.lines.filter { $0.hasPrefix(word) } }
  /// The requests, as address and port.
  var requests: [String] {
    seen("request").map { $0.split(separator: " ")[1...2].joined(separator: " ") }
  }

  /// Waits until the servers have seen so many requests or queries.
  func wait(_ count: Int, of word: String = "request") async throws {
    _ = try await servers.output.wait(for: "\(count) of '\(word)'", within: .seconds(60)) { lines in
      lines.count { $0.hasPrefix(word) } >= count ? true : nil
    }
  }

  /// Has the kernel ask for the router soon, and again and again, because a program sends to the Internet.
  func makeTraffic() async throws -> RunningProgram {
    for setting in ["base_reachable_time_ms=1000", "delay_first_probe_time=1", "retrans_time_ms=200"] {
      try await RunningProgram.succeed(
        ["ip", "netns", "exec", network.near, "sysctl", "-q", "-w", "net.ipv4.neigh.eth0.\(setting)"])
    }
    let sending = "while :; do echo >/dev/udp/203.0.113.1/9; sleep 0.2; done 2>/dev/null"
    return try RunningProgram(["bash", "-c", sending], namespace: network.near)
  }
}

extension RunningProgram {
  /// Waits until the last path that a subscriber has printed has the verdict, and returns the path.
  @discardableResult
  func path(judged state: String) async throws -> JSONValue {
    let line = try await output.wait(for: state, within: .seconds(60)) { lines in
      lines.last.flatMap { $0.contains(#""validation":{"state":"\#(state)""#) ? $0 : nil }
    }
    return try JSONValue(parsing: Array(line.utf8))
  }

  /// The verdicts that a subscriber has printed, in a row of different ones.
  func states(after count: Int = 0) -> [String] {
    output.lines.dropFirst(count).reduce(into: []) { states, line in
      let state = line.firstMatch(of: /"validation":{"state":"(\w+)"/).map { String($0.1) } ?? "none"
      if states.last != state { states.append(state) }
    }
  }
}
