import PathModel
import PathTestSupport
import Testing

@testable import PathDecisions

@Suite("Facts about interfaces whose names differ in bytes alone")
struct ExactFactTests {
  @Test func `a renamed link is another link`() {
    for (one, other) in HostileNames.equivalent {
      #expect(LinkFacts(index: 2, name: one) != LinkFacts(index: 2, name: other))
      #expect(
        LinkFacts(index: 2, name: "x", alternativeNames: [one])
          != LinkFacts(index: 2, name: "x", alternativeNames: [other]))
    }
  }

  @Test func `leases and metered states belong to the one that they name`() throws {
    let lease = LeaseFacts(address: .literal("192.0.2.1"), isMetered: true)
    for (one, other) in HostileNames.equivalent {
      var table = NetworkFactsTable()
      table.leasesByName = [one.exact: [lease]]
      table.meteredByName = [one.exact: .yes]
      #expect(table[LinkFacts(index: 2, name: one)] == NetworkFacts(leases: [lease], metered: .yes))
      #expect(table[LinkFacts(index: 2, name: other)] == NetworkFacts())
      var devices = NetworkManagerDevices()
      _ = devices.apply(.devices(["/1", "/2"]))
      _ = devices.apply(.properties(device: "/1", .init(interface: one, metered: 1)))
      _ = devices.apply(.properties(device: "/2", .init(interface: other, metered: 2)))
      if one != "`" { #expect(devices.states.count == 2) }
    }
  }

  @Test func `dhclient names an interface in quotation marks that are no part of the name`() {
    for name in HostileNames.all where InterfaceName.problem(with: name) == nil {
      let file = "lease {\n  interface \"\(name)\";\n  fixed-address 192.0.2.7;\n}\n"
      #expect(Array(DhclientLease.parse(Array(file.utf8)).keys) == [String(nameBytes: Array(name.utf8)).exact])
    }
  }

  @Test func `dhcpcd's file of a network is found whatever the network's name begins with`() {
    for name in HostileNames.all {
      #expect(DhcpcdLease.interfaces(ofFile: "wlan0-\(name).lease").contains { $0.exact == "wlan0" })
    }
  }
}
