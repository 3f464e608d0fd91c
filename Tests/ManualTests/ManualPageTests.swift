import Foundation
import Manual
import PathControl
import PathModel
import PathService
import ProcessTestSupport
import Programs
import Testing

/// The manual pages as their readers see them.
private enum Page {
  /// Whether the programs that format pages are there.
  static let canBeRead = isInstalled("man") && isInstalled("groff")

  private static func isInstalled(_ name: String) -> Bool {
    (try? RunningProgram.runBlocking(["sh", "-c", "command -v \(name)"]).status) == 0
  }

  /// The page on a terminal of 80 columns.
  static func read(_ source: String) async throws -> RunningProgram.Outcome {
    let folder = try ScratchDirectory()
    try folder.write("page", source)
    return try await RunningProgram.run(
      ["man", "--warnings", "-l", folder("page")],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANROFFOPT": nil])
  }

  /// The words of the page with single spaces between them: where its lines end does not matter.
  static func words(_ name: String) async throws -> String {
    let page = try #require(Manual.file(named: name))
    return try await read(page.text).output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }
}

@Suite(
  "Manual pages", .enabled(if: Page.canBeRead, "needs the packages man-db and groff-base; make test installs them"))
struct ManualPageTests {
  @Test(arguments: Manual.pages)
  func `a page is formatted without a warning, and fits a terminal of 80 columns`(page: Manual.File) async throws {
    let read = try await Page.read(page.text)
    #expect(read.status == 0)
    #expect(read.complaints.isEmpty, "\(read.complaints)")
    for line in read.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let folder = try ScratchDirectory()
    try folder.write("page", page.text)
    let groff = try await RunningProgram.run(["groff", "-man", "-Tutf8", "-ww", "-z", folder("page")])
    #expect(groff.status == 0)
    #expect(groff.complaints.isEmpty, "\(groff.complaints)")
  }

  @Test(arguments: Manual.pages)
  func `a page can be found by its subject, and has the version`(page: Manual.File) async throws {
    let words = try await Page.words(page.name)
    let name = page.name.dropLast(2)
    #expect(Self.names(on: page).first.map { $0[...] } == name)
    #expect(words.contains(" NAME \(Self.names(on: page).joined(separator: ", ")) - "))
    #expect(words.contains("PathMonitor \(PathMonitorVersion.current)"))
    #expect(words.contains(" SEE ALSO "))
  }

  @Test(arguments: Verb.all)
  func `every verb is on the page with its operands, its options and its details`(
    verb: Verb
  ) async throws {
    let words = try await Page.words("pathctl.1")
    #expect(words.contains((["pathctl"] + verb.usage()).joined(separator: " ")))
    #expect(words.contains("\(verb.summary)."))
    for option in verb.options {
      #expect(words.contains("\(option.label) \(option.summary)."), "\(option.name)")
    }
    for text in verb.help.flatMap(\.texts) {
      #expect(words.contains(text), "\(text)")
    }
    for example in verb.examples { #expect(words.contains("\(example.purpose):"), "\(example.purpose)") }
  }

  @Test func `every exit status of a verb is in the list of exit statuses`() async throws {
    let words = try await Page.words("pathctl.1")
    let list = try #require(words.split(separator: " EXIT STATUS ").last?.split(separator: " ENVIRONMENT ").first)
    for exit in Verb.all.flatMap(\.exits) { #expect(list.contains("\(exit.status) "), "\(exit)") }
  }

  @Test func `every option of the service is on its page`() async throws {
    let words = try await Page.words("pathmonitord.8")
    for option in DaemonOptions.options {
      #expect(words.contains("\(option.label) \(option.summary)."), "\(option.name)")
    }
  }

  @Test func `every variable that a hook gets is on the page`() async throws {
    let words = try await Page.words("pathctl.1")
    let path = NetworkPath(status: .satisfied, knowledge: .known)
    let names = PathVariables.of(path, former: nil).map(\.name)
    #expect(names.count > 10)
    for name in names { #expect(words.contains(name), "\(name)") }
  }

  @Test func `every key of JSON is on the page with its meaning, and every word of a value`() async throws {
    let words = try await Page.words("pathctl.1")
    let section = try #require(
      words.split(separator: " JSON With --json ").last?.split(separator: " EXIT STATUS ").first)
    let keys =
      NetworkPath.fields.map(\.key) + NetworkInterface.fields.map(\.key) + Cost.fields.map(\.key)
      + Evidence.fields.map(\.key)
    for key in Set(keys) { #expect(section.contains(" \(key) "), "\(key)") }
    let values =
      NetworkPath.Status.allCases.map(\.rawValue) + NetworkPath.Knowledge.allCases.map(\.rawValue)
      + UnsatisfiedReason.all.map(\.rawValue) + InterfaceType.allCases.map(\.rawValue)
    for value in values { #expect(section.contains(value), "\(value)") }
  }

  @Test func `the page of the service names the installed description of its interface`() async throws {
    let words = try await Page.words("pathmonitord.8")
    #expect(words.contains("/usr/share/doc/pathmonitor/io.pathmonitor.PathMonitor.varlink"))
  }

  @Test(arguments: ["path-online.target", "path-unmetered.target", "pathmonitor-targets.service"])
  func `each unit that people name has a page, which its Documentation= names`(unit: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("systemd/\(unit)"), encoding: .utf8)
    let section = unit.hasSuffix(".target") ? 7 : 8
    #expect(text.contains("\nDocumentation=man:\(unit)(\(section))\n"))
    let page = try #require(
      Manual.pages.first { $0.text.contains("\n.SH NAME\n") && Self.names(on: $0).contains(unit) })
    #expect(page.name.hasSuffix(".\(section)"))
  }

  /// The subjects of a page, which `man` and `apropos` find.
  private static func names(on page: Manual.File) -> [String] {
    let line = page.text.split(separator: ".SH NAME\n").last?.split(separator: "\n").first ?? ""
    let names = line.replacing("\\-", with: "-").split(separator: " - ").first ?? ""
    return names.split(separator: ", ").map(String.init)
  }

  @Test func `every word, key and type of a requirement is on the page`() async throws {
    let words = try await Page.words("pathctl.1")
    for word in PathRequirement.Word.allCases {
      let begins = "\(word.rawValue) not-\(word.rawValue)"
      let meaning = word.meaning
      #expect(words.contains("\(begins) \(meaning.prefix(1).uppercased())\(meaning.dropFirst())."), "\(word)")
    }
    for key in PathRequirement.Key.allCases { #expect(words.contains("\(key.rawValue)="), "\(key)") }
    for type in InterfaceType.requirementNames { #expect(words.contains(type), "\(type)") }
  }

  @Test func `every command line among the examples is understood`() async throws {
    let page = try #require(Manual.file(named: "pathctl.1"))
    let lines = try await Page.read(page.text).output.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "EXAMPLES"))
    let end = try #require(lines.firstIndex(of: "SEE ALSO"))
    // Lines with the indentation of the text are prose; the keys of a unit are no commands.
    let examples = lines[begin..<end].filter { $0.hasPrefix("           ") }
      .map { $0.replacing("ExecCondition=/usr/bin/", with: "") }
      .filter { !$0.contains("[Service]") && !$0.contains("ExecStart=") }
    // The shell finds only pathctl, which prints its arguments.
    let script = """
      PATH=
      exec 3>&1
      pathctl() { for word; do echo "$word"; done >&3; echo >&3; }
      \(examples.joined(separator: "\n"))
      """
    let output = try await RunningProgram.run(["bash", "-c", script]).output
    let commands = output.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "")
    let uses = examples.count { $0.contains("pathctl ") }
    #expect(commands.count == uses, "\(output)")
    for command in commands {
      #expect(throws: Never.self, "\(command)") { try Invocation(arguments: command.map(String.init)) }
    }
  }

  @Test(arguments: [
    ".TH at the start", "'quoted' at the start", "a \\ b \\fB c \\n(xx \\\" d", "--option -x not-wifi",
    "`a` ^b ~c \"d\"", "…and ‘more’",
  ])
  func `text is printed unchanged, whatever its meaning to roff`(text: String) async throws {
    let read = try await Page.read(".TH TEXT 1\n.SH TEXT\n\(Roff.literal(text))\n.br\n\(Roff.line(text, []))\n")
    #expect(read.complaints.isEmpty, "\(read.complaints)")
    let lines = read.output.split(separator: "\n").map { line in line.drop { $0 == " " } }
    #expect(lines.count { $0 == text } == 2, "\(read.output)")
  }
}
