import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The validator as a subscriber of the service, which publishes its verdicts.
@Suite("The validator's reports", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ReportedValidationTests {
  @Test func `a verdict is published, and another router is another network, on which the hosts are asked`()
    async throws
  {
    try await LocalInternet.judged { internet, watcher, _ in
      let path = try await watcher.path(judged: "validated")
      #expect(path["status"]?.stringValue == "satisfied")
      #expect(path["validation"]?["evidence"]?.arrayValue?.count == 4)
      #expect(try await internet.daemon.pathctl("check", "validated").status == 0)
      let explanation = try await internet.daemon.pathctl("explain").output
      #expect(explanation.contains("* validated") && explanation.contains("https://a.example/204 by IPv4"))
      try await internet.network.ipFar("address add 192.0.2.9/24 dev eth0")
      try await internet.network.ip("route replace default via 192.0.2.9 dev eth0 metric 100")
      _ = try await watcher.output.wait(for: "the verdict to go", within: .seconds(20)) { lines in
        lines.contains { $0.contains(#""192.0.2.9""#) && $0.contains(#""validation":{"state":"unknown""#) } ? true : nil
      }
      try await watcher.path(judged: "validated")
      #expect(internet.requests.count == 8)
    }
  }

  @Test func `a verdict that a user asks for takes the validator's place, which follows it up`() async throws {
    try await LocalInternet.with { internet in
      // Without a validator a verdict is printed, and nobody hears of it.
      #expect(try await internet.validateOnce().status == 0)
      #expect(try await internet.validation()["state"]?.stringValue == "unknown")
      let watcher = try await internet.startWatcher()
      let validator = try internet.startValidator()
      try await watcher.path(judged: "validated")
      // The validator makes no round while the Internet answers, and does not see the portal.
      try internet.change(.all(.redirect))
      #expect(try await internet.validateOnce().status == 1)
      try await watcher.path(judged: "portal")
      // It looks after the new verdict: the end of the portal is noticed without another question of the user.
      try internet.change(.init())
      try await watcher.path(judged: "validated")
      validator.kill()
    }
  }

  @Test func `the page of a portal is shown, and opened by the user's own programs`() async throws {
    try await LocalInternet.judged(.all(.redirect), as: "portal") { internet, _, _ in
      let portal = try await internet.daemon.pathctl("portal")
      #expect(portal.status == 0 && portal.output == "http://a.example/204\n")
      let opened = try await internet.daemon.pathctl("portal", "--open")
      #expect(opened.status == 69 && opened.complaints.contains("as yourself"), "root opens no page")
      let user = try await Self.openAsNobody(internet)
      #expect(user.status == 0 && user.output == "65534 opens http://a.example/204\n", "\(user)")
      #expect(try await internet.daemon.pathctl("check", "portal").status == 0)
    }
  }

  /// Runs `pathctl portal --open` as another user, with a browser that says who has called it.
  private static func openAsNobody(_ internet: LocalInternet) async throws -> RunningProgram.Outcome {
    try internet.directory.write("xdg-open", "#!/bin/sh\necho \"$(id -u) opens $*\"\n")
    try internet.directory.setMode("xdg-open", 0o755)
    try internet.directory.write("layer/.keep", "")
    let script = """
      cd "$0" && mount -t tmpfs layer layer && mkdir layer/upper layer/work && cp xdg-open layer/upper/ &&
        mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=layer/upper,workdir=layer/work /usr/bin && exec "$@"
      """
    return try await RunningProgram.run(
      ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, internet.directory.path]
        + ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", RunningProgram.pathctl]
        + ["portal", "--open", "--socket", internet.daemon.socket])
  }

  @Test func `a router that is silent gets a round, and one that answers again another`() async throws {
    try await LocalInternet.judged { internet, watcher, _ in
      let traffic = try await internet.makeTraffic()
      try await internet.network.ipFar("address del 192.0.2.1/24 dev eth0")
      let path = try await watcher.path(judged: "unanswered")
      #expect(path["status"]?.stringValue == "satisfied")
      try await internet.network.ipFar("address add 192.0.2.1/24 dev eth0")
      try await watcher.path(judged: "validated")
      traffic.kill()
    }
  }

  // MARK: The life of a verdict

  @Test func `a verdict ends with its validator, however that ends, and when it may not ask any more`() async throws {
    try await LocalInternet.judged { internet, watcher, validator in
      validator.send(SIGTERM)
      try await watcher.path(judged: "unknown")
      let successor = try internet.startValidator()
      try await watcher.path(judged: "validated")
      #expect(try await internet.daemon.pathctl("override", "set", "isExpensive", "true").status == 0)
      try await watcher.path(judged: "unknown")
      #expect(try await internet.daemon.pathctl("override", "clear").status == 0)
      try await watcher.path(judged: "validated")
      successor.kill()
      try await watcher.path(judged: "unknown")
    }
  }

  /// Calls of a reporter: `report(begun, more)` returns the connection and the reply, `now()` is the clock of rounds.
  private static let reporter = """
    import json, os, socket, sys, time
    def now(): return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
    def receive(client):
        frame = b""
        while not frame.endswith(b"\\0"): frame += client.recv(1) or b"{}\\0"
        return json.loads(frame[:-1])
    def call(method, parameters={}, more=False):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(30)
        client.connect(sys.argv[1])
        name = "io.pathmonitor.PathMonitor." + method
        client.sendall(json.dumps({"method": name, "parameters": parameters, "more": more}).encode() + b"\\0")
        return client, receive(client)
    def report(begun=None, more=False):
        validation = {"state": "portal", "evidence": [
            {"source": "host", "verdict": "portal", "family": None, "when": 1, "text": "x"}]}
        return call("ReportValidation", {"interface": "eth0", "gateways": ["192.0.2.1"], "begun": begun,
                                         "validation": validation}, more)
    def state(): return call("GetPath")[1]["parameters"]["path"]["validation"]["state"]
    def comes(wanted):
        end = time.monotonic() + 30
        while state() != wanted:
            assert time.monotonic() < end, state()
            time.sleep(0.05)

    """

  @Test func `a verdict lives as long as its call, and another one takes its place`() async throws {
    try await LocalInternet.with { internet in
      let script =
        Self.reporter + """
          first, reply = report(now(), more=True)
          assert reply == {"parameters": {}, "continues": True}, reply
          second, reply = report(now(), more=True)
          assert receive(first) == {"parameters": {}}, "the first call has ended"
          assert report()[1] == {"parameters": {}}, "one without a call of its own takes its place"
          time.sleep(6)
          assert state() == "portal"
          second.close()
          comes("unknown")
          assert report()[1] == {"parameters": {}} and state() == "portal"
          comes("unknown")
          """
      let outcome = try await Python.run(script, internet.daemon.socket)
      #expect(outcome.status == 0, "\(outcome.complaints)")
    }
  }

  /// A cable that is pulled, and an address that is taken away, as at a move to a network with the same router.
  @Test(arguments: ["carrier", "address"])
  func `a verdict that was begun before the network was lost is refused, and a call about it ends`(
    loss: String
  ) async throws {
    try await LocalInternet.with { internet in
      let script =
        Self.reporter + """
          begun = now()
          held, reply = report(begun, more=True)
          assert reply["continues"] is True, reply
          print("held", flush=True)
          assert receive(held)["error"] == "io.pathmonitor.PathMonitor.AnotherPath"
          print("lost", flush=True)
          while not os.path.exists(sys.argv[2]): time.sleep(0.05)
          assert report(begun)[1]["error"] == "io.pathmonitor.PathMonitor.AnotherPath"
          assert report(now())[1] == {"parameters": {}}
          """
      let reporter = try RunningProgram(
        ["python3", "-u", "-c", script, internet.daemon.socket, internet.directory("go")])
      _ = try await reporter.output.wait(lineWith: "held")
      if loss == "carrier" {
        try await internet.network.ipFar("link set eth0 down")
      } else {
        try await internet.network.ip("address del 192.0.2.2/24 dev eth0", "address add 192.0.2.3/24 dev eth0")
      }
      _ = try await reporter.output.wait(lineWith: "lost")
      try await internet.network.ipFar("link set eth0 up")
      try await internet.network.ip("route replace default via 192.0.2.1 dev eth0 metric 100")
      _ = try await internet.daemon.pathctl("wait", "connected")
      try internet.directory.write("go", "")
      #expect(try await reporter.waitForExit(within: .seconds(60)) == 0, "\(reporter.complaints.lines)")
    }
  }

  @Test func `a report of another user is refused, and so are those on another path and without bounds`() async throws {
    try await LocalInternet.with { try await Self.report(to: $0) }
  }

  private static func report(to internet: LocalInternet) async throws {
    let observation = #"{"source":"host","verdict":"validated","family":null,"when":1,"text":"x"}"#
    func report(
      _ validation: String, interface: String = "eth0", gateway: String = "192.0.2.1", as launcher: [String] = []
    ) async throws -> String {
      let call = """
        import json, socket, sys
        s = socket.socket(1)
        s.connect(sys.argv[1])
        s.sendall(sys.argv[2].encode() + b"\\0")
        print(s.recv(65536)[:-1].decode())
        """
      let parameters = #"{"interface":"\#(interface)","gateways":["\#(gateway)"],"validation":\#(validation)}"#
      let request = #"{"method":"io.pathmonitor.PathMonitor.ReportValidation","parameters":\#(parameters)}"#
      let words = launcher + ["/usr/bin/python3", "-c", call, internet.daemon.socket, request]
      let outcome = try await RunningProgram.run(words)
      return outcome.output + outcome.complaints
    }
    let good = #"{"state":"portal","portal":"https://p.example/","evidence":[\#(observation)]}"#
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let refused = try await report(good, as: nobody)
    #expect(refused.contains("PermissionDenied"))
    #expect(try await report(good, interface: "eth1").contains("AnotherPath"))
    #expect(try await report(good, gateway: "192.0.2.9").contains("AnotherPath"))
    let many = Array(repeating: observation, count: 65).joined(separator: ",")
    #expect(try await report(#"{"state":"portal","evidence":[\#(many)]}"#).contains("InvalidParameter"))
    let router = observation.replacing("host", with: "router")
    #expect(try await report(#"{"state":"portal","evidence":[\#(router)]}"#).contains("InvalidParameter"))
    #expect(try await report("7").contains("InvalidParameter"))
    #expect(try await internet.validation()["state"]?.stringValue == "unknown")
    #expect(try await report(good).hasPrefix("{\"parameters\":{}}"))
    #expect(try await internet.validation()["portal"]?.stringValue == "https://p.example/")
    let script = #"{"state":"portal","portal":"javascript:alert(1)","evidence":[\#(observation)]}"#
    #expect(try await report(script).hasPrefix("{\"parameters\":{}}"))
    #expect(try await internet.validation()["portal"]?.isNull == true)
    let portal = try await internet.daemon.pathctl("portal")
    #expect(portal.status == 1 && portal.output.isEmpty && portal.complaints.contains("no page is known"))
    let withdrawn = #"{"state":"unknown","evidence":[]}"#
    #expect(try await report(withdrawn).hasPrefix("{\"parameters\":{}}"))
    #expect(try await internet.validation()["state"]?.stringValue == "unknown")
  }
}
