internal import CommandLineOptions
internal import PathModel

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
  /// The value of `--timeout`.
  var timeout: Duration?
  /// Whether `--condition` is given.
  var isCondition = false
  /// The value of `--interface`.
  var interface: String?
  /// The value of `--for`.
  var duration: Duration?
  /// The value of `--why`.
  var why: String?
  /// The value of `--exec`.
  var hook: String?
  /// The value of `--on-loss`.
  var onLoss: LossReaction?
  /// The value of `--grace`.
  var grace: Duration?
  /// The value of `--on-after`.
  var onAfter: Duration?
  /// The value of `--off-after`.
  var offAfter: Duration?

  /// The value of `--count`.
  var count: Int?
  /// The value of `--directory`.
  var directory: String?

  /// The named verb, or `status` if none is named.
  var effectiveVerb: Verb { verb ?? .status }

  /// A correct use, for messages.
  var usage: String { HelpText.usage(of: effectiveVerb) }

  /// The requirement in the first operand.
  func requirement() throws(UsageError) -> PathRequirement {
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(operands[0])
    } catch {
      throw UsageError("\(error). See 'pathctl help \(effectiveVerb.name)'.")
    }
  }
}
