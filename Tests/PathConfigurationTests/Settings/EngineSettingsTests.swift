import PathConfiguration
import PathEngine
import PathModel
import ProcessTestSupport
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

  @Test func `are the standard without further settings`() throws {
    var settings = settings()
    try settings.load()
    #expect(settings.times == .standard)
    #expect(settings.problems.isEmpty)
  }

  @Test func `are those of the files rather than the standard`() throws {
    try write(settle: "7s", probe: "192.0.2.7")
    var settings = settings()
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(7)))
    #expect(settings.configuration.probes == ProbeAddresses(["192.0.2.7"].compactMap { IPAddress($0) }))
  }

  @Test func `are the named values rather than those of the files`() throws {
    try write(settle: "7s", probe: "192.0.2.7")
    var settings = settings(probes: Self.named, settle: .seconds(9))
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(9)))
    #expect(settings.configuration.probes == Self.named)
  }

  @Test func `change only when the files do`() throws {
    try write(settle: "7s", probe: "192.0.2.7")
    var settings = settings()
    #expect(try settings.load())
    #expect(try !settings.load())
    try write(settle: "8s", probe: "192.0.2.7")
    #expect(try settings.load())
    #expect(settings.times == SettleTimes(.seconds(8)))
  }

  @Test func `stay as they were when a file gets a mistake, which is a problem`() throws {
    try write(settle: "7s", probe: "192.0.2.7")
    var settings = settings()
    try settings.load()
    try write(settle: "soon", probe: "192.0.2.7")
    try settings.load()
    #expect(settings.times == SettleTimes(.seconds(7)))
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
}
