import PathModel
import Testing

/// A network situation, the changes made to it, and the path that is right after each.
struct PathCase: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var commands: [String]
    /// The time after the commands within which the path has to be right, in seconds.
    var wait: Double
    /// The keys of `expect` and `further`.
    var expected: JSONObject
    /// The keys that `pathctl status` has to print right after the commands; `nil` when a case does not check that
    /// moment.
    var expectedAtOnce: JSONObject?
    /// The exit status of `pathctl check` by requirement.
    var checks: [(requirement: String, status: Int32)]
  }

  var name: String
  /// The text of a configuration file with rules; `nil` for the standard configuration.
  var configuration: String?
  var setup: Step
  var steps: [Step]
  var cleanup: [String]
  /// Whether nothing may be printed during a step.
  var forbidsUpdates: Bool { name.contains("no-update") || name.contains("no-change") }

  var testDescription: String { name }

  static let all: [PathCase] = {
    guard let list = try? JSONValue(parsing: PackageResources.path_cases_json).arrayValue else { return [] }
    return list.compactMap { $0.objectValue.flatMap(PathCase.init) }
  }()

  init?(_ object: JSONObject) {
    guard let name = object["name"]?.stringValue, let commands = object["setup"]?.strings, object["expect"] != nil
    else { return nil }
    self.name = name
    configuration = object["configuration"]?.stringValue
    setup = Step(commands, object)
    steps = (object["then"]?.arrayValue ?? []).compactMap(\.objectValue).map { Step($0["do"]?.strings ?? [], $0) }
    cleanup = object["cleanup"]?.strings ?? []
  }
}

extension PathCase.Step {
  private static let usualWait = 1.8

  /// The step that an object of the file describes.
  fileprivate init(_ commands: [String], _ object: JSONObject) {
    var expected = object["expect"]?.objectValue ?? JSONObject()
    for member in object["further"]?.objectValue?.members ?? [] { expected[member.key] = member.value }
    self.init(
      commands: commands, wait: object["wait"]?.integerValue.map(Double.init) ?? Self.usualWait, expected: expected,
      expectedAtOnce: object["fresh"]?.objectValue,
      checks: (object["check"]?.objectValue?.members ?? []).compactMap { member in
        member.value.integerValue.map { (member.key, Int32($0)) }
      })
  }
}

extension JSONValue {
  var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}
