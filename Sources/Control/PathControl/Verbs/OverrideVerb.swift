internal import JSON
internal import PathConfiguration
internal import PathFollowing
internal import PathModel
internal import Programs
internal import SystemIO

extension Verb {
  /// Sets, clears and lists overrides.
  package static let override = Verb(
    name: "override",
    operands: [
      Placeholder("set|clear|list", .words(["set", "clear", "list"])),
      Placeholder("FIELD", .overrideField, isOptional: true), Placeholder("VALUE", .overrideValue, isOptional: true),
    ],
    summary: "Override detected values",
    options: OverrideOrder.options + Option.forService,
    refusedOptions: [
      "clear": [OverrideOrder.duration.option, OverrideOrder.why.option], "list": OverrideOrder.options,
    ],
    details: [
      .text("FIELD and VALUE: isExpensive true|false, isConstrained true|false, status unsatisfied."),
      .text(
        """
        In place of isExpensive you may write expensive or metered, in place of isConstrained constrained, and in place \
        of unsatisfied offline. true and false are also written as in files: yes and no, on and off, 1 and 0.
        """),
      .text("'set' needs both; 'clear' removes all overrides, those of a FIELD, or those of an --interface."),
      .text(
        """
        'list --json' has for each override field, value, interface, user, why, secondsLeft, expiresBoottimeMicroseconds \
        and setBoottimeMicroseconds; null where there is none.
        """),
      .text("Only root and members of the group 'pathmonitor' may set and clear. Overrides end at reboot."),
    ],
    exits: [
      Exit(ExitStatus.yes, "it is done"),
      Exit(ExitStatus.no, "you may not do it, or there is no such override to clear"),
      Exit(ExitStatus.cannotKnow, "the service does not answer"),
    ],
    examples: [
      Example(
        "Treat the Wi-Fi of the hotel as free for two hours",
        """
        pathctl override set isExpensive false --interface wlan0 --for 2h \\
          --why 'hotel Wi-Fi is free'
        """)
    ]
  ) { arguments throws(UsageError) in try OverrideOrder(arguments) }
}

/// Set, clear or list overrides.
package enum OverrideOrder: VerbOrder {
  static let interface = OwnOption(
    "--interface", Placeholder("NAME", .interface), example: "wlan0",
    summary: "Only for this interface; without it, for the one that carries the traffic"
  ) { _, text in text }
  static let duration = OwnOption(
    "--for", .time, example: "2h",
    summary: "The time, rounded up to whole seconds; without it, until it is cleared or a reboot"
  ) { (option, text) throws(UsageError) in
    let time = try option.time(from: text)
    if time == .zero {
      throw option.rejection(of: text, as: "time", because: "an override that ends at once does nothing")
    }
    return time
  }
  static let why = OwnOption(
    "--why", Placeholder("TEXT"), example: "'hotel Wi-Fi is free'", summary: "The reason, which is shown with the path"
  ) { _, text in text }
  static let options = [interface.option, duration.option, why.option]

  /// Override a field.
  case set(field: String, value: String, interface: String?, duration: Duration?, why: String?)
  /// Remove overrides.
  case clear(field: String?, interface: String?)
  /// List the overrides.
  case list

  /// The order of `pathctl override`, by its first operand.
  init(_ arguments: VerbArguments) throws(UsageError) {
    let action = arguments.operands[0]
    if let option = Verb.override.refusedOptions[action]?.first(where: arguments.has) {
      throw UsageError("\(option.name) has no meaning for 'override \(action)'. Leave it out.")
    }
    switch action {
    case "set":
      let operands = try arguments.rest(for: [Placeholder("FIELD"), Placeholder("VALUE")])
      self = .set(
        field: operands[0], value: operands[1], interface: arguments[Self.interface],
        duration: arguments[Self.duration],
        why: arguments[Self.why])
    case "clear":
      let operands = try arguments.rest(for: [Placeholder("FIELD", isOptional: true)])
      self = .clear(field: operands.first, interface: arguments[Self.interface])
    case "list":
      _ = try arguments.rest(for: [])
      self = .list
    default: throw UsageError("'\(action)' is neither set, clear nor list. Correct use: \(arguments.usage)")
    }
  }

  /// Sends the order to the service.
  package func run(_ invocation: Invocation) -> Int32 {
    ServiceRequest(invocation).run { client throws(PathSourceError) in
      switch self {
      case .set(let field, let value, let interface, let duration, let why):
        var parameters: JSONObject = [
          "field": .string(Self.field(field)), "value": .string(Self.value(value, of: field)),
        ]
        parameters["interface"] = interface.map { .string($0) }
        parameters["seconds"] = duration.map { .integer(Self.seconds($0)) }
        parameters["why"] = why.map { .string($0) }
        _ = try client.ask(.setOverride, parameters)
        return ExitStatus.yes
      case .clear(let field, let interface):
        var parameters = JSONObject()
        parameters["field"] = field.map { .string(Self.field($0)) }
        parameters["interface"] = interface.map { .string($0) }
        // Everybody may read the file of overrides. It is read before they are gone.
        var table = invocation.overrides
        _ = try client.ask(.clearOverride, parameters)
        let wanted = field.flatMap { PathOverride.Field(rawValue: Self.field($0)) }
        let count = table.clear(field: wanted, interface: interface)
        if field == nil && interface == nil || count > 0 { return ExitStatus.yes }
        let place = interface.map { " on \($0.quotedInLine)" } ?? ""
        let nothing = wanted.map { "\($0.rawValue) is not" } ?? "nothing is"
        invocation.note("\(nothing) overridden\(place). 'pathctl override list' shows what is.")
        return ExitStatus.no
      case .list:
        // Everybody may read the file of overrides. An answer shows that its overrides are in effect.
        _ = try client.ask(.getHealth)
        return Self.list(invocation.overrides, isJSON: invocation.isJSON)
      }
    }
  }

  /// The time of an override in seconds, which the service takes, rounded up: no override ends early.
  package static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// The full name of a field that the user may have written without its "is", or as people call it.
  private static func field(_ text: String) -> String {
    if text.lowercased() == "metered" { return PathOverride.Field.isExpensive.rawValue }
    return PathOverride.Field.allCases.map(\.rawValue).first { $0.lowercased() == "is\(text.lowercased())" } ?? text
  }

  /// The value as the service spells it, for words that files accept, and for the word that people read.
  private static func value(_ text: String, of field: String) -> String {
    if Self.field(field) == PathOverride.Field.status.rawValue { return text == "offline" ? "unsatisfied" : text }
    return ConfigurationValue.boolean(text).map(String.init) ?? text
  }

  private static func list(_ table: OverrideTable, isJSON: Bool) -> Int32 {
    let overrides = table.overrides
    let now = boottimeMicroseconds()
    guard isJSON else {
      let lines = overrides.map { override in
        let rest = override.expires.map { ", for \(TimeSpan.text(.microseconds(max(0, $0 - now)))) more" } ?? ""
        return "\(override.words)\(rest)"
      }
      return PathControl.say(lines: lines.isEmpty ? ["nothing is overridden"] : lines, ExitStatus.yes)
    }
    return PathControl.say(
      JSONWriter.line {
        $0.beginObject()
        $0.key("overrides")
        $0.array(overrides) { $1.write(to: &$0, at: now) }
        $0.endObject()
      }, ExitStatus.yes)
  }
}

extension PathOverride {
  /// Appends the override as one JSON object.
  ///
  /// - Parameter now: Microseconds since boot, suspend included.
  fileprivate func write(to writer: inout JSONWriter, at now: Int) {
    let values: [(key: String, value: JSONValue)] = [
      ("field", .string(field.rawValue)), ("value", .string(value)), ("interface", Self.optional(interface)),
      ("user", .integer(Int64(user))), ("why", Self.optional(why)),
      ("secondsLeft", expires.map { .integer(Int64(max(0, $0 - now) / 1_000_000)) } ?? .null),
      ("expiresBoottimeMicroseconds", expires.map { .integer(Int64($0)) } ?? .null),
      ("setBoottimeMicroseconds", .integer(Int64(setAt))),
    ]
    writer.beginObject()
    for (key, value) in values {
      writer.key(key)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  private static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension VerbArguments {
  /// The operands behind the action, which is the first; throws an error if their number is wrong.
  fileprivate func rest(for places: [Placeholder]) throws(UsageError) -> [String] {
    let rest = Array(operands.dropFirst())
    if let error = UsageError(operands: rest, for: places, of: "override \(operands[0])", usage: usage) { throw error }
    return rest
  }
}
