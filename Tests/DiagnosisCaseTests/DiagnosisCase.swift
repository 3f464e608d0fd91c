import Foundation
import PathModel
import PathTestSupport
import Testing

/// A network with one fault or several, and the answer that an administrator gets.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
  var name: String
  var items: [CaseBlock.Item] = []
  /// The commands for bash; none for a network that only the kernel in memory has.
  var setup: [String]
  var isBare: Bool
  var isInMemoryOnly: Bool
  /// Whether the kernel in memory answers otherwise than the real one.
  var isReal: Bool
  /// The text of resolv.conf(5) in the network's namespace.
  var resolver = "nameserver 192.0.2.53\n"
  /// The text of a configuration file with rules; `nil` for the standard configuration.
  var configuration: String?
  /// The arguments of `pathctl override set`; `nil` for none.
  var override: [String]?
  var options: [String] = []
  /// The host whose path is explained; `nil` for the path to the Internet.
  var host: String?
  var expected = JSONObject()
  /// The code and the subject of each further diagnosis.
  var further: [String] = []
  /// The sentences of the further diagnoses; empty if they are not compared.
  var furtherSentences: [String] = []
  /// The circumstances of the diagnosis; `nil` if they are not compared.
  var circumstances: [String]?
  var route = JSONObject()
  /// Texts that must not occur in any answer.
  var forbidden: [String] = []

  var testDescription: String { name }

  static let all = (try? parsed()) ?? []

  static func parsed() throws -> [DiagnosisCase] {
    try CaseBlock.all(in: PackageResources.diagnosis_cases_txt).map(DiagnosisCase.init)
  }

  /// `PATHMONITOR_CASE=name` chooses the cases whose names contain that.
  static let chosen = all.filter { diagnosisCase in
    !diagnosisCase.isInMemoryOnly
      && ProcessInfo.processInfo.environment["PATHMONITOR_CASE"].map(diagnosisCase.name.contains) ?? true
  }

  private init(_ block: CaseBlock) throws(CaseMistake) {
    (name, isBare, isInMemoryOnly, isReal) = (block.name, block.isBare, block.isInMemoryOnly, block.isReal)
    setup = block.beginning
    var servers: String?
    for item in block.items {
      let (keyword, rest) = item.split
      let words = rest.split(separator: " ").map(String.init)
      switch keyword {
      case "bare", "real": break
      case "configuration": configuration = (configuration ?? "") + rest + "\n"
      case "resolver": servers = (servers ?? "") + (rest.isEmpty ? "" : rest + "\n")
      case "override": override = words
      case "options": options = words
      case "host": host = rest
      case "=":
        expected["code"] = words.first.map(JSONValue.string) ?? .null
        expected["subject"] = Self.text(words.dropFirst())
      case "sentence", "advice": expected[keyword] = .string(rest)
      case "no-advice": expected["advice"] = .null
      case "also": further.append(rest)
      case "also-sentence": furtherSentences.append(rest)
      case "circumstances":
        circumstances = rest.split(separator: ",").map(String.init)
      case "only-route": route[words[0]] = Self.text(words.dropFirst())
      case "never": forbidden.append(rest)
      default:
        items.append(item)
        if !isInMemoryOnly { setup += try NetworkCommands.lines(of: item) }
      }
    }
    resolver = servers ?? resolver
    guard expected["code"] != nil else {
      throw block.beginningLine.mistake("the case does not name the expected cause, '= CODE SUBJECT'")
    }
  }

  /// The words as one; `null` for none.
  private static func text(_ words: ArraySlice<String>) -> JSONValue {
    words.isEmpty ? .null : .string(words.joined(separator: " "))
  }

  /// The origins of the answer to which the case applies: only the service takes overrides, and it has no further
  /// options.
  var sources: [Source] { override != nil ? [.service] : options.isEmpty ? Source.allCases : [.kernel] }

  enum Source: String, CaseIterable, Sendable {
    case kernel, service
  }
}
