internal import JSON
internal import PathCoding
internal import PathFollowing
internal import PathModel
internal import SystemIO

/// The verbs that only the service can serve: `override`, `health`.
struct ServiceVerbs {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Asks the service, and prints what it says. Returns the exit status.
  func run() -> Int32 {
    do throws(PathSourceError) {
      let client = try ServiceClient(invocation.socket)
      switch invocation.command {
      case .setOverride(let field, let value, let interface, let duration, let why):
        var parameters: JSONObject = [
          "field": .string(Self.field(field)), "value": .string(Self.value(value)),
        ]
        parameters["interface"] = interface.map { .string($0) }
        parameters["seconds"] = duration.map { .integer(max(1, $0.components.seconds)) }
        parameters["why"] = why.map { .string($0) }
        _ = try client.ask(.setOverride, parameters)
        return ExitStatus.yes
      case .clearOverride(let field, let interface):
        var parameters = JSONObject()
        parameters["field"] = field.map { .string(Self.field($0)) }
        parameters["interface"] = interface.map { .string($0) }
        _ = try client.ask(.clearOverride, parameters)
        return ExitStatus.yes
      case .listOverrides:
        // The file is there for everybody to read; the service was only asked whether it lives.
        return list(invocation.overrides)
      default: return try show(try client.ask(.getHealth))
      }
    } catch {
      guard let status = error.replyStatus else {
        PathControl.complain("\(error.message). Is pathmonitord running?")
        return ExitStatus.cannotKnow
      }
      PathControl.complain(error.sentences)
      return status
    }
  }

  /// The name of a field, also without its "is".
  private static func field(_ text: String) -> String {
    PathOverride.Field.allCases.map(\.rawValue).first { $0.lowercased() == "is\(text.lowercased())" } ?? text
  }

  private static func value(_ text: String) -> String {
    switch text {
    case "yes": "true"
    case "no": "false"
    default: text
    }
  }

  private func list(_ table: OverrideTable) -> Int32 {
    let overrides = table.overrides
    let now = boottimeMicroseconds()
    guard invocation.isJSON else {
      let lines = overrides.map { override in
        let rest = override.expires.map { ", for \(max(0, $0 - now) / 1_000_000) s more" } ?? ""
        return "\(override.words)\(rest)"
      }
      return PathControl.say(lines: lines.isEmpty ? ["nothing is overridden"] : lines, ExitStatus.yes)
    }
    return PathControl.say(
      JSONWriter.line {
        $0.beginObject()
        $0.key("overrides")
        $0.array(overrides) { $0.string($1.words) }
        $0.endObject()
      }, ExitStatus.yes)
  }

  private func show(_ reply: JSONObject) throws(PathSourceError) -> Int32 {
    guard let health = reply["health"]?.objectValue else {
      throw PathSourceError(PathDecodingError(key: "health", message: "must be an object"))
    }
    let notes = try ServiceClient.strings("notes", in: reply).map { "note: \($0)" }
    if invocation.isJSON {
      return PathControl.say(JSONWriter.line { JSONValue.object(reply).write(to: &$0) }, ExitStatus.yes)
    }
    let values = health.members.compactMap { member in
      member.value.integerValue.map { (member.key.inOneLine, String($0)) }
    }
    let width = values.map(\.0.count).max() ?? 0
    let lines = values.map { "\($0)\(String(repeating: " ", count: width - $0.count))  \($1)" }
    return PathControl.say(lines: lines + notes, ExitStatus.yes)
  }
}
