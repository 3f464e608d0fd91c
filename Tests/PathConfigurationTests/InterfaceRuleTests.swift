import PathConfiguration
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Rules for interfaces")
struct InterfaceRuleTests {
  private static let wlan0 = InterfaceTraits(
    index: 3, name: "wlan0", type: .wifi, driver: "iwlwifi", networkName: NetworkName(Array("My phone".utf8)),
    hardwareAddress: "02:1a:11:00:00:01", gateways: ["192.168.43.1", "fe80::1"].map(IPAddress.literal))
  private static let tun0 = InterfaceTraits(index: 9, name: "tun0", type: .other)

  private static let renamed = InterfaceTraits(
    index: 4, name: "eth0", alternativeNames: ["enp0s31f6", "uplink-to-the-office"], type: .wiredEthernet)

  @Test(arguments: [
    ("Name=eth0", true), ("Name=enp0s31f6", true), ("Name=uplink-*", true), ("Name=wlan0", false),
    ("Name=!eth0", false), ("Name=!enp*", false), ("Name=!wlan*", true), ("Name=wlan0 uplink-?o-the-office", true),
  ])
  func `an interface has each of its names; a negated name fits if it has none of them`(
    lines: String, fits: Bool
  ) throws {
    #expect(try Self.match(lines).fits(Self.renamed) == fits)
  }

  private static func match(_ lines: String) throws -> InterfaceMatch {
    let file = try ConfigurationFile(parsing: "[Match]\n\(lines)\n[Path]\nExpensive=yes\n", path: "x.conf")
    return try #require(file.rule?.match)
  }

  @Test(arguments: [
    // Patterns for an interface that has a value for every key.
    ("Name=wlan0", true), ("Name=eth0 wlan*", true), ("Name=eth0\nName=wlan0", true), ("Name=!wlan*", false),
    ("Name=!eth0 eth1", true), ("Name=! eth0", true), ("Type=wifi", true), ("Type=cellular ethernet", false),
    ("Type=!cellular", true), ("Driver=iwl*", true), ("Driver=!iwl*", false), ("SSID=\"My phone\"", true),
    ("SSID='My phone'", true), ("SSID=My\\ phone", true), ("SSID=My*", true), ("SSID=my*", false),
    ("SSID=My phone", false), ("SSID=!\"My phone\"", false), ("SSID=!Home", true),
    ("HardwareAddress=02:1A:11:*", true), ("HardwareAddress=!02:*", false), ("Gateway=192.168.43.1", true),
    ("Gateway=192.168.43.0/24", true), ("Gateway=192.168.42.0/24", false), ("Gateway=192.168.4?.1", true),
    ("Gateway=FE80::*", true), ("Gateway=fe80::/64", true), ("Gateway=!192.168.43.0/24", false),
    ("Gateway=!10.0.0.0/8", true), ("Gateway=0.0.0.0/0", true), ("Name=wlan0\nType=cellular", false),
    ("Name=wlan0\nType=wifi\nDriver=iwl*\nSSID=*\nHardwareAddress=*\nGateway=*.*", true),
  ])
  func `all keys must fit, of the values of each one`(lines: String, fits: Bool) throws {
    #expect(try Self.match(lines).fits(Self.wlan0) == fits)
  }

  @Test(arguments: [
    ("Driver=*", false), ("Driver=!iwlwifi", true), ("HardwareAddress=*", false), ("HardwareAddress=!02:*", true),
    ("Gateway=0.0.0.0/0 ::/0", false), ("Gateway=!10.0.0.1", true), ("SSID=*", false), ("SSID=!Home", false),
  ])
  func `an absent value fits no pattern; an unknown name fits neither a pattern nor its negation`(
    lines: String, fits: Bool
  ) throws {
    #expect(try Self.match(lines).fits(Self.tun0) == fits)
  }

  private static func rules(_ texts: String...) throws -> InterfaceRules {
    InterfaceRules(
      try texts.enumerated().compactMap { try ConfigurationFile(parsing: $1, path: "\($0).conf").rule })
  }

  @Test func `of rules that set the same key the last one that fits applies`() throws {
    let rules = try Self.rules(
      "[Match]\nName=*\n[Path]\nExpensive=yes\nPreference=1",
      "[Match]\nName=wlan*\n[Path]\nExpensive=no\nType=cellular",
      "[Match]\nName=eth*\n[Path]\nExpensive=yes\nIgnore=yes")
    #expect(
      rules.ruling(on: Self.wlan0).words == [
        "Expensive=no in 1.conf:4", "Type=cellular in 1.conf:5", "Preference=1 in 0.conf:5",
      ])
    #expect(rules.ruling(on: Self.tun0).words == ["Expensive=yes in 0.conf:4", "Preference=1 in 0.conf:5"])
    #expect(InterfaceRules().ruling(on: Self.wlan0) == .silent)
  }

  @Test func `a ruling is cached until its inputs change`() throws {
    let memory = JudgementMemory(try Self.rules("[Match]\nSSID=My*\n[Path]\nExpensive=yes"))
    var traits = Self.wlan0
    for _ in 0..<2 { #expect(memory.ruling(on: traits).isExpensive?.value == true) }
    traits.networkName = NetworkName(Array("Home".utf8))
    #expect(memory.ruling(on: traits) == .silent)
    memory.forget(3)
    #expect(memory.ruling(on: Self.wlan0).isExpensive?.value == true)
  }

  @Test func `the name of a network is 1 to 32 bytes`() {
    #expect(NetworkName([]) == nil)
    #expect(NetworkName([UInt8](repeating: 0xff, count: 32)) != nil)
    #expect(NetworkName([UInt8](repeating: 0x61, count: 33)) == nil)
  }
}
