internal import PathFollowing
internal import PathModel
internal import SystemIO

extension PathMetrics {
  /// The metrics as they are now.
  ///
  /// - Parameter socket: The socket of the service.
  static func now(askingServiceAt socket: String) -> PathMetrics {
    var answer: ServiceAnswer?
    do throws(PathSourceError) {
      answer = try ServiceAnswer(askingServiceAt: socket)
    } catch {
      PathControl.complain("the service does not answer: \(error.sentences)")
    }
    let recorded = RecordedTotals(
      store: RecordedTotals.usualStore, programs: CompanionProgram.history.places(besides: ProcessImage.path))
    return PathMetrics(service: answer, recorded: recorded, endedConnections: EndedTotal.read())
  }
}

extension PathMetrics.ServiceAnswer {
  /// Asks the service for everything, over one connection.
  fileprivate init(askingServiceAt socket: String) throws(PathSourceError) {
    let client = try ServiceClient(socket)
    let reply = try client.ask(.getHealth)
    let path = try ServiceClient.path(in: try client.ask(.getPath))
    let version = try client.version()
    let (health, totals, problems) = try ServiceClient.read(reply) { reader throws(PathDecodingError) in
      (
        try reader.object(.health), try reader.value(.totals, PathTotals.init(json:)),
        try reader.strings(.configurationProblems) ?? []
      )
    }
    self.init(
      path: path, health: Self.numbers(in: health), totals: totals, configurationProblems: problems.count,
      version: version)
  }

  private static func numbers(in object: JSONObject?) -> [String: Int] {
    (object?.members ?? []).reduce(into: [:]) { numbers, member in
      if let number = member.value.integerValue { numbers[member.key] = Int(number) }
    }
  }
}
