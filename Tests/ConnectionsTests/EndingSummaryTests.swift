import Connections
import PathModel
import Testing

@Suite("The entry about connections that were ended together")
struct EndingSummaryTests {
  private static func summary(_ addresses: String...) -> EndingSummary {
    EndingSummary(addresses.map { IPAddress($0) ?? IPAddress(ipv4: 0) })
  }

  @Test func `one address has its time, and several the longest`() {
    #expect(
      Self.summary("192.0.2.7").text(isDryRun: false, absence: .seconds(5), over: "eth0")
        == "ended 1 connection of 192.0.2.7, which was removed 5 s ago; the path leads over eth0")
    let two = Self.summary("192.0.2.7", "2001:db8::7", "192.0.2.7")
    #expect(
      two.text(isDryRun: true, absence: .seconds(7), over: "eth0")
        == "would end 3 connections of 192.0.2.7, 2001:db8::7, which were removed up to 7 s ago; "
        + "the path leads over eth0")
  }

  @Test func `few addresses are named, those with the most connections first`() {
    let summary = Self.summary("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.5")
    let text = summary.text(isDryRun: false, absence: .zero, over: "eth0")
    #expect(text.hasPrefix("ended 6 connections of 192.0.2.5, 192.0.2.1, 192.0.2.2, 2 others, which were removed"))
    #expect(summary.named.map(\.description) == ["192.0.2.5", "192.0.2.1", "192.0.2.2"])
  }
}
