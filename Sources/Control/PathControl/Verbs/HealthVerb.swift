internal import PathFollowing
internal import PathModel
package import Programs

/// `pathctl health`: shows how the service is doing.
package struct HealthVerb: Verb {
  package static let name = "health"
  package static let summary = "Show the state of the service"
  package static var ownOptions: [Option<HealthVerb>] { [.json, .socket] }
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "the service answers"),
    (ExitStatus.no, "it answers, but a configuration file has a mistake"),
    (ExitStatus.cannotKnow, "it does not answer"),
  ]

  package var invocation = Invocation()

  package init() {}

  /// Asks the service, and prints its counters and notes.
  package func run() -> Int32 {
    ServiceRequest(invocation).run { client throws(PathSourceError) in
      var reply = try client.ask(.getHealth)
      reply["version"] = try client.version().map { .string($0) }
      if let ended = EndedTotal.read() { reply["endedConnections"] = .integer(Int64(ended)) }
      return try Self.show(reply, isJSON: invocation.isJSON)
    }
  }

  private static func show(_ reply: JSONObject, isJSON: Bool) throws(PathSourceError) -> Int32 {
    let (health, notes, problems) = try ServiceClient.read(reply) { reader throws(PathDecodingError) in
      (
        try reader.required(.health, try reader.object(.health)), try reader.strings(.notes) ?? [],
        try reader.strings(.configurationProblems) ?? []
      )
    }
    let status = problems.isEmpty ? ExitStatus.yes : ExitStatus.no
    if isJSON { return PathControl.say(reply, status) }
    let version = reply["version"]?.stringValue.map { [("version", $0.inOneLine)] } ?? []
    let counters = health.members.compactMap { member in
      member.value.integerValue.map { Self.words(member.key, Int($0)) }
    }
    let ended = reply["endedConnections"]?.integerValue.map { [("ended connections", String($0))] } ?? []
    let values = version + counters + ended
    let width = values.map { LineFolding.columns(of: $0.0) }.max() ?? 0
    let lines = values.map { "\(LineFolding.padded($0, to: width))  \($1)" }
    return PathControl.say(lines: lines + problems.map { "configuration: \($0)" } + notes.map { "note: \($0)" }, status)
  }

  /// A counter with its name; times and sizes in units for people. Names of a newer service stay as they are.
  static func words(_ key: String, _ value: Int) -> (name: String, value: String) {
    switch key {
    case "uptimeSeconds": ("uptime", TimeSpan.text(.seconds(value)))
    case "memoryBytes": ("memory", ByteCount.text(value))
    default: (key.inOneLine, String(value))
    }
  }
}
