import Glibc
import PathDecisions
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

@testable import KernelPath

@Suite("Lease files of DHCP clients")
struct LeaseFilesTests {
  private let tree: ScratchDirectory
  private static let networkd = "ADDRESS=192.168.43.17\nVENDOR_SPECIFIC=414e44524f49445f4d455445524544\n"
  private static let metered = LeaseFacts(address: .literal("192.168.43.17"), isMetered: true)

  init() throws {
    tree = try ScratchDirectory()
  }

  private static func dhclient(_ interface: String, _ address: String) -> String {
    "lease {\ninterface \"\(interface)\";\nfixed-address \(address);\n"
      + "option vendor-encapsulated-options \"ANDROID_METERED\";\n}\n"
  }

  /// The files of the tree as they are.
  private func files() -> LeaseFiles {
    let files = LeaseFiles(tree.path, isWatching: false)
    files.update()
    return files
  }

  /// Makes a FIFO in place of a file. Opening it would wait for a writer, and root cannot read it either.
  private func makePipe(_ name: String) throws {
    try tree.write("\(name).other", "")
    #expect(unsafe mkfifo(tree(name), 0o666) == 0)
  }

  private static func metered(_ address: String) -> [LeaseFacts] {
    [LeaseFacts(address: .literal(address), isMetered: true)]
  }

  @Test func `each client's files are found, and there are no leases without files`() throws {
    let files = LeaseFiles(tree.path, isWatching: false)
    files.update()
    #expect(files.byIndex.isEmpty && files.byName.isEmpty && files.notes.isEmpty && files.descriptor == nil)
    try tree.write("run/systemd/netif/leases/7", Self.networkd)
    try tree.write("run/systemd/netif/leases/.#7abc", Self.networkd)
    try tree.write("var/lib/dhcp/dhclient.leases", Self.dhclient("eth0", "192.0.2.7"))
    try tree.write("var/lib/dhclient/dhclient-eth1.lease", Self.dhclient("eth1", "198.51.100.7"))
    try tree.write("var/lib/dhcp/dhclient.leases~", Self.dhclient("eth9", "192.0.2.9"))
    try tree.write("var/lib/dhcpcd/wlan0.lease", "no packet")
    files.update()
    #expect(files.byIndex == [7: [Self.metered]])
    #expect(files.byName == ["eth0": Self.metered("192.0.2.7"), "eth1": Self.metered("198.51.100.7")])
    #expect(files.notes.isEmpty)
  }

  @Test func `of systemd-networkd the file of the link has the address for the sign-in, if there is a lease`() throws {
    try tree.write("run/systemd/netif/leases/7", Self.networkd)
    try tree.write("run/systemd/netif/links/7", "ADMIN_STATE=configured\nCAPTIVE_PORTAL=https://portal.example/api\n")
    try tree.write("run/systemd/netif/links/8", "CAPTIVE_PORTAL=https://other.example/api\n")
    let files = LeaseFiles(tree.path, isWatching: true)
    files.update()
    var expected = Self.metered
    expected.portal = "https://portal.example/api"
    #expect(files.byIndex == [7: [expected]])
    #expect(files.notes.isEmpty)
    try tree.write("run/systemd/netif/links/7", "ADMIN_STATE=configured\n")
    #expect(files.mayHaveChanged(), "the folder of the links is watched, too")
    files.update()
    #expect(files.byIndex == [7: [Self.metered]])
  }

  @Test func `a file that cannot be read is reported, and the others apply`() throws {
    try tree.write("run/systemd/netif/leases/7", Self.networkd)
    try tree.makeDirectory("run/systemd/netif/leases/8")
    try tree.write("var/lib/dhcp", "a file where a directory should be")
    try makePipe("var/lib/dhclient/pipe.leases")
    let files = files()
    #expect(files.hasFailed)
    #expect(files.byIndex == [7: [Self.metered]])
    #expect(
      files.notes
        == [
          "cannot open \(tree("var/lib/dhcp")): Not a directory",
          "cannot read \(tree("run/systemd/netif/leases/8")): Is a directory",
          "cannot read \(tree("var/lib/dhclient/pipe.leases")): it is not a regular file",
        ].map { "\($0): what its leases say of cost is not known" })
  }

  @Test func `a file that cannot be read is one for the interfaces that its name may mean`() throws {
    for file in [
      "run/systemd/netif/leases/8", "var/lib/dhcpcd/wlan0-My-Home.lease", "var/lib/dhcp/dhclient.eth1.leases",
      "var/lib/dhclient/dhclient-4f1c-eth2.lease",
    ] {
      try makePipe(file)
    }
    let files = files()
    for (index, name, file) in [
      (8, "x", "leases/8"), (1, "wlan0", "wlan0-My-Home.lease"), (1, "wlan0-My", "wlan0-My-Home.lease"),
      (1, "eth1", "dhclient.eth1.leases"), (1, "eth2", "dhclient-4f1c-eth2.lease"), (1, "eth0", nil),
    ] as [(Int32, String, String?)] {
      let unread = files.unread[LinkFacts(index: index, name: name)]
      #expect(unread?.namesInterface != false)
      #expect(file.map { unread?.reason.contains($0) == true } ?? (unread == nil), "\(name)")
    }
    try tree.remove("run/systemd/netif/leases/8")
    files.update()
    #expect(files.unread[LinkFacts(index: 8, name: "x")] == nil)
  }

  @Test func `a directory that cannot be listed, and a file that names no interface, may be for any`() throws {
    let link = LinkFacts(index: 1, name: "eth0")
    try tree.makeDirectory("var/lib/dhcpcd")
    let files = LeaseFiles(tree.path, isWatching: false)
    try tree.withoutReading("var/lib/dhcpcd") { files.update() }
    let reason = "cannot open \(tree("var/lib/dhcpcd")): Permission denied"
    #expect(files.unread[link] == UnreadLease(reason, namesInterface: false))
    #expect(files.hasFailed && files.notes.count == 1)

    try makePipe("var/lib/dhclient/dhclient.leases")
    files.update()
    #expect(files.unread[link]?.reason.contains("dhclient.leases") == true)
    #expect(files.unread[link]?.namesInterface == false)
  }

  @Test func `the end of a long file is read, where the latest leases are`() throws {
    let old = Self.dhclient("eth0", "192.0.2.7")
    let long = String(repeating: "# \(String(repeating: "x", count: 1_000))\n", count: 2_000)
    try tree.write("var/lib/dhcp/dhclient.leases", old + long + Self.dhclient("eth1", "198.51.100.7"))
    let files = files()
    #expect(files.byName == ["eth1": Self.metered("198.51.100.7")])
    #expect(files.notes.isEmpty)
    // The lease of an interface that renews seldom may stand before the end.
    let reason = "only the last 65536 bytes of \(tree("var/lib/dhcp/dhclient.leases")) are read"
    #expect(files.unread[LinkFacts(index: 1, name: "eth0")] == UnreadLease(reason, namesInterface: false))
  }

  @Test func `lease files beyond the most of a directory may be for any interface, and a note says so`() throws {
    for number in 0...1_024 { try tree.write("run/systemd/netif/leases/\(number)", "") }
    let files = files()
    let reason = "\(tree("run/systemd/netif/leases")) has more than 1024 files, and the others are not read"
    #expect(files.unread[LinkFacts(index: 2_000, name: "x")] == UnreadLease(reason, namesInterface: false))
    #expect(files.notes == ["\(reason): what its leases say of cost is not known"])
    #expect(!files.hasFailed)
  }

  @Test func `more lease files than clients may wait for are left out, and a note says so`() throws {
    let filler = String(repeating: "#", count: 65_536) + "\n"
    for number in 0..<40 {
      try tree.write("var/lib/dhcp/\(100 + number).leases", filler + Self.dhclient("eth\(number)", "192.0.2.7"))
    }
    let files = files()
    #expect(files.byName.count == 16)
    #expect(files.byName["eth0"] != nil)
    #expect(
      files.notes == ["there are more than 1048576 bytes of lease files: what its leases say of cost is not known"])
  }

  @Test func `a lease is noticed when it is made, changed, replaced and gone, also in a directory that comes later`()
    throws
  {
    let files = LeaseFiles(tree.path, isWatching: true)
    files.update()
    let loop = try EventLoop()
    var changes = 0
    try loop.watch(try #require(files.descriptor)) { _ in if files.mayHaveChanged() { changes += 1 } }
    func noticed(_ expected: [Int32: [LeaseFacts]]) throws {
      for _ in 0..<200 where files.byIndex != expected {
        try loop.runOnce(until: .now.advanced(by: .milliseconds(50)))
        if changes > 0 { files.update() }
        changes = 0
      }
      #expect(files.byIndex == expected)
    }
    // systemd makes these directories one below the other, writes a file beside the lease, and moves it.
    try tree.makeDirectory("run")
    try tree.makeDirectory("run/systemd")
    try tree.write("run/systemd/netif/leases/.new", Self.networkd)
    try tree.move("run/systemd/netif/leases/.new", to: "run/systemd/netif/leases/7")
    try noticed([7: [Self.metered]])
    try tree.write("run/systemd/netif/leases/7", "ADDRESS=192.168.43.17\n")
    try noticed([7: [LeaseFacts(address: .literal("192.168.43.17"), isMetered: false)]])
    try tree.replace("run/systemd/netif/leases/7", Self.networkd)
    try noticed([7: [Self.metered]])
    try tree.remove("run/systemd/netif/leases/7")
    try noticed([:])
    try tree.remove("run")
    try tree.write("run/systemd/netif/leases/9", Self.networkd)
    try noticed([9: [Self.metered]])
  }

  @Test func `leases below a directory that cannot be watched may always have changed, those in one not`() throws {
    let files = LeaseFiles(tree.path, isWatching: true)
    try tree.withoutReading { files.update() }
    #expect(files.lacksReports && files.mayHaveChanged())
    files.update()
    #expect(!files.lacksReports)
    // One that cannot be read is read again by its failure alone.
    try tree.makeDirectory("var/lib/dhcp")
    try tree.withoutReading("var/lib/dhcp") { files.update() }
    #expect(files.hasFailed && !files.lacksReports)
  }

  @Test func `changes beside the directories wake no program`() throws {
    try tree.makeDirectory("var/lib/dhcp")
    let files = LeaseFiles(tree.path, isWatching: true)
    files.update()
    _ = files.mayHaveChanged()
    try tree.write("other", "x")
    _ = files.mayHaveChanged()
    // Writing to a file and removing it are no events in the directory above.
    try tree.write("other", "xyz")
    try tree.remove("other")
    #expect(!files.mayHaveChanged())
  }
}
