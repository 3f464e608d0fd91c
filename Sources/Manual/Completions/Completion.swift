internal import PathControl
internal import PathModel

/// What a shell offers for a value or an operand.
package enum Completion: Hashable, Sendable {
  /// One of these words.
  case words([String])
  /// The words of a requirement, with commas between them.
  case requirement
  /// The interfaces of the machine.
  case interface
  /// Files.
  case file
  /// Hosts that the shell knows.
  case host
  /// The programs of the machine.
  case program
  /// The verbs.
  case verb
  /// The fields that can be overridden.
  case overrideField
  /// What the field that stands before it can be set to.
  case overrideValue
  /// Nothing: only the user knows.
  case nothing

  /// What is offered for the word that stands for it in the tables; `nil` when that is not known.
  ///
  /// Brackets, which say that it may be left out, do not count.
  package init?(placeholder: String) {
    switch placeholder.filter({ $0 != "[" && $0 != "]" }) {
    case let words where words.contains("|"): self = .words(words.split(separator: "|").map(String.init))
    case "REQUIREMENT": self = .requirement
    case "NAME": self = .interface
    case "PATH", "FILE": self = .file
    case "HOST": self = .host
    case "COMMAND": self = .program
    case "VERB": self = .verb
    case "ACTION": self = .words(LossReaction.allCases.map(\.rawValue))
    case "FIELD": self = .overrideField
    case "VALUE": self = .overrideValue
    case "TIME", "ADDRESS", "TEXT": self = .nothing
    default: return nil
    }
  }

  /// The words of a requirement that take no value.
  static var requirementWords: [(word: String, meaning: String)] {
    PathRequirement.Word.allCases.map { ($0.rawValue, $0.meaning) }
  }

  /// The keys of a requirement, with their equals signs.
  static var requirementKeys: [(word: String, meaning: String)] {
    PathRequirement.Key.allCases.map { ($0.rawValue + "=", $0.meaning) }
  }

  /// What `type=` takes.
  static var requirementTypes: [String] { InterfaceType.requirementNames }

  /// The fields that can be overridden, and what they can be set to.
  static var overrideFields: [(name: String, values: [String])] {
    PathOverride.Field.allCases.map { ($0.rawValue, $0.allowedValues) }
  }
}
