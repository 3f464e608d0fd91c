import ConnectivityTesting
import Foundation
import ProcessTestSupport
import RequestsOnPath
import Testing

/// Requests of a program in one network namespace to a server in another, over a cable.
@Suite(
  "Requests over a real network", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct NamespaceTests {
  /// Makes a cable with the server at its far end.
  private func withServer(_ body: (TestNetwork, FaultServer) async throws -> Void) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      try await network.ipFar("address add 192.0.2.1/24 dev eth0")
      let server = try FaultServer.forRequests(at: "192.0.2.1", namespace: network.far)
      try await body(network, server)
      server.close()
    }
  }

  /// Starts a request in the near namespace, for a URL or a path of the server.
  private func request(
    _ place: String, _ words: String..., from server: FaultServer? = nil, in network: TestNetwork,
    socket: String = "/nonexistent"
  ) throws -> RunningProgram {
    let url = server?.url(place, host: "192.0.2.1").absoluteString ?? place
    return try RunningProgram(
      [RunningProgram.built("request-probe"), url] + words, environment: ["PATHMONITOR_SOCKET": socket],
      namespace: network.near)
  }

  /// The reason of a failure, after its milliseconds.
  private func failure(of program: RunningProgram, within limit: Duration = .seconds(60)) async throws -> String {
    let line = try await program.output.wait(lineWith: "failure ", within: limit)
    return String(try #require(line.split(separator: " ", maxSplits: 2).last))
  }

  @Test func `a transfer whose link goes down has lost its connection after the grace period`() async throws {
    try await withServer { network, server in
      let program = try request("/drip", "connected", from: server, in: network)
      await server.waitForRequests(to: "/drip")
      // The link goes down at some moment in between: the command may have to wait for other commands that change
      // links.
      let earliest = ContinuousClock.now
      try await network.ip("link set eth0 down")
      // Foundation would wait for a minute.
      let failure = try await failure(of: program, within: .seconds(40))
      let end = ContinuousClock.now
      #expect(failure == "connection lost")
      #expect(end - earliest > .seconds(1.9), "\(end - earliest)")
    }
  }

  @Test func `a request without a route reports that it waits, and succeeds when there is one`() async throws {
    try await withServer { network, server in
      try await network.ip("route del default", "address del 192.0.2.2/24 dev eth0")
      let program = try request("/ok", "connected", from: server, in: network)
      try await program.output.wait(lineWith: "waiting noAddress")
      try await network.ip("address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
      try await program.output.wait(lineWith: "result 200 2")
      #expect(try await program.waitForExit() == 0)
      #expect(program.output.lines == ["waiting noAddress", "result 200 2"])
    }
  }

  @Test(
    "the failure of a transfer without a route is offline, to an address and to a name",
    arguments: ["http://192.0.2.1/", "https://192.0.2.1/", "http://www.example.org/"])
  func failed(_ url: String) async throws {
    try await TestNetwork.with { network in
      // The requirement lets the request pass: the error comes from Foundation.
      let program = try request(url, "offline", "refuse", in: network)
      #expect(try await failure(of: program) == "offline")
      let description = try await program.output.wait(lineWith: "offline at \(url) (NSURLErrorDomain ")
      #expect(description.contains("path: "))
    }
  }

  @Test func `an expensive path is refused or waited on, as requested, also with the service's paths`() async throws {
    try await withServer { network, server in
      let daemon = try await TestDaemon(namespace: network.near)
      #expect(try await daemon.pathctl("override", "set", "isExpensive", "true").status == 0)
      let refused = try request("/ok", "unmetered", "refuse", from: server, in: network, socket: daemon.socket)
      #expect(try await failure(of: refused) == "the path is not 'unmetered'")
      let waiting = try request("/ok", "unmetered", from: server, in: network, socket: daemon.socket)
      try await waiting.output.wait(lineWith: "waiting requirementNotMet")
      #expect(try await daemon.pathctl("override", "clear", "isExpensive").status == 0)
      try await waiting.output.wait(lineWith: "result 200 2")
      try await daemon.stop()
    }
  }

  @Test func `a service that goes away rejects nothing`() async throws {
    try await withServer { network, server in
      let daemon = try await TestDaemon(namespace: network.near)
      let transfer = try request("/drip", "connected", "timeout=4", from: server, in: network, socket: daemon.socket)
      await server.waitForRequests(to: "/drip")
      try await daemon.program.killAndWait()
      #expect(try await failure(of: transfer).contains("resource"), "it went on to its end")
      let next = try request("/ok", "connected", "refuse", from: server, in: network, socket: daemon.socket)
      try await next.output.wait(lineWith: "result 200 2")
    }
  }

  @Test func `during an outage nothing is tried and the budget stays full, then the waiters return once each`()
    async throws
  {
    try await withServer { network, server in
      // The cable is pulled, and the kernel has no route left, not even that of the address: a connection over a route
      // without carrier would be tried for minutes.
      try await network.ipFar("link set eth0 down")
      try await network.ip("route del default", "address del 192.0.2.2/24 dev eth0")
      let crowd = try RunningProgram(
        [RunningProgram.built("monitor-load"), "retries", "1000", "192.0.2.1", "\(server.port)"],
        environment: ["PATHMONITOR_SOCKET": "/nonexistent"], namespace: network.near)
      try await crowd.output.wait(lineWith: "waiting", within: .seconds(60))
      // The outage has many faces. Each of them is a change of the path, after which nothing has been tried.
      for (command, reason) in [
        ("link set eth0 down", "noInterface"), ("link set eth0 up", "noCarrier"),
      ] {
        try await network.ip(command)
        try await crowd.output.wait(lineWith: "path \(reason) 0 full")
      }
      try await network.ipFar("link set eth0 up")
      try await network.ip("address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
      try await crowd.output.wait(lineWith: "done 1000", within: .seconds(60))
      #expect(try await crowd.waitForExit() == 0)
    }
  }
}
