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
    var changed = LinkProfile.Direction()
    (changed.bitsPerSecond, changed.delay, changed.loss) = (0, .seconds(-1), .nan)
    #expect(changed == LinkProfile.Direction(bitsPerSecond: 1, delay: .zero, loss: 0))
    changed.delay = .seconds(Int64.max)
    var profile = LinkProfile("slow", downlink: changed, uplink: changed, nameLookupDelay: .seconds(-1))
    #expect(profile.nameLookupDelay == .zero)
    profile.nameLookupDelay = .seconds(Int64.max)
    #expect(profile.roundTrip == .seconds(2_000_000_000))
  }

  @Test func `a figure that is small or odd is not rounded to none`() {
    func uplink(_ direction: LinkProfile.Direction) -> String? {
      LinkProfile("odd", downlink: LinkProfile.Direction(), uplink: direction).trafficControl(near: "", device: "d")
        .first
    }
    let prefix = " qdisc replace dev d root netem "
    #expect(uplink(.init(loss: 0.004)) == prefix + "loss 0.4%")
    #expect(uplink(.init(loss: 0.1)) == prefix + "loss 10%")
    #expect(uplink(.init(loss: 0.001_205)) == prefix + "loss 0.1205%")
    #expect(uplink(.init(loss: 1e-12)) == prefix + "loss 0.0001%")
    #expect(uplink(.init(delay: .microseconds(500))) == prefix + "delay 500us")
    #expect(uplink(.init(delay: .nanoseconds(1))) == prefix + "delay 1us")
    #expect(uplink(.init(bitsPerSecond: 500)) == prefix + "rate 500bit limit 50")
    #expect(uplink(.init(bitsPerSecond: .max, delay: .seconds(Int64.max)))?.hasSuffix("limit 1000000") == true)
  }

  /// The page beside the library has the same commands, for readers and for the test in a virtual machine.
  @Test func `the page has the commands of every profile`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/link-conditions.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(LinkProfile.unlimited.trafficControl().isEmpty)
    for profile in LinkProfile.all where profile != .unlimited {
      let section = (["# \(profile.name)"] + profile.trafficControl()).map { "    \($0)\n" }.joined()
      #expect(text.contains("\n" + section + "\n"), "The page has to contain:\n\(section)")
    }
  }
}
