internal import Programs

/// An option whose value only its verbs know how to read. A verb declares it beside its order, and finds the value in
/// its arguments; the parser knows no more of it than that it has a value.
struct OwnOption<Value: Sendable>: Sendable {
  /// The option, for the verb's list.
  let option: Option

  /// An option with its reader, which throws an error that names the mistake in a value.
  init(
    _ name: String, _ value: Placeholder, example: String, summary: String,
    read: @escaping @Sendable (Option, String) throws(UsageError) -> Value
  ) {
    let effect = OwnEffect(name: name) { (option, text) throws(UsageError) in try read(option, text) }
    option = Option(effect: .own(effect), name: name, value: value, example: example, summary: summary)
  }
}

extension OwnOption where Value == Bool {
  /// An option without a value. In the arguments it is `true`, or absent.
  init(flag name: String, summary: String) {
    option = Option(effect: .own(OwnEffect(name: name) { _, _ in true }), name: name, summary: summary)
  }
}

extension OwnOption where Value == Duration {
  /// An option whose value is a time.
  static func time(_ name: String, example: String, summary: String) -> OwnOption {
    OwnOption(name, .time, example: example, summary: summary) { (option, text) throws(UsageError) in
      try option.time(from: text)
    }
  }
}

/// The effect of an ``OwnOption``: its value is read and kept for the verb.
package struct OwnEffect: Sendable {
  private let name: String
  let read: @Sendable (Option, String) throws(UsageError) -> any Sendable

  init(name: String, read: @escaping @Sendable (Option, String) throws(UsageError) -> any Sendable) {
    (self.name, self.read) = (name, read)
  }
}

/// Two effects are equal if their options have the same name.
extension OwnEffect: Hashable {
  /// Whether two effects are those of one name.
  package static func == (one: OwnEffect, other: OwnEffect) -> Bool { one.name == other.name }

  /// Feeds the name to a hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
