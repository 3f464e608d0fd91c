import Connections
import PathDecisions
import PathModel
import Testing

@Suite("The entry about connections that were ended together")
struct EndingSummaryTests {
  private static func endings(_ addresses: [String], seconds: [Double]) -> [EndedConnection] {
    zip(addresses, seconds).map { address, seconds in
      EndedConnection(
        ConnectionFacts(
          local: .init(IPAddress(address) ?? IPAddress(ipv4: 0), 40_000),
          remote: .init(IPAddress(ipv4: 0xcb00_7109), 22)),
        absence: .seconds(seconds))
    }
  }

  @Test func `one address has its time, and several the longest`() {
    let one = EndingSummary(Self.endings(["192.0.2.7"], seconds: [5]))
    #expect(
      one.text(isDryRun: false, over: "eth0")
        == "ended 1 connection of 192.0.2.7, which was removed 5 s ago; the path leads over eth0")
    let two = EndingSummary(Self.endings(["192.0.2.7", "2001:db8::7", "192.0.2.7"], seconds: [5, 7, 5]))
    #expect(
      two.text(isDryRun: true, over: "eth0")
        == "would end 3 connections of 192.0.2.7, 2001:db8::7, which were removed up to 7 s ago; the path leads over eth0"
    )
  }

  @Test func `few addresses are named, those with the most connections first, and no remote one`() {
    let locals = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.5"]
    let summary = EndingSummary(Self.endings(locals, seconds: [1, 1, 1, 1, 1, 1]))
    let text = summary.text(isDryRun: false, over: "eth0")
    #expect(text.hasPrefix("ended 6 connections of 192.0.2.5, 192.0.2.1, 192.0.2.2, 2 others, which were removed"))
    #expect(
      !text.contains("203.0.113.9") && summary.named.map(\.description) == ["192.0.2.5", "192.0.2.1", "192.0.2.2"])
  }
}
