import Manual
import PathConfiguration
import PathModel
import PathService
import ProcessTestSupport
import Testing

@Suite("The configuration in the manual")
struct ConfigurationManualTests {
  /// The words that a message of the program lists as allowed.
  private static func allowed(in text: String) throws -> [String] {
    do throws(ConfigurationProblem) {
      _ = try ConfigurationFile(parsing: text, path: "test.conf")
    } catch {
      let list = try #require(error.message.split(separator: "allowed: ").last)
      return list.split(separator: ", ").map(String.init)
    }
    Issue.record("there is no mistake in \(text)")
    return []
  }

  @Test func `the manual has every key that the program takes, and no other`() throws {
    let sections = try Self.allowed(in: "[NoSuchSection]\n")
    #expect(Set(sections) == Set(DocumentedKey.all.map { "[\($0.section)]" }))
    for section in sections {
      let keys = try Self.allowed(in: "\(section)\nNoSuchKey=1\n")
      #expect(Set(keys) == Set(DocumentedKey.all.filter { "[\($0.section)]" == section }.map { "\($0.name)=" }))
    }
  }

  @Test func `every key is on the page of the configuration`() throws {
    let page = try #require(Manual.file(named: "pathmonitor.conf.5"))
    for key in DocumentedKey.all {
      #expect(page.text.contains("\\fB\(key.name)\\fR=\n"))
      #expect(page.text.contains(".SS [\(key.section)]\n"))
    }
  }

  @Test func `every key of the recorder is on its page, with its default`() throws {
    let page = try #require(Manual.file(named: "pathmonitor-history.conf.5")).text
    for key in HistoryConfiguration.keys {
      #expect(page.contains("\\fB\(key.name)\\fR=\n"))
      #expect(page.contains("Without it: \(key.standard)."), "\(key.name)")
    }
  }

  @Test func `every confidence of evidence is on the page, the strongest first`() throws {
    let page = try #require(Manual.file(named: "pathmonitor.conf.5"))
    let confidences: [Evidence.Confidence] = [.user, .explicit, .certain, .likely, .guess, .unknown]
    #expect(confidences == confidences.sorted(by: >))
    let places = try confidences.map { confidence in
      try #require(page.text.firstRange(of: "\n.TP\n\\fB\(confidence.rawValue)\\fR\n"), "\(confidence)").lowerBound
    }
    #expect(places == places.sorted())
  }

  @Test func `the shipped file and the page name every default`() throws {
    let page = try #require(Manual.file(named: "pathmonitor.conf.5")).text
    for key in DocumentedKey.all where key.section == "Monitor" {
      let words = try #require(key.standardInWords, "\(key.name)")
      #expect(!words.isEmpty)
      #expect(page.contains("Without it: \(words)."), "\(key.name)")
    }
    let joined = ConfigurationExample.text.replacing("\n# ", with: " ")
    #expect(joined.contains("it is 50ms for a change that only adds something, 200ms for any other.\n#Settle=\n"))
  }

  @Test func `the shipped file changes nothing`() throws {
    #expect(try ConfigurationFile(parsing: ConfigurationExample.text, path: "test.conf").settings.isEmpty)
  }

  @Test func `the commented lines of the shipped file are the defaults`() throws {
    var text = ConfigurationExample.text
    for key in DocumentedKey.all where key.standard != nil {
      #expect(text.contains("\n#\(key.name)=\(key.standard ?? "")\n"))
      text = text.replacing("\n#\(key.name)=", with: "\n\(key.name)=")
    }
    var configuration = MergedConfiguration()
    try configuration.add(ConfigurationFile(parsing: text, path: "test.conf"))
    #expect(configuration.monitor.probes == .standard)
    #expect(configuration.monitor.settle == nil)
    #expect(configuration.monitor.connections == PathService.Configuration.standardConnections)
    #expect(configuration.monitor.connectionsPerUser == PathService.Configuration.standardConnectionsPerUser)
    #expect(configuration.rules == MergedConfiguration().rules)
  }
}
