import Connections
import Foundation
import PathConfiguration
import PathDecisions
import PathModel
import Testing

@Suite("The configuration of what ends connections")
struct ConnectionConfigurationTests {
  private static func configuration(_ text: String) throws -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    try configuration.apply("[Connections]\n\(text)\n")
    return configuration
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static func file(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }

  private static func connection(
    _ local: String = "192.0.2.7", _ localPort: UInt16 = 40_000, _ remote: String = "198.51.100.1",
    _ remotePort: UInt16 = 22, user: UInt32 = 1_000
  ) -> ConnectionFacts {
    ConnectionFacts(
      local: .init(IPAddress(local) ?? IPAddress(ipv4: 0), localPort),
      remote: .init(IPAddress(remote) ?? IPAddress(ipv4: 0), remotePort), user: user)
  }

  @Test func `the shipped file changes nothing, shows every key, and is correct when it is made active`() throws {
    let text = try Self.file("systemd/examples/connections.conf")
    var shipped = ConnectionConfiguration()
    try shipped.apply(text)
    #expect(shipped == ConnectionConfiguration())
    let page = try Self.file("man/pathmonitor-connections.conf.5.scd").replacing("\n\t", with: " ")
    for key in ConnectionConfiguration.keys {
      #expect(text.contains("\n#\(key.name)=") && page.contains("\n*\(key.name)*= "), "\(key.name)")
      #expect(page.contains("Allowed: \(key.allowed)."), "\(key.name)")
    }
    var active = ConnectionConfiguration()
    try active.apply(text.replacing("\n#", with: "\n").replacing("\n ", with: "\n# "))
    #expect(active == ConnectionConfiguration(), "the shown values are those without a file")
  }

  @Test func `each grace and each flag has its own key`() throws {
    let some = try Self.configuration("Grace=7s\nTunnelGrace=1min\nLogConnections=yes")
    #expect(some.grace == .seconds(7) && some.tunnelGrace == .seconds(60))
    #expect(some.namesConnections && !some.isDryRun)
  }

  @Test func `exceptions add up, and an empty value removes them`() throws {
    let some = try Self.configuration("Except=192.0.2.7 port:22\nExcept=user:0")
    #expect(
      some.exceptions == [.network(IPAddress(ipv4: 0xc000_0207), prefixLength: 32), .port(22), .user(0)])
    #expect(try Self.configuration("Except=port:22\nExcept=").exceptions.isEmpty)
    #expect(try Self.configuration("Except=user:root").exceptions == [.user(0)])
  }

  @Test(
    "an exception covers connections by either end, and by their user",
    arguments: [
      ("192.0.2.7", true), ("192.0.2.8", false), ("192.0.2.0/24", true), ("198.51.100.0/24", true),
      ("10.0.0.0/8", false),
      ("0.0.0.0/0", true), ("2001:db8::/32", false), ("::/0", false), ("port:22", true), ("port:40000", true),
      ("port:2222", false), ("user:1000", true), ("user:0", false),
    ])
  func covers(_ word: String, _ isCovered: Bool) throws {
    let exception = try #require(ConnectionException(word, user: { _ in nil }))
    #expect(exception.covers(Self.connection()) == isCovered)
  }

  @Test(
    "a value that a key cannot have is refused, with the values that it can",
    arguments: [
      "Grace=0", "TunnelGrace=0", "LogConnections=all", "Grace=500ms", "Grace=2h", "Grace=soon", "DryRun=perhaps",
      "Except=192.0.2", "Except=192.0.2.0/33",
      "Except=192.0.2.0/24/24", "Except=port:0", "Except=port:65536", "Except=port:ssh", "Except=user:",
      "Except=user:nobody-has-this-name", "Except=all", "Except=192.0.2.7,192.0.2.8", "Except=fe80::1%eth0", "Spare=x",
    ])
  func refused(_ line: String) {
    #expect(throws: ConfigurationProblem.self) { try Self.configuration(line) }
  }
}
