import Foundation
import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// Files as the clients write them, with other names and addresses.
@Suite("Lease files")
struct LeaseTests {
  private static let metered = LeaseFacts(address: .literal("192.168.43.17"), isMetered: true)
  private static let free = LeaseFacts(address: .literal("192.168.43.17"), isMetered: false)

  // MARK: All formats

  /// A metered lease of 192.168.43.17 in each format, for the interface 7 or wlan0.
  private static let examples: [String: [UInt8]] = [
    "systemd-networkd": networkd("VENDOR_SPECIFIC=414e44524f49445f4d455445524544"),
    "dhclient": Array(
      dhclient("wlan0", "192.168.43.17", "option vendor-encapsulated-options \"ANDROID_METERED\";").utf8),
    "dhcpcd": packet(hint),
  ]

  @Test(arguments: LeaseFormat.all.map(\.client))
  func `each format has an example here, which it reads and no other format does`(client: String) throws {
    let bytes = try #require(Self.examples[client], "LeaseTests.examples: add a file of \(client)")
    let name = try #require(LeaseFormat.all.first { $0.client == client }).exampleName
    for format in LeaseFormat.all {
      let leases = format.parse(bytes, name)
      if format.client == client {
        #expect(format.isLeaseFile(name))
        #expect(
          leases == RecordedLeases(byIndex: [7: [Self.metered]])
            || leases == RecordedLeases(byName: ["wlan0": [Self.metered]]))
      } else {
        #expect(leases == RecordedLeases())
      }
    }
  }

  @Test(arguments: LeaseFormat.all.map(\.client))
  func `the page about cost names each client`(client: String) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/cost.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains(client), "docs/cost.md: add \(client)")
  }

  // MARK: systemd-networkd

  private static func networkd(_ more: String, link: String? = nil) -> [UInt8] {
    let lease =
      """
      # This is private data. Do not parse.
      ADDRESS=192.168.43.17
      NETMASK=255.255.255.0
      ROUTER=192.168.43.1
      SERVER_ADDRESS=192.168.43.1
      T1=1800
      LIFETIME=3600
      DNS=192.168.43.1
      \(more)
      CLIENTID=ff5eb1f9ec00020000ab11c39f8a0b6d3a5c

      """
    return Array(lease.utf8)
      + (link.map { [LeaseFormat.separator] + Array("ADMIN_STATE=configured\n\($0)\n".utf8) } ?? [])
  }

  @Test(arguments: [
    ("VENDOR_SPECIFIC=414e44524f49445f4d455445524544", true), ("VENDOR_SPECIFIC=414E44524F49445F4D455445524544", true),
    ("VENDOR_SPECIFIC=0106414e44524f49445f4d45544552454400", true), ("VENDOR_SPECIFIC=414e44524f4944", false),
    ("VENDOR_SPECIFIC=414e44524f49445f4d45544552454", false), ("VENDOR_SPECIFIC=", false),
    ("VENDOR_SPECIFIC=ANDROID_METERED", false), ("HOSTNAME=ANDROID_METERED", false), ("VENDOR_SPECIFIC", false),
  ])
  func `systemd-networkd writes option 43 in hexadecimal digits`(line: String, isMetered: Bool) {
    #expect(NetworkdLease.parse(Self.networkd(line)) == (isMetered ? Self.metered : Self.free))
  }

  /// A message as newer versions write it, with another address and other options.
  private static func message(yiaddr: String = "c0a82b11", _ options: String) -> [UInt8] {
    Array(
      """
      {"op":2,"htype":1,"hops":0,"xid":1024796688,"secs":0,"flags":0,"yiaddr":"\(yiaddr)","siaddr":"c0a82b01",\
      "chaddr":"020000000001","options":[{"tag":1,"data":"ffffff00"},{"tag":53,"data":"05"}\(options)]}
      """.utf8)
  }

  @Test func `newer versions of systemd-networkd write the server's message in JSON`() throws {
    let vendor = #",{"tag":43,"data":"414e44524f49445f4d455445524544"}"#
    #expect(NetworkdLease.parse(Self.message("")) == Self.free)
    #expect(NetworkdLease.parse(Self.message(vendor)) == Self.metered)
    let inside = Array(#"{"Message":"#.utf8) + Self.message(vendor) + Array("}".utf8)
    #expect(NetworkdLease.parse(inside) == Self.metered)
    // The pieces of a long option are joined, and the file of the link has the last word.
    let pieces = #",{"tag":114,"data":"687474703a2f2f"},{"tag":114,"data":"61"}"#
    #expect(NetworkdLease.parse(Self.message(pieces))?.portal == "http://a")
    let link = Array("\u{0}CAPTIVE_PORTAL=\(Self.portal)\n".utf8)
    #expect(NetworkdLease.parse(Self.message(pieces) + link)?.portal == Self.portal)
  }

  @Test(arguments: [
    "", "ADDRESS=", "ADDRESS=fe80::1", "ADDRESS=192.168.43", "XADDRESS=192.168.43.17", "\u{0}\u{ff}", "{", "{}",
    "{\"Message\":7}", "{\"yiaddr\":\"c0a82b1\"}", "{\"yiaddr\":\"00000000\"}", "{\"yiaddr\":7}",
    "{\"yiaddr\":\"c0a82b1100\",\"options\":[]}",
  ])
  func `without an address it is no lease of systemd-networkd, in JSON neither`(text: String) {
    #expect(NetworkdLease.parse(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    #",7"#, #",{"tag":299,"data":"61"}"#, #",{"tag":-1,"data":"61"}"#, #",{"tag":43}"#, #",{"tag":43,"data":"4"}"#,
    #",{"tag":114,"data":"6a6176617363726970743a31"}"#, #",{"tag":1.5,"data":"61"}"#,
  ])
  func `options that are none leave the lease as it is`(option: String) {
    #expect(NetworkdLease.parse(Self.message(option)) == Self.free)
  }

  // MARK: The address for the sign-in

  private static let portal = "https://portal.example/api?s=1"

  private static func dhcpcdPortals(_ options: [(code: UInt8, bytes: [UInt8])]) -> [UInt8] {
    packet(options.flatMap { [$0.code, UInt8($0.bytes.count)] + $0.bytes })
  }

  @Test func `each format has the address that option 114 announces, or the old option 160`() {
    let (new, old) = (Array(Self.portal.utf8), Array("http://old.example/".utf8))
    #expect(NetworkdLease.parse(Self.networkd("", link: "CAPTIVE_PORTAL=\(Self.portal)"))?.portal == Self.portal)
    for (options, expected) in [
      ("option default-url \"\(Self.portal)\";", Self.portal),
      ("option unknown-160 \"http://old.example/\";", "http://old.example/"),
      ("option unknown-160 \"http://old.example/\";\n  option captive-portal \"\(Self.portal)\";", Self.portal),
      ("option v4-captive-portal \"\(Self.portal)\";", Self.portal),
      ("option unknown-114 68:74:74:70:3a:2f:2f:61;", "http://a"),
    ] {
      let text = Self.dhclient("wlan0", "192.168.43.17", options)
      #expect(DhclientLease.parse(Array(text.utf8))["wlan0"]?.first?.portal == expected)
    }
    #expect(DhcpcdLease.parse(Self.dhcpcdPortals([(114, new)]))?.portal == Self.portal)
    #expect(DhcpcdLease.parse(Self.dhcpcdPortals([(160, old), (114, new)]))?.portal == Self.portal)
    #expect(DhcpcdLease.parse(Self.dhcpcdPortals([(160, old)]))?.portal == "http://old.example/")
  }

  @Test func `a long address that is split into several options is joined`() {
    let address = "https://portal.example/" + String(repeating: "a", count: 300)
    let bytes = Array(address.utf8)
    let packet = Self.dhcpcdPortals([(114, Array(bytes[..<200])), (114, Array(bytes[200...]))])
    #expect(DhcpcdLease.parse(packet)?.portal == address)
  }

  @Test(arguments: [
    "", "portal.example", "ftp://portal.example/", "file:///etc/passwd", "javascript:alert(1)", "https://", "http:///x",
    "urn:ietf:params:capport:unrestricted", "https://a/\u{1b}[2J", "https://a/ b", "https://a/\u{202e}", "https://ä/",
    "https://a/\"x\"", "https://a/<b>", "https://a/`b`", "https://a/\u{0}b", "https://a/\\b", "http://:80/",
    "https://a/" + String(repeating: "b", count: 1_100),
  ])
  func `any other text is no address of a portal`(text: String) {
    for option in [UInt8(114), 160] {
      let pieces = stride(from: 0, to: text.utf8.count, by: 255)
        .map { (code: option, bytes: Array(text.utf8.dropFirst($0).prefix(255))) }
      #expect(DhcpcdLease.parse(Self.dhcpcdPortals(pieces))?.portal == nil)
    }
    #expect(NetworkdLease.parse(Self.networkd("", link: "CAPTIVE_PORTAL=\(text)"))?.portal == nil)
  }

  @Test func `a lease that is cut off has a beginning of the address at most, and only signs of ASCII`() {
    let digits = Self.portal.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let dhclient = Self.dhclient("wlan0", "192.168.43.17", "option default-url \"\(Self.portal)\";")
    let files: [(bytes: [UInt8], parse: ([UInt8]) -> LeaseFacts?)] = [
      (Self.networkd("", link: "CAPTIVE_PORTAL=\(Self.portal)"), { NetworkdLease.parse($0) }),
      (Self.message(#",{"tag":114,"data":"\#(digits)"}"#), { NetworkdLease.parse($0) }),
      (Array(dhclient.utf8), { DhclientLease.parse($0)["wlan0"]?.first }),
      (Self.dhcpcdPortals([(114, Array(Self.portal.utf8))]), { DhcpcdLease.parse($0) }),
    ]
    for (bytes, parse) in files {
      #expect(parse(bytes)?.portal == Self.portal)
      for length in bytes.indices {
        let portal = parse(Array(bytes[..<length]))?.portal
        #expect(portal.map(Self.portal.hasPrefix) ?? true)
      }
      for place in bytes.indices {
        for byte: UInt8 in [0x00, 0x1B, 0x80, 0xC3, 0xFF] {
          var hostile = bytes
          hostile[place] = byte
          let portal = parse(hostile)?.portal
          #expect(portal?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true)
        }
      }
    }
    // Sixteen thousand pieces of an option.
    let pieces = (0..<16_384).map { _ in (code: UInt8(114), bytes: Array("http://a.example/".utf8)) }
    #expect(DhcpcdLease.parse(Self.dhcpcdPortals(pieces))?.portal == nil)
  }

  // MARK: dhclient

  private static func dhclient(_ interface: String, _ address: String, _ option: String) -> String {
    """
    lease {
      interface "\(interface)";
      fixed-address \(address);
      option subnet-mask 255.255.255.0;
      option routers 192.168.43.1;
      option dhcp-lease-time 3600;
      \(option)
      option dhcp-server-identifier 192.168.43.1;
      renew 5 2026/11/20 21:05:11;
      expire 5 2026/11/20 21:30:00;
    }

    """
  }

  @Test(arguments: [
    ("option vendor-encapsulated-options \"ANDROID_METERED\";", true),
    ("option vendor-encapsulated-options 41:4e:44:52:4f:49:44:5f:4d:45:54:45:52:45:44;", true),
    ("option vendor-encapsulated-options 1:41:4e:44:52:4f:49:44:5f:4d:45:54:45:52:45:44:0;", true),
    ("option vendor-encapsulated-options 41:4e:44:52:4f:49:44;", false),
    ("option vendor-encapsulated-options 414e44524f49445f4d455445524544;", false),
    ("option host-name \"ANDROID_METERED\";", false), ("", false),
  ])
  func `dhclient writes option 43 as text or as numbers with colons`(option: String, isMetered: Bool) {
    let text = Self.dhclient("wlan0", "192.168.43.17", option)
    #expect(DhclientLease.parse(Array(text.utf8)) == ["wlan0": [isMetered ? Self.metered : Self.free]])
  }

  @Test func `dhclient's file grows with each renewal, and of an address the last lease applies`() {
    let hint = "option vendor-encapsulated-options \"ANDROID_METERED\";"
    let text =
      Self.dhclient("wlan0", "192.168.43.17", hint) + Self.dhclient("eth0", "192.0.2.7", "")
      + Self.dhclient("wlan0", "198.51.100.9", "") + Self.dhclient("wlan0", "192.168.43.17", "")
    #expect(
      DhclientLease.parse(Array(text.utf8)) == [
        "wlan0": [LeaseFacts(address: .literal("198.51.100.9"), isMetered: false), Self.free],
        "eth0": [LeaseFacts(address: .literal("192.0.2.7"), isMetered: false)],
      ])
  }

  @Test(arguments: [
    "", "lease {", "lease {\n  interface \"eth0\";\n", "lease {\n  fixed-address 192.0.2.1;\n}\n", "}\n}\n", "lease",
    "lease {\n interface \"eth0\";\n fixed-address example.org;\n}",
    "lease6 {\n interface \"eth0\";\n fixed-address 2001:db8::1;\n}",
  ])
  func `blocks of dhclient that are cut off or lack something are no leases`(text: String) {
    #expect(DhclientLease.parse(Array(text.utf8)).isEmpty)
  }

  // MARK: dhcpcd

  /// A server's acknowledgement with the options.
  private static func packet(_ options: [UInt8]) -> [UInt8] {
    var packet: [UInt8] = [2, 1, 6, 0, 0x3d, 0x1d, 0x5c, 0x11] + [UInt8](repeating: 0, count: 8)
    packet += [192, 168, 43, 17, 192, 168, 43, 1]
    packet += [UInt8](repeating: 0, count: 236 - packet.count)
    return packet + [99, 130, 83, 99, 53, 1, 5, 54, 4, 192, 168, 43, 1] + options
  }

  private static let hint: [UInt8] = [43, 15] + Array("ANDROID_METERED".utf8)

  @Test(
    arguments: [
      (hint + [255], true), ([0, 0] + hint + [255, 0, 0], true), (hint, true), ([255] + hint, false),
      ([12, 15] + Array("ANDROID_METERED".utf8) + [255], false), (Array(hint.dropLast(3)), false), ([43], false),
      ([], false), ([43, 0, 255], false),
    ] as [([UInt8], Bool)])
  func `dhcpcd keeps the server's packet`(options: [UInt8], isMetered: Bool) {
    #expect(DhcpcdLease.parse(Self.packet(options)) == (isMetered ? Self.metered : Self.free))
  }

  @Test func `every truncation of a packet, and other data, is no lease or one without a hint`() {
    let whole = Self.packet(Self.hint + [255])
    for length in 0..<240 { #expect(DhcpcdLease.parse(Array(whole.prefix(length))) == nil) }
    for length in 240..<whole.count - 1 { #expect(DhcpcdLease.parse(Array(whole.prefix(length))) == Self.free) }
    var request = whole
    request[0] = 1
    #expect(DhcpcdLease.parse(request) == nil)
    var nameless = whole
    for position in 16..<20 { nameless[position] = 0 }
    #expect(DhcpcdLease.parse(nameless) == nil)
  }

  @Test(
    arguments: [
      ("wlan0.lease", ["wlan0"]), ("wlan0-My Home.lease", ["wlan0"]),
      ("wlan0-My-Home.lease", ["wlan0", "wlan0-My", "wlan0-My-Home"]), ("eth-0.lease", ["eth", "eth-0"]),
      ("wlan0.lease6", []), ("duid", []), (".lease", []), ("-.lease", ["-"]),
      ("an-interface-with-a-long-name.lease", ["an", "an-interface"]),
    ] as [(String, [String])])
  func `dhcpcd's files are named after the interface and the network`(file: String, interfaces: [String]) {
    #expect(DhcpcdLease.interfaces(ofFile: file) == interfaces)
  }
}
