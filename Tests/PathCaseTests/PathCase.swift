import JSON
import Testing

/// A network situation, the changes made to it, and the path that is right after each.
struct PathCase: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var commands: [String]
    /// How long after the commands the path has to be right, in seconds.
    var wait: Double
    var expected: JSONObject
  }

  var name: String
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
    guard let name = object["name"]?.stringValue, let setup = object["setup"], let expected = object["expect"] else {
      return nil
    }
    self.name = name
    self.setup = Step(commands: setup.strings, wait: Self.usualWait, expected: expected.objectValue ?? JSONObject())
    steps = (object["then"]?.arrayValue ?? []).compactMap(\.objectValue).map { step in
      Step(
        commands: step["do"]?.strings ?? [], wait: step["wait"]?.integerValue.map(Double.init) ?? Self.usualWait,
        expected: step["expect"]?.objectValue ?? JSONObject())
    }
    cleanup = object["cleanup"]?.strings ?? []
  }

  private static let usualWait = 1.8
}

extension JSONValue {
  var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}
