import Glibc
import KernelTestSupport
import PathDecisions
import PathModel
import ProcessTestSupport
import Testing

@testable import KernelPath

@Suite("The resolver configuration")
struct ResolverConfigurationTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  /// Writes the file of the configuration.
  private func write(_ servers: String...) throws {
    try directory.write("etc/resolv.conf", Self.text(servers))
  }

  private static func text(_ servers: [String]) -> String { servers.map { "nameserver \($0)\n" }.joined() }

  // MARK: Reading

  @Test func `the name servers of a file are configured, or none without one or with no server in it`() throws {
    #expect(configuration().facts == .none("\(directory("etc/resolv.conf")), which does not exist"))
    try directory.write("etc/resolv.conf", "# nothing\n")
    #expect(configuration().facts == .none(directory("etc/resolv.conf")))
    try directory.write("etc/resolv.conf", "search example.org\nnameserver 192.0.2.53\nnameserver 2001:db8::53\n")
    #expect(configuration().facts == .servers(["192.0.2.53", "2001:db8::53"]))
  }

  @Test func `with the stub of systemd-resolved its own servers are used, if it has a file of them`() throws {
    try directory.write("etc/resolv.conf", "nameserver 127.0.0.53\noptions edns0 trust-ad\n")
    #expect(configuration().facts == .servers(["127.0.0.53"]))
    try directory.write("run/resolve/resolv.conf", Self.text(["192.0.2.53"]))
    #expect(configuration().facts == .localResolver(upstream: ["192.0.2.53"]))
    try directory.write("run/resolve/resolv.conf", "# No DNS servers known.\n")
    #expect(configuration().facts == .localResolver(upstream: []))
    #expect(!configuration().facts.isConfigured)
  }

  @Test func `a directory or a pipe in place of the file is our failure, not a missing name server`() throws {
    try directory.makeDirectory("etc/resolv.conf")
    guard case .unknown(let reason) = configuration().facts.configuration else {
      Issue.record("it was read: \(configuration().facts)")
      return
    }
    #expect(reason.contains("read \(directory("etc/resolv.conf"))") && configuration().facts.isConfigured)
    try directory.remove("etc/resolv.conf")
    #expect(unsafe mkfifo(directory("etc/resolv.conf"), 0o666) == 0)
    let configuration = configuration()
    let regular = "cannot read \(directory("etc/resolv.conf")): it is not a regular file"
    #expect(configuration.facts == .unknown(regular))
    #expect(configuration.notes == ["\(regular): it is tried again"] && configuration.hasFailed)
  }

  // MARK: Following

  @Test func `a file that is written in place, replaced or removed and created again is noticed`() throws {
    try write("192.0.2.1")
    let configuration = configuration()
    try expectNotice(configuration, of: "192.0.2.2") { try write("192.0.2.2") }
    for server in ["192.0.2.3", "192.0.2.4"] {
      try expectNotice(configuration, of: server) { try directory.replace("etc/resolv.conf", Self.text([server])) }
    }
    try directory.remove("etc/resolv.conf")
    #expect(isReadable(configuration.descriptor, within: .seconds(20)))
    configuration.update()
    #expect(!configuration.facts.isConfigured)
    try expectNotice(configuration, of: "192.0.2.5") { try write("192.0.2.5") }
  }

  @Test func `a change of a symbolic link, of one in the middle of a chain and at its end is noticed`() throws {
    try directory.write("c/file", Self.text(["192.0.2.1"]))
    try directory.link("b/middle", to: directory("c/file"))
    try directory.link("etc/resolv.conf", to: "../b/middle")
    let configuration = configuration()
    #expect(configuration.facts == .servers(["192.0.2.1"]))
    try expectNotice(configuration, of: "192.0.2.2") { try directory.write("c/file", Self.text(["192.0.2.2"])) }
    try directory.write("d/other", Self.text(["192.0.2.3"]))
    try expectNotice(configuration, of: "192.0.2.3") {
      try directory.link("b/new", to: "../d/other")
      #expect(unsafe rename(directory("b/new"), directory("b/middle")) == 0)
    }
    try expectNotice(configuration, of: "192.0.2.4") { try directory.replace("d/other", Self.text(["192.0.2.4"])) }
    try expectNotice(configuration, of: "192.0.2.5") {
      try directory.write("etc/new", Self.text(["192.0.2.5"]))
      #expect(unsafe rename(directory("etc/new"), directory("etc/resolv.conf")) == 0)
    }
    try expectNotice(configuration, of: "192.0.2.6") { try write("192.0.2.6") }
  }

  @Test func `a target in directories that do not exist yet is noticed once it exists`() throws {
    try directory.link("etc/resolv.conf", to: "../run/resolve/stub")
    let configuration = configuration()
    #expect(!configuration.facts.isConfigured)
    for folder in ["run", "run/resolve"] {
      try directory.makeDirectory(folder)
      #expect(isReadable(configuration.descriptor, within: .seconds(20)))
      configuration.update()
    }
    try expectNotice(configuration, of: "192.0.2.1") {
      try directory.write("run/resolve/stub", Self.text(["192.0.2.1"]))
    }
  }

  @Test func `a write to the file itself is noticed without an event in its directory, as with a bind mount`() throws {
    // A second name of the same file: only a watch on the file notices the write through it.
    try directory.write("elsewhere/source", Self.text(["192.0.2.1"]))
    try directory.makeDirectory("etc")
    #expect(unsafe link(directory("elsewhere/source"), directory("etc/resolv.conf")) == 0)
    try expectNotice(configuration(), of: "192.0.2.2") {
      try directory.write("elsewhere/source", Self.text(["192.0.2.2"]))
    }
  }

  @Test func `the servers behind the stub are followed too, also when they appear later`() throws {
    try write("127.0.0.53")
    try directory.makeDirectory("run")
    let configuration = configuration()
    try directory.makeDirectory("run/resolve")
    #expect(isReadable(configuration.descriptor, within: .seconds(20)))
    configuration.update()
    try expectNotice(configuration, of: .localResolver(upstream: ["192.0.2.1"])) {
      try directory.write("run/resolve/resolv.conf", Self.text(["192.0.2.1"]))
    }
  }

  @Test func `a file in a directory that cannot be watched is read when it is asked for, which is noted`() throws {
    let path = directory("resolv.conf")
    let configuration = try directory.withoutReading { ResolverConfiguration(path: path, upstreamPath: path) }
    #expect(
      configuration.notes == [
        "changes of \(path) are noticed only every 30 s: cannot watch \(directory.path): Permission denied"
      ])
    #expect(configuration.lacksReports)
    try directory.write("resolv.conf", "nameserver 192.0.2.1\n")
    #expect(configuration.updateIfChanged())
    #expect(configuration.facts == .servers(["192.0.2.1"]))
    #expect(configuration.notes.isEmpty)
    #expect(!configuration.lacksReports)
  }

  @Test func `reading the file is no change of it`() throws {
    try write("192.0.2.1")
    let configuration = configuration()
    // A process that another test starts at this moment may inherit the descriptor of the write, and close it a little
    // later.
    while isReadable(configuration.descriptor, within: .milliseconds(300)) { _ = configuration.updateIfChanged() }
    for _ in 0..<10 { configuration.update() }
    #expect(!isReadable(configuration.descriptor, within: .milliseconds(100)))
  }

  private func configuration() -> ResolverConfiguration {
    ResolverConfiguration(
      path: directory("etc/resolv.conf"), upstreamPath: directory("run/resolve/resolv.conf"))
  }

  private func expectNotice(
    _ configuration: ResolverConfiguration, of server: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) throws {
    try expectNotice(configuration, of: .servers([server]), sourceLocation: sourceLocation, change)
  }

  private func expectNotice(
    _ configuration: ResolverConfiguration, of facts: ResolverFacts, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) throws {
    while isReadable(configuration.descriptor, within: .zero) { configuration.update() }
    try change()
    // A change may be several events: it is enough that the last of them leads to the new servers.
    let noticed = becomesTrue {
      if isReadable(configuration.descriptor, within: .milliseconds(20)) { configuration.update() }
      return configuration.facts == facts
    }
    #expect(noticed, "\(configuration.facts)", sourceLocation: sourceLocation)
  }
}
