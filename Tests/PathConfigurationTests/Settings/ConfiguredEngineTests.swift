import PathConfiguration
import ProcessTestSupport
import SystemIO
import Testing

@Suite("A configured engine")
struct ConfiguredEngineTests {
  @Test func `reports that changes are noticed late when a directory cannot be watched`() throws {
    let tree = try ScratchDirectory()
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
