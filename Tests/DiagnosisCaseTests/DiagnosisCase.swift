import Foundation
import PathModel
import Testing

/// A network with one fault or several, and the answer that an administrator gets.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// The commands that make the network, for bash.
  var setup: [String]
  /// The text of resolv.conf(5) in the network's namespace.
  var resolver: String
  /// The text of a configuration file with rules; `nil` for the standard configuration.
  var configuration: String?
  /// The arguments of `pathctl override set`; `nil` for none.
  var override: [String]?
  /// Further options of `pathctl`.
  var options: [String]
  /// The host whose path is explained; `nil` for the path to the Internet.
  var host: String?
  /// The members of the diagnosis.
  var expected: JSONObject
  /// The code and the subject of each further diagnosis.
  var further: [JSONValue]
  /// The members of the only route.
  var route: JSONObject?
  /// Texts that must not occur in any answer.
  var forbidden: [String]

  var testDescription: String { name }

  static let all: [DiagnosisCase] = {
    guard let list = try? JSONValue(parsing: PackageResources.diagnosis_cases_json).arrayValue else { return [] }
    return list.compactMap { $0.objectValue.flatMap(DiagnosisCase.init) }
  }()

  /// `PATHMONITOR_CASE=name` chooses the cases whose names contain that.
  static let chosen = all.filter { diagnosisCase in
    ProcessInfo.processInfo.environment["PATHMONITOR_CASE"].map(diagnosisCase.name.contains) ?? true
  }

  init?(_ object: JSONObject) {
    guard let name = object["name"]?.stringValue, let setup = object["setup"]?.texts,
      let expected = object["expect"]?.objectValue
    else { return nil }
    (self.name, self.setup, self.expected) = (name, setup, expected)
    resolver = object["resolver"]?.stringValue ?? "nameserver 192.0.2.53\n"
    configuration = object["configuration"]?.stringValue
    override = object["override"]?.texts
    options = object["options"]?.texts ?? []
    host = object["host"]?.stringValue
    further = object["further"]?.arrayValue ?? []
    route = object["route"]?.objectValue
    forbidden = object["forbidden"]?.texts ?? []
  }

  /// The origins of the answer to which the case applies: only the service takes overrides, and it has no further
  /// options.
  var sources: [Source] { override != nil ? [.service] : options.isEmpty ? Source.allCases : [.kernel] }

  /// The source of the answer.
  enum Source: String, CaseIterable, Sendable {
    case kernel, service
  }
}

extension JSONValue {
  fileprivate var texts: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}
