import PathControl
import PathDecisions
import PathModel
import Testing

@Suite("Sentences about addresses that are gone")
struct HeldAddressesTests {
  private static func connection(_ address: String, _ inode: UInt32) -> ConnectionFacts {
    ConnectionFacts(
      local: .init(IPAddress(address) ?? IPAddress(ipv4: 0), 40_000), remote: .init(IPAddress(ipv4: 1), 22),
      inode: inode)
  }

  @Test func `each address has a sentence with its connections, their programs and the remedy`() {
    let connections = [
      Self.connection("192.0.2.7", 1), Self.connection("192.0.2.7", 2), Self.connection("192.0.2.7", 3),
      Self.connection("2001:db8::7", 4),
    ]
    let programs: [UInt32: String] = [1: "ssh", 2: "node", 3: "ssh"]
    #expect(
      HeldAddresses(connections, programs: programs, isEnding: false).sentences == [
        "3 connections (ssh, node) hold 192.0.2.7, which is gone; pathmonitor-connections would have ended them if it had run",
        "1 connection holds 2001:db8::7, which is gone; pathmonitor-connections would have ended it if it had run",
      ])
    #expect(
      HeldAddresses(Array(connections[3...]), programs: [:], isEnding: true).sentences == [
        "1 connection holds 2001:db8::7, which is gone"
      ])
  }

  @Test func `few programs and few addresses are named, and their texts are one line`() {
    let connections = (1...9).map { Self.connection("192.0.2.\(($0 - 1) / 2)", UInt32($0)) }
    let sentences = HeldAddresses(connections, programs: [1: "a\nb"], isEnding: true).sentences
    #expect(sentences.count == 3 && sentences[0] == #"2 connections (a\nb) hold 192.0.2.0, which is gone"#)
    let many = (1...6).map { Self.connection("192.0.2.7", $0) }
    let names = Dictionary(uniqueKeysWithValues: (1...6).map { (UInt32($0), "program\($0)") })
    #expect(
      HeldAddresses(many, programs: names, isEnding: true).sentences == [
        "6 connections (program1, program2, program3, program4, …) hold 192.0.2.7, which is gone"
      ])
  }
}
