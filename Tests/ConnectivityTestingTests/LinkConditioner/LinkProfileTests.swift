import Foundation
import Testing

@testable import ConnectivityTesting

@Suite("Profiles of links")
struct LinkProfileTests {
  @Test func `each profile has a name of its own, by which it is found`() {
    #expect(Set(LinkProfile.all.map(\.name)).count == LinkProfile.all.count)
    for profile in LinkProfile.all { #expect(LinkProfile(named: profile.name) == profile) }
    #expect(LinkProfile(named: "nonsense") == nil)
  }

  @Test func `a figure outside of its range is the nearest in it`() {
    let direction = LinkProfile.Direction(bitsPerSecond: -5, delay: .seconds(-1), loss: 7)
    #expect(direction == LinkProfile.Direction(bitsPerSecond: 1, delay: .zero, loss: 1))
    #expect(LinkProfile.Direction(loss: -1).loss == 0)
  }

  @Test func `both ends of a cable get the figures of their direction`() {
    #expect(
      LinkProfile.edge.trafficControl() == [
        "tc -n client qdisc replace dev wire root netem delay 440ms rate 200kbit limit 50",
        "tc -n server qdisc replace dev wire root netem delay 400ms rate 240kbit limit 50",
      ])
    #expect(LinkProfile.unlimited.trafficControl().isEmpty)
  }

  /// The page beside the library has the same commands, for readers and for the test in a virtual machine.
  @Test func `the page has the commands of every profile`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/link-conditions.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    for profile in LinkProfile.all where profile != .unlimited {
      let section = (["# \(profile.name)"] + profile.trafficControl()).map { "    \($0)\n" }.joined()
      #expect(text.contains("\n" + section + "\n"), "The page has to contain:\n\(section)")
    }
  }
}
