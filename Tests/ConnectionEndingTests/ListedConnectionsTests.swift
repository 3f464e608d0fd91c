import PathModel
import ProcessTestSupport
import Testing

@Suite("pathctl connections", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ListedConnectionsTests {
  @Test func `the prefix that the network has given up is deprecated, and an address that is replaced in it is not`()
    async throws
  {
    try await EndingStage.with { stage in
      let near = stage.network.near
      let addresses = ["2001:db8:2::7", "2001:db8:2::8", "2001:db8:3::7"]
      for address in addresses { try await stage.network.ip("-6 address add \(address)/64 dev eth0 nodad") }
      try await stage.network.ipFar("-6 route add 2001:db8:3::/64 via 2001:db8:2::2")
      let peers = try await stage.connect(
        addresses.map { .init(name: $0, local: $0, remote: EndingStage.serverIPv6) })
      for address in [addresses[0], addresses[2]] {
        try await stage.network.ip("-6 address change \(address)/64 dev eth0 preferred_lft 0 valid_lft 1000")
      }
      let list = try await RunningProgram.pathctl("connections", namespace: near)
      let lines = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      for (address, source) in zip(addresses, ["there", "there", "deprecated"]) {
        let line = try #require(lines.first { $0.count > 1 && $0[1].hasPrefix("[\(address)]:") }, "\(list)")
        #expect(line[5] == source, "\(line)")
      }
      #expect(peers.program.isRunning)
    }
  }

  @Test func `the route of a connection within the machine is here, and stays the same`() async throws {
    try await EndingStage.with { stage in
      let peers = try await stage.connect([.init(name: "own", local: "192.0.2.2", kind: "loop")])
      let list = try await RunningProgram.pathctl("connections", "--json", namespace: stage.network.near)
      let ends = try #require(try JSONValue(parsing: Array(list.output.utf8))["connections"]?.arrayValue)
      #expect(ends.count == 2, "\(list)")
      #expect(ends.allSatisfy { $0["routeInterface"] == "lo" && $0["isRouteUnchanged"] == true }, "\(list)")
      #expect(peers.program.isRunning)
    }
  }

  @Test func `pathctl lists the connections, and says which addresses are held`() async throws {
    try await EndingStage.with { stage in
      for address in ["192.0.2.7", "192.0.2.8"] { try await stage.network.ip("address add \(address)/24 dev eth0") }
      let peers = try await stage.connect([
        .init(name: "other", local: "192.0.2.7"), .init(name: "stays", local: "192.0.2.8"),
      ])
      try await stage.network.ip("address delete 192.0.2.7/24 dev eth0")
      let near = stage.network.near
      let list = try await RunningProgram.pathctl("connections", namespace: near)
      let lines = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(list.status == 0 && lines.first?.first == "PROGRAM" && lines.count == 3, "\(list)")
      #expect(lines[1].contains("gone") && lines[1][1].hasPrefix("192.0.2.7:") && lines[1][0] == "python3")
      #expect(lines[1][4...5] == ["-", "gone"], "a column that is empty keeps its place")
      #expect(lines[2].contains("there") && lines[2].contains("same") && lines[2].contains("eth0"))
      let json = try await RunningProgram.pathctl("connections", "--json", namespace: near)
      let gone = try #require(
        try JSONValue(parsing: Array(json.output.utf8))["connections"]?.arrayValue?.first)
      #expect(gone["hasSource"] == false && gone["interface"] == .null && gone["routeInterface"] == "eth0")
      #expect(gone["remote"] == "203.0.113.1" && gone["remotePort"] == 7000 && gone["state"] == "established")
      #expect(gone["unacknowledgedBytes"] == 0 && gone["millisecondsSinceReceive"]?.integerValue != nil)
      #expect(gone["process"]?.integerValue == Int64(peers.program.processIdentifier))
      let sentence =
        "1 connection (python3) holds 192.0.2.7, which is gone; pathmonitor-connections would have ended it if it had run"
      for verb in ["status", "explain"] {
        let answer = try await stage.daemon.pathctl(verb, namespace: near)
        #expect(answer.output.contains(sentence), "\(answer.output)")
      }
      let stranger = try await RunningProgram.run(
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", RunningProgram.pathctl, "status"]
          + ["--direct"], namespace: near)
      #expect(stranger.output.contains("1 connection holds 192.0.2.7, which is gone"), "\(stranger)")
    }
  }
}
