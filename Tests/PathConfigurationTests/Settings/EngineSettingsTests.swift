import PathConfiguration
import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@Suite("The settings of an engine")
struct EngineSettingsTests {
  private let tree: ScratchDirectory

  init() throws {
    tree = try ScratchDirectory()
  }

  private func settings(
    probes: ProbeAddresses? = nil, settle: Duration? = nil, named: String? = nil
  ) -> EngineSettings {
    EngineSettings(probes: probes, settle: settle, configurationPath: named, roots: [tree("etc")])
  }

  private func write(settle: String, probe: String) throws {
    try tree.write("etc/pathmonitord.conf", "[Monitor]\nSettle=\(settle)\nProbe=\(probe)\n")
  }

  private static let named = ProbeAddresses(["192.0.2.9"].compactMap { IPAddress($0) })

  @Test func `are the named values, else those of the files, else the standard`() throws {
    var settings = settings()
    try settings.load()
    #expect(settings.times == .standard && settings.problems.isEmpty)
    try write(settle: "7s", probe: "192.0.2.7")
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(7)))
    #expect(settings.configuration.probes == ProbeAddresses(["192.0.2.7"].compactMap { IPAddress($0) }))
    settings = self.settings(probes: Self.named, settle: .seconds(9))
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(9)))
    #expect(settings.configuration.probes == Self.named)
  }

  @Test func `change only when the files do, and stay as they were when a file gets a mistake`() throws {
    try write(settle: "7s", probe: "192.0.2.7")
    var settings = settings()
    #expect(try settings.load())
    #expect(try !settings.load())
    try write(settle: "8s", probe: "192.0.2.7")
    #expect(try settings.load())
    #expect(settings.times == SettleTimes(.seconds(8)))
    try write(settle: "soon", probe: "192.0.2.7")
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(8)))
    #expect(settings.problems.count == 1)
  }

  @Test func `cannot be loaded without the file that is named, and can be read with a problem`() {
    var settings = settings(named: tree("none"))
    #expect(throws: ConfigurationFiles.Problem.self) { try settings.load() }
    #expect(settings.problems.isEmpty)
    settings.read()
    #expect(settings.problems.count == 1)
    #expect(settings.times == .standard)
  }

  @Test func `are noticed late, which the engine reports, when a directory cannot be watched`() throws {
    let loop = try EventLoop()
    let settings = EngineSettings(probes: nil, settle: nil, configurationPath: nil, roots: [tree.path])
    var reported: [String] = []
    let engine = try tree.withoutReading {
      try ConfiguredEngine(loop: loop, settings: settings, socket: tree("socket")) { reported += $0 }
    }
    defer { engine.stop() }
    #expect(
      reported == [
        "changes of the configuration are noticed only every 30 s: cannot watch \(tree.path): Permission denied"
      ])
  }
}
