import PathModel
import ProcessTestSupport
import Testing

@Suite("The cause in each update")
struct TravellingCauseTests {
  private static let sentence =
    "uplink0, the only interface, has no carrier: a cable is out, or the port at the other end is off"

  @Test func `every answer and update about a pulled cable names its interface`() async throws {
    try await TestNetwork.withService { daemon, network in
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      let bar = try daemon.start("watch", "--format", "{diagnosis}|{advice}|{brief}")
      #expect(try await bar.output.wait(lines: 1).first == "||connected over uplink0")
      let waybar = try daemon.start("watch", "--format", "waybar")
      let lines = try daemon.start("watch")
      let hook = try daemon.start("watch", "--exec", "echo \"$PATH_DIAGNOSIS|$PATH_ADVICE|$PATH_JSON\"")
      for program in [waybar, lines, hook] { _ = try await program.output.wait(lines: 1) }
      try await network.ipFar("link set uplink0 down")
      let update = try await watch.output.wait(lines: 2)[1]
      let object = try #require(try JSONValue(parsing: Array(update.utf8)).objectValue)
      #expect(object["diagnosis"]?["code"] == "noCarrier" && object["diagnosis"]?["subject"] == "uplink0")
      #expect(object["diagnosis"]?["sentence"]?.stringValue == Self.sentence)
      let words = try await bar.output.wait(lines: 2)[1]
      #expect(words.hasPrefix("\(Self.sentence)|Is the other end of the pair up"))
      #expect(words.hasSuffix("|offline: \(Self.sentence)"))
      #expect(try await waybar.output.wait(lines: 2)[1].contains(#""tooltip":"offline: uplink0, the only"#))
      #expect(try await lines.output.wait(lines: 2)[1].hasSuffix("offline: \(Self.sentence)"))
      let ran = try await hook.output.wait(lines: 2)[1]
      #expect(ran.hasPrefix("\(Self.sentence)|Is the other end of the pair up"))
      #expect(ran.contains(#""diagnosis":{"code":"noCarrier","subject":"uplink0","#))
      for line in ["wait connected --timeout 0", "run --timeout 0 connected -- true"] {
        let late = try await daemon.pathctl(line: line)
        #expect(late.status == 124 && late.complaints.contains("offline: \(Self.sentence)"), "\(line)")
      }
      #expect(try await daemon.pathctl("status", "--field", "diagnosis").output == "\(Self.sentence)\n")
    }
  }
}
