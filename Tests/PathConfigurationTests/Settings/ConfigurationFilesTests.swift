import Glibc
import PathConfiguration
import PathDecisions
import PathModel
import ProcessTestSupport
import Testing

/// systemd's rules for where files are, on trees that a test makes.
@Suite("Configuration files of several directories")
struct ConfigurationFilesTests {
  private let tree: ScratchDirectory
  private var roots: [String] { ["etc", "run", "usr"].map { tree($0) } }

  init() throws {
    tree = try ScratchDirectory()
  }

  private func read(insteadOf previous: ConfigurationFiles.Reading? = nil) throws -> ConfigurationFiles.Reading {
    try ConfigurationFiles.read(nil, roots: roots, insteadOf: previous)
  }

  /// The files in short, such as `etc/pathmonitord.conf used`.
  private func outcomes(_ reading: ConfigurationFiles.Reading) -> [String] {
    reading.files.map { path, outcome in
      let word =
        switch outcome {
        case .used: "used"
        case .empty: "empty"
        case .masked: "masked"
        case .skipped: "skipped"
        case .kept: "kept"
        }
      return "\(path.dropFirst(tree.path.count + 1)) \(word)"
    }
  }

  @Test func `the main file comes first, then the others by name, and masking files are reported`() throws {
    try tree.write("usr/pathmonitord.conf", "[Monitor]\nSettle=9s\n")
    try tree.write("run/pathmonitord.conf", "[Monitor]\nSettle=8s\nConnections=8\n")
    try tree.write("etc/pathmonitord.conf.d/20-b.conf", "[Monitor]\nSettle=2s\n")
    try tree.write("usr/pathmonitord.conf.d/30-c.conf", "[Monitor]\nSettle=3s\n")
    try tree.link("etc/pathmonitord.conf.d/30-c.conf", to: "/dev/null")
    try tree.write("run/pathmonitord.conf.d/40-d.conf", "")
    try tree.write("etc/pathmonitord.conf.d/README", "not a configuration")
    let reading = try read()
    #expect(
      outcomes(reading) == [
        "run/pathmonitord.conf used", "etc/pathmonitord.conf.d/20-b.conf used",
        "etc/pathmonitord.conf.d/30-c.conf empty", "run/pathmonitord.conf.d/40-d.conf empty",
        "usr/pathmonitord.conf masked", "usr/pathmonitord.conf.d/30-c.conf masked",
      ])
    #expect(reading.configuration.monitor.settle == SettleTimes(.seconds(2)))
    #expect(reading.configuration.monitor.connections == 8)
    #expect(reading.problems.isEmpty)
  }

  @Test func `a file with a mistake is left out as a whole, the others apply`() throws {
    try tree.write("etc/pathmonitord.conf", "[Monitor]\nSettle=1s\nConnections=none\n")
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Monitor]\nConnectionsPerUser=3\n")
    try tree.link("etc/pathmonitord.conf.d/b.conf", to: "nowhere")
    try tree.makeDirectory("etc/pathmonitord.conf.d/c.conf")
    #expect(unsafe mkfifo(tree("etc/pathmonitord.conf.d/d.conf"), 0o666) == 0, "nobody waits for a writer")
    let reading = try read()
    #expect(reading.configuration.monitor.settle == nil)
    #expect(reading.configuration.monitor.connectionsPerUser == 3)
    #expect(
      outcomes(reading) == [
        "etc/pathmonitord.conf skipped", "etc/pathmonitord.conf.d/a.conf used",
        "etc/pathmonitord.conf.d/b.conf skipped", "etc/pathmonitord.conf.d/c.conf skipped",
        "etc/pathmonitord.conf.d/d.conf skipped",
      ])
    let problems: [String] = reading.problems.map(\.description)
    #expect(
      Array(problems.prefix(3)) == [
        "\(tree("etc/pathmonitord.conf")), line 3: 'none' is no value for Connections=; allowed: "
          + "a number from 1 to 65536. The file is not used; correct the line, then reload.",
        "cannot open \(tree("etc/pathmonitord.conf.d/b.conf")): No such file or directory. "
          + "The file is not used; mend that, then reload.",
        "cannot read \(tree("etc/pathmonitord.conf.d/c.conf")): Is a directory. "
          + "The file is not used; mend that, then reload.",
      ])
    #expect(problems.count == 4 && problems.last?.contains("is not a regular file") == true)
  }

  @Test func `the rules name the first file that is not used, and none that is used as it was`() throws {
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Match]\nName=eth0\n[Path]\nExpensive=yes\n")
    let good = try read()
    #expect(good.rules.unusedFile == nil)
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Match]\nName=eth0\n[Path]\nExpensive=perhaps\n")
    let fault = "\(tree("etc/pathmonitord.conf.d/a.conf")), line 4: 'perhaps' is no value for Expensive="
    #expect(try read().rules.unusedFile?.hasPrefix(fault) == true)
    let kept = try read(insteadOf: good)
    #expect(kept.rules.unusedFile == nil)
    #expect(kept.rules.rules.count == 1)
    try tree.write("etc/pathmonitord.conf.d/b.conf", "[Monitor]\nSettle=soon\n")
    #expect(try read(insteadOf: kept).rules.unusedFile?.hasPrefix(tree("etc/pathmonitord.conf.d/b.conf")) == true)
  }

  @Test func `a file that was correct before is used as it was, until it is corrected or gone`() throws {
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Monitor]\nSettle=1s\n")
    try tree.write("etc/pathmonitord.conf.d/b.conf", "[Monitor]\nConnections=2\n")
    var reading = try read()
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Monitor]\nSettle=never\n")
    try tree.write("etc/pathmonitord.conf.d/b.conf", "[Monitor]\nConnections=3\n")
    for _ in 0..<2 {
      reading = try read(insteadOf: reading)
      #expect(outcomes(reading) == ["etc/pathmonitord.conf.d/a.conf kept", "etc/pathmonitord.conf.d/b.conf used"])
      #expect(reading.configuration.monitor.settle == SettleTimes(.seconds(1)))
      #expect(reading.configuration.monitor.connections == 3)
      #expect(
        reading.problems.first?.description.hasSuffix("The file is used as it was before; correct it, then reload.")
          == true
      )
    }
    try tree.remove("etc/pathmonitord.conf.d/a.conf")
    reading = try read(insteadOf: reading)
    #expect(reading.configuration.monitor.settle == nil)
  }

  @Test func `a file that is named stands alone with the directory beside it`() throws {
    try tree.write("etc/pathmonitord.conf", "[Monitor]\nSettle=9s\n")
    try tree.write("my.conf", "[Monitor]\nSettle=1s\n")
    try tree.write("my.conf.d/x.conf", "[Match]\nName=*\n[Path]\nExpensive=yes\n")
    let reading = try ConfigurationFiles.read(tree("my.conf"), roots: roots)
    #expect(outcomes(reading) == ["my.conf used", "my.conf.d/x.conf used"])
    #expect(reading.configuration.rules.rules.count == 1)
    #expect(throws: ConfigurationFiles.Problem.self) { try ConfigurationFiles.read(tree("none"), roots: roots) }
  }

  @Test func `a directory that cannot be listed is a problem, and its files are used as they were before`() throws {
    try tree.write("etc/pathmonitord.conf.d/a.conf", "[Monitor]\nConnections=3\n")
    try tree.write("usr/pathmonitord.conf.d", "a file where a directory should be")
    let before = try read()
    #expect(outcomes(before) == ["usr/pathmonitord.conf.d skipped", "etc/pathmonitord.conf.d/a.conf used"])
    #expect(
      before.problems.map(\.description) == [
        "cannot open \(tree("usr/pathmonitord.conf.d")): Not a directory. "
          + "No file in it is found; mend that, then reload."
      ])
    try tree.withoutReading("etc/pathmonitord.conf.d") {
      #expect(try read().configuration.monitor.connections == nil)
      let reading = try read(insteadOf: before)
      #expect(reading.problems.count == 2)
      #expect(reading.configuration.monitor.connections == 3)
    }
  }

  @Test func `a file is limited, and all together are, of which the first ones apply`() throws {
    let text = "[Monitor]\nConnections=3\n" + String(repeating: "# much ado\n", count: 90_000)
    for name in ["a", "b", "c", "d", "e", "f"] { try tree.write("etc/pathmonitord.conf.d/\(name).conf", text) }
    let reading = try read()
    #expect(
      outcomes(reading)
        == ["a used", "b used", "c used", "d used", "e skipped", "f skipped"].map {
          "etc/pathmonitord.conf.d/\($0.replacing(" ", with: ".conf "))"
        })
    #expect(reading.problems.first?.description.contains("have more than 4194304 bytes together") == true)
    try tree.write("etc/pathmonitord.conf", String(repeating: "# much ado\n", count: 100_000))
    #expect(try read().problems.first?.description.contains("has more than 1048576 bytes") == true)
  }
}
