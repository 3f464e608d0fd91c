import PathModel
import PathTestSupport
import Testing

@testable import PathControl
@testable import Programs

@Suite("Forms of a path with names that others choose")
struct HostileFormTests {
  private static func path(_ name: String) -> NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [NetworkInterface(name: name, index: 2, type: .wifi, underlying: [name], networkName: name)]
    path.interfaceType = .wifi
    path.gateways = [IPAddress.literal("fe80::1").scoped(to: name)]
    path.overrides = ["metered on \(name)"]
    return path
  }

  private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  @Test(arguments: HostileNames.all)
  func `a line for Waybar is JSON, and its texts are no markup`(name: String) throws {
    let line = PathSummary(Self.path(name)).waybar
    #expect(Self.isSame(line, line.inOneLine))
    let object = try #require(try JSONValue(parsing: Array(line.utf8)).objectValue)
    for key in ["text", "tooltip"] {
      let text = try #require(object[key]?.stringValue)
      #expect(!text.utf8.contains { "<>\"'".utf8.contains($0) })
    }
    #expect(Self.isSame(object["text"]?.stringValue ?? "", "Wi-Fi \(name)".inMarkup))
  }

  @Test(arguments: HostileNames.all)
  func `templates, fields, pictures and variables are lines that garble no terminal`(name: String) throws {
    let path = Self.path(name)
    var lines = PathSummary.Name.allCases.map { PathSummary(path)[$0] }
    lines.append(try PathTemplate("{interface} {sentence} {gateways} {overrides} {interfaces}").text(of: path))
    lines += PathField.names.compactMap { PathField(name: $0)?.text(of: path) }
    lines += PathPicture.lines(path, Style(isColored: false))
    lines += PathVariables.of(.init(path: path, former: path)).filter { !$0.name.hasSuffix("JSON") }.map(\.value)
    for line in lines { #expect(Self.isSame(line, line.inOneLine)) }
    let interface = try PathTemplate("{interface}").text(of: path)
    #expect(Self.isSame(interface, Self.trimmed(name.inOneLine)))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text.unicodeScalars[...]
    while text.last == " " { text.removeLast() }
    return String(text.drop { $0 == " " })
  }

  @Test(arguments: HostileNames.all)
  func `JSON has the name, byte by byte`(name: String) throws {
    let variables = PathVariables.of(.init(path: Self.path(name), former: nil))
    let json = try #require(variables.first { $0.name == "PATH_JSON" }?.value)
    let object = try JSONValue(parsing: Array(json.utf8))
    #expect(Self.isSame(object["interfaces"]?.arrayValue?.first?["name"]?.stringValue ?? "", name))
    #expect(Self.isSame(object["overrides"]?.arrayValue?.first?.stringValue ?? "", "metered on \(name)"))
  }

  @Test(arguments: HostileNames.all)
  func `a brace of a template is one whatever stands behind it`(name: String) throws {
    #expect(
      Self.isSame(
        try PathTemplate("{kind}\(Self.doubled(name))").text(of: .unknown),
        Self.trimmed(name.inOneLine)))
  }

  private static func doubled(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "{" || $0 == "}" ? "\($0)\($0)" : "\($0)" }.joined()
  }

  @Test(arguments: CompletingShell.allCases)
  func `an answer to a shell has one line for each name that can be shown, and no other`(shell: CompletingShell) {
    let words = shell == .bash ? [""] : []
    for name in HostileNames.all {
      let answer = shell.answer(of: Verbs.completed, to: words + ["interfaces", ""], interfaces: { [name] })
      let lines = answer.utf8.split(separator: 10, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }.dropFirst(shell == .bash ? 4 : 3).dropLast()
      let expected: String? =
        switch shell {
        case .bash: name.isPlainForBash ? name : nil
        case .zsh: "+\(name.describedForZsh)"
        case .fish: "\(name)\t"
        }
      let isOpen = shell == .zsh && (name.utf8.last == UInt8(ascii: "-") || name.utf8.last == UInt8(ascii: "="))
      if !name.isCompletable || expected == nil {
        #expect(lines.allSatisfy { $0.utf8.starts(with: "--".utf8) || $0.utf8.starts(with: "+--".utf8) }, "\(lines)")
      } else if !isOpen {
        #expect(lines.count == 1 && Self.isSame(lines.first ?? "", expected ?? ""), "\(lines)")
      }
    }
  }

  @Test(arguments: HostileNames.all)
  func `the value behind an equals sign is the value whatever it begins with`(name: String) throws {
    var reader = CommandLineReader(["--interface=\(name)"])
    var value = ""
    let option = Option<String>("--interface", Placeholder("NAME"), example: "eth0", summary: "x") { $0 = $1.text }
    #expect(try reader.nextOperand(into: &value, [option], usage: "x") == nil)
    #expect(Self.isSame(value, name))
  }
}
