/// A value that an administrator sets for a field of the path, in place of a detected one.
package struct PathOverride: Hashable, Sendable {
  /// The fields that can be overridden, with their names in a path.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case isExpensive, isConstrained, status

    /// A field by its name.
    ///
    /// - Throws: ``OverrideError`` with the names of all fields.
    package init(name: String) throws(OverrideError) {
      guard let field = Field(rawValue: name) else {
        throw OverrideError(
          parameter: "field", value: name, allowed: Field.allCases.map(\.rawValue),
          message: "\(name.quotedInLine) cannot be overridden")
      }
      self = field
    }

    /// The values that the field can be set to. No override can make a path: the status can only be taken away.
    package var allowedValues: [String] {
      switch self {
      case .isExpensive, .isConstrained: ["true", "false"]
      case .status: ["unsatisfied"]
      }
    }
  }

  /// The longest reason that is kept, in bytes.
  package static let longestWhy = 256

  /// The overridden field.
  package let field: Field
  /// The value of the field, one of its ``Field/allowedValues``.
  package let value: String
  /// The interface it concerns; `nil` for the path over any interface.
  package var interface: String? { exactInterface?.text }
  /// The same, for comparisons.
  package let exactInterface: ExactText?
  /// When it ends: microseconds since boot, suspend included (`CLOCK_BOOTTIME`); `nil` for never.
  package let expires: Int?
  /// The user who set it.
  package let user: UInt32
  /// The reason that was given; `nil` when there was none.
  package var why: String? { exactWhy?.text }
  /// When it was set: microseconds since boot, suspend included (`CLOCK_BOOTTIME`).
  package let setAt: Int
  private let exactWhy: ExactText?

  /// An override.
  ///
  /// - Throws: ``OverrideError`` when the value is not one of the field's, no interface can have the name, or the
  ///   reason is too long or not a line of text.
  package init(
    field: Field, value: String, interface: String? = nil, expires: Int? = nil, user: UInt32, why: String? = nil,
    setAt: Int
  ) throws(OverrideError) {
    guard field.allowedValues.contains(value) else {
      throw OverrideError(
        parameter: "value", value: value, allowed: field.allowedValues,
        message: "\(value.quotedInLine) is not a value of \(field.rawValue)")
    }
    if let interface, let problem = InterfaceName.problem(with: interface) {
      throw OverrideError(
        parameter: "interface", value: interface, allowed: [],
        message: "\(interface.quotedInLine) is not the name of an interface: \(problem)")
    }
    if let why, let problem = Self.problem(withReason: why) {
      throw OverrideError(parameter: "why", value: why, allowed: [], message: "the reason \(problem)")
    }
    self.field = field
    self.value = value
    exactInterface = interface?.exact
    self.expires = expires
    self.user = user
    exactWhy = why == "" ? nil : why?.exact
    self.setAt = setAt
  }

  private static func problem(withReason why: String) -> String? {
    if why.utf8.count > longestWhy { return "is longer than \(longestWhy) bytes" }
    // The reason is shown within a line, on terminals.
    let isOneLine = why.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    return isOneLine ? nil : "contains a control character"
  }

  /// The override in words, such as `unmetered on wlan0, set by user 1000 ("hotel Wi-Fi is free")`.
  package var words: String {
    let place = interface.map { " on \($0)" } ?? ""
    let reason = why.map { " (\"\($0)\")" } ?? ""
    return "\(state)\(place), set by \(user == 0 ? "root" : "user \(user)")\(reason)"
  }

  /// The state that the override sets, in the words that people read.
  private var state: String {
    switch field {
    case .isExpensive: value == "true" ? "metered" : "unmetered"
    case .isConstrained: value == "true" ? "constrained" : "unconstrained"
    case .status: "offline"
    }
  }

  /// The override as evidence of the cost of a path; `nil` for one of the status.
  var evidence: Evidence? {
    switch field {
    case .isExpensive: Evidence(.override, value == "true" ? .expensive : .notExpensive, .user, words)
    case .isConstrained: Evidence(.override, value == "true" ? .constrained : .notConstrained, .user, words)
    case .status: nil
    }
  }
}

/// A mistake in a requested override.
package struct OverrideError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The wrong parameter: `field`, `value`, `interface` or `why`.
  package let parameter: String
  /// The value that was given for it.
  package let value: String
  /// The values that it accepts; empty when they cannot be listed.
  package let allowed: [String]
  /// The mistake, in words.
  package let message: String

  /// The mistake and the allowed values, without a full stop.
  package var description: String {
    allowed.isEmpty ? message : message + "; allowed: " + allowed.joined(separator: ", ")
  }
}
