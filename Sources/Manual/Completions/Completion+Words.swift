internal import CommandLineOptions
internal import PathModel

extension Completion {
  /// The words of a requirement that take no value.
  static var requirementWords: [(word: String, meaning: String)] {
    PathRequirement.Word.allCases.map { ($0.rawValue, $0.meaning) }
  }

  /// The keys of a requirement, with their equals signs.
  static var requirementKeys: [(word: String, meaning: String)] {
    PathRequirement.Key.allCases.map { ($0.rawValue + "=", $0.meaning) }
  }

  /// The values that `type=` takes.
  static var requirementTypes: [String] { InterfaceType.requirementNames }

  /// The fields that can be overridden, and the values they can be set to.
  static var overrideFields: [(name: String, values: [String])] {
    PathOverride.Field.allCases.map { ($0.rawValue, $0.allowedValues) }
  }
}
