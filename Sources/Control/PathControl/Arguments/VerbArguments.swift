internal import PathModel
internal import Programs

extension Placeholder {
  /// A requirement.
  static let requirement = Placeholder("REQUIREMENT", .requirement)
}

/// The arguments of a verb, before its order is created.
struct VerbArguments: Sendable {
  /// The verb; `nil` while none is named.
  var verb: Verb?
  /// The operands; as many as the verb takes.
  var operands: [String] = []
  /// The words behind `--`, for a verb that takes a command.
  var command: [String] = []
  /// The values of the verb's own options, by name.
  private var values: [String: any Sendable] = [:]

  /// The named verb, or `status` if none is named.
  var effectiveVerb: Verb { verb ?? .status }

  /// A correct use, for messages.
  var usage: String { HelpText.usage(of: effectiveVerb) }

  /// The value of an option of the verb's own; `nil` if it is not given.
  subscript<Value>(_ own: OwnOption<Value>) -> Value? { values[own.option.name] as? Value }

  /// Whether an option of the verb's own is given.
  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// Keeps the value of an option of the verb's own.
  mutating func set(_ option: Option, to value: any Sendable) { values[option.name] = value }

  /// The requirement in the first operand.
  func requirement() throws(UsageError) -> PathRequirement {
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(operands[0])
    } catch {
      throw UsageError("\(error). See 'pathctl help \(effectiveVerb.name)'.")
    }
  }
}
