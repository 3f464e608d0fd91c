internal import PathConfiguration
internal import PathFollowing
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl override`: sets, clears and lists overrides.
package struct OverrideVerb: Verb {
  package static let name = "override"
  package static let operands = [
    Placeholder("set|clear|list", .words(["set", "clear", "list"])),
    Placeholder("FIELD", .overrideField, isOptional: true), Placeholder("VALUE", .overrideValue, isOptional: true),
  ]
  package static let summary = "Override detected values"
  package static var ownOptions: [Option<OverrideVerb>] { [interface, duration, why, .json, .socket] }
  package static let refusedOptions = ["clear": ["--for", "--why"], "list": ["--interface", "--for", "--why"]]
  package static let details = """
    FIELD and VALUE: isExpensive true|false, isConstrained true|false, status unsatisfied.
    In place of isExpensive you may write expensive or metered, in place of isConstrained constrained,
    and in place of unsatisfied offline. true and false are also written as in files: yes and no, on and
    off, 1 and 0.
    'set' needs both; 'clear' removes all overrides, those of a FIELD, or those of an --interface.
    'list --json' has for each override field, value, interface, user, why, secondsLeft,
    expiresBoottimeMicroseconds and setBoottimeMicroseconds; null where there is none.
    Only root and members of the group 'pathmonitor' may set and clear. Overrides end at reboot.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "it is done"),
    (ExitStatus.no, "you may not do it, or there is no such override to clear"),
    (ExitStatus.cannotKnow, "the service does not answer"),
  ]
  package static let examples = [
    (
      purpose: "Treat the Wi-Fi of the hotel as free for two hours",
      lines: """
      pathctl override set isExpensive false --interface wlan0 --for 2h \\
        --why 'hotel Wi-Fi is free'
      """
    )
  ]

  private static var interface: Option<OverrideVerb> {
    Option(
      "--interface", Placeholder("NAME", .interface), example: "wlan0",
      summary: "Only for this interface; without it, for the one that carries the traffic"
    ) { verb, value in verb.interface = value.text }
  }
  private static var duration: Option<OverrideVerb> {
    Option(
      "--for", .time, example: "2h",
      summary: "The time, rounded up to whole seconds; without it, until it is cleared or a reboot"
    ) { (verb, value) throws(UsageError) in
      let time = try value.time()
      if time == .zero { throw value.rejected(as: "time", because: "an override that ends at once does nothing") }
      verb.duration = time
    }
  }
  private static var why: Option<OverrideVerb> {
    Option(
      "--why", Placeholder("TEXT"), example: "'hotel Wi-Fi is free'",
      summary: "The reason, which is shown with the path"
    ) { verb, value in verb.why = value.text }
  }

  /// An action on overrides.
  package enum Action: Hashable, Sendable {
    /// Override a field.
    case set(field: String, value: String)
    /// Remove overrides.
    case clear(field: String?)
    /// List the overrides.
    case list
  }

  package var invocation = Invocation()
  /// The action to perform.
  package private(set) var action = Action.list
  /// The interface whose path is overridden; `nil` for the one that carries the traffic.
  package private(set) var interface: String?
  /// How long the override lasts; `nil` until it is cleared.
  package private(set) var duration: Duration?
  /// The reason for the override.
  package private(set) var why: String?

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    let word = operands[0]
    let given = [("--interface", interface != nil), ("--for", duration != nil), ("--why", why != nil)].filter(\.1)
    if let option = Self.refusedOptions[word]?.first(where: { name in given.contains { $0.0 == name } }) {
      throw UsageError("\(option) has no meaning for 'override \(word)'. Leave it out.")
    }
    let (field, value) = (Placeholder("FIELD"), Placeholder("VALUE"))
    let places: [Placeholder]
    switch word {
    case "set": places = [field, value]
    case "clear": places = [field.optional]
    case "list": places = []
    default: throw UsageError("'\(word)' is neither set, clear nor list. Correct use: \(Self.usageLine)")
    }
    let rest = Array(operands.dropFirst())
    let error = UsageError(operands: rest, for: places, of: "override \(word)", usage: Self.usageLine)
    if let error { throw error }
    action = word == "set" ? .set(field: rest[0], value: rest[1]) : word == "clear" ? .clear(field: rest.first) : .list
  }

  /// Sends the request to the service.
  package func run() -> Int32 {
    ServiceRequest(invocation).run { client throws(PathSourceError) in
      switch action {
      case .set(let field, let value):
        var parameters: JSONObject = [
          "field": .string(Self.field(field)), "value": .string(Self.value(value, of: field)),
        ]
        parameters["interface"] = interface.map { .string($0) }
        parameters["seconds"] = duration.map { .integer(Self.seconds($0)) }
        parameters["why"] = why.map { .string($0) }
        _ = try client.ask(.setOverride, parameters)
        return ExitStatus.yes
      case .clear(let field): return try clear(field, client)
      case .list:
        // Everybody may read the file of overrides. An answer shows that its overrides are in effect.
        _ = try client.ask(.getHealth)
        return Self.list(invocation.overrides, isJSON: invocation.isJSON)
      }
    }
  }

  private func clear(_ field: String?, _ client: ServiceClient) throws(PathSourceError) -> Int32 {
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
    return PathControl.say(["overrides": .array(overrides.map { .object($0.json(at: now)) })], ExitStatus.yes)
  }
}

extension PathOverride {
  /// The override as a JSON object.
  ///
  /// - Parameter now: Microseconds since boot, suspend included.
  fileprivate func json(at now: Int) -> JSONObject {
    [
      "field": .string(field.rawValue), "value": .string(value), "interface": .text(interface),
      "user": .integer(Int64(user)), "why": .text(why),
      "secondsLeft": expires.map { .integer(Int64(max(0, $0 - now) / 1_000_000)) } ?? .null,
      "expiresBoottimeMicroseconds": expires.map { .integer(Int64($0)) } ?? .null,
      "setBoottimeMicroseconds": .integer(Int64(setAt)),
    ]
  }
}
