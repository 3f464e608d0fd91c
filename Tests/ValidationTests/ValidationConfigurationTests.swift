import Foundation
import PathConfiguration
import Testing

@testable import Validation

/// The files of the validator.
@Suite("The configuration of the validator")
struct ValidationConfigurationTests {
  private static func configuration(_ text: String) throws -> ValidationConfiguration {
    var configuration = ValidationConfiguration()
    try configuration.apply("[Validation]\n\(text)\n")
    return configuration
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static func file(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }

  @Test func `the shipped file asks nobody, shows every key, and is correct when it is made active`() throws {
    let text = try Self.file("systemd/examples/validation.conf")
    var shipped = ValidationConfiguration()
    try shipped.apply(text)
    #expect(shipped == ValidationConfiguration() && shipped.askedHosts.isEmpty)
    #expect(shipped.notes == [] && shipped.hostlessness?.contains("no host is asked") == true)
    let page = try Self.file("man/pathmonitor-validation.conf.5.scd")
    for key in ValidationConfiguration.keys {
      #expect(text.contains("\n#\(key.name)=") && page.contains("\n*\(key.name)*=\n"), "\(key.name)")
    }
    var active = ValidationConfiguration()
    try active.apply(text.replacing("\n#", with: "\n").replacing("\n ", with: "\n# "))
    #expect(active.hosts.count == 4 && active.askedHosts.count == 4 && active.notes.isEmpty)
    #expect(active.hostlessness == nil)
    #expect(
      active.hosts.last
        == ValidationHost(
          address: "https://detectportal.firefox.com/success.txt", rightAnswer: .body(Array("success\n".utf8))))
  }

  @Test func `no verdict rests on one host, so one is not asked`() throws {
    let one = try Self.configuration("Host=http://a.example/ 204\nHost=https://A.example/x 204")
    #expect(one.hosts.count == 2 && one.askedHosts.isEmpty && one.notes.count == 1)
    let plain = try Self.configuration("Host=http://a.example/ 204\nHost=http://b.example/ 204")
    #expect(plain.askedHosts.count == 2 && plain.notes.count == 1, "a note says that https is missing")
    #expect(try Self.configuration("Host=http://a.example/ 204\nHost=").hosts.isEmpty)
  }

  @Test(
    "a note names each choice of hosts that can never end well, and no other",
    arguments: [
      (["https://a.example/ 204", "https://b.example/ 204"], "no Host= has an http address"),
      (["http://a.example/x 200", "https://a.example/x 200", "https://b.example/ 204"], "http://a.example/x"),
      (["http://a.example/ 302", "https://b.example/ 204"], "http://a.example/"),
      (["http://a.example/ 204", "https://A.example./ 204"], "Host= names one host only"),
      (["http://a.example/ 204", "https://b.example/ 200"], nil),
      ([#"http://a.example/ "ok""#, "https://b.example/ 302"], nil),
      (["http://a.example/ 404", "https://b.example/ 204"], nil),
    ])
  func note(hosts: [String], words: String?) throws {
    let notes = try Self.configuration(hosts.map { "Host=\($0)" }.joined(separator: "\n")).notes
    #expect(
      notes.count == (words == nil ? 0 : 1) && words.map { notes.first?.contains($0) == true } ?? true, "\(notes)")
  }

  @Test(
    "a value that a key cannot have is refused, with the values that it can",
    arguments: [
      "Host=ftp://a.example/ 204", "Host=http://a.example/", "Host=http:///x 204", "Host=http://a.example/ 99",
      "Host=http://a.example/ ok", #"Host=http://a.example/ ""#, #"Host=http://a.example/ """#,
      #"Host=http://a.example/ "a\x""#, "Host=file:///etc/passwd 200", "Revalidate=1s", "Revalidate=soon",
      "AlsoOver=wifi", "AlsoOver=metered,tunnel", "Hosts=x", "Host=http://a.example:0/ 204",
      "Host=http://a.example:99999/ 204", "Host=http://localhost/ 204",
    ])
  func refused(_ line: String) {
    #expect(throws: ConfigurationProblem.self) { try Self.configuration(line) }
  }

  @Test(
    "a user and a password are refused, and never printed",
    arguments: [
      "https://user:secret@a.example/ 204", "https://user@a.example/", "ftp://user:secret@a.example/ 204",
      "https://user:sec/ret@a.example/ 204", "user:secret@a.example",
    ])
  func password(_ value: String) throws {
    let problem = try #require(throws: ConfigurationProblem.self) { try Self.configuration("Host=\(value)") }
    #expect(
      problem.description.hasPrefix(
        "line 2: Host= cannot be this value, which is not shown because of its '@'; allowed: at most 16 http or https"))
    #expect(problem.description.contains("without user and password"))
    for word in ["user:", "user@", "secret", "sec/ret"] { #expect(!problem.description.contains(word)) }
  }

  @Test func `times and kinds of paths are read`() throws {
    let configuration = try Self.configuration("Revalidate=2h\nAlsoOver=metered tunnel")
    #expect(configuration.revalidation == .seconds(7_200) && configuration.allowed == [.metered, .tunnel])
    let usual = try Self.configuration("Revalidate=1h\nAlsoOver=")
    #expect(usual == ValidationConfiguration())
    #expect(try Self.configuration("Revalidate=never").revalidation == nil)
  }
}
