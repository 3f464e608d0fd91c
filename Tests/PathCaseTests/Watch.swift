import PathModel
import ProcessTestSupport
import Testing

/// A `pathctl watch` in the namespace of a case, and the options with which other verbs have the same source.
struct Watch {
  let source: String
  let options: [String]
  let namespace: String
  let program: RunningProgram

  init(_ source: String, _ options: [String], _ namespace: String) throws {
    (self.source, self.options, self.namespace) = (source, options, namespace)
    program = try RunningProgram([RunningProgram.pathctl, "watch", "--json"] + options, namespace: namespace)
  }

  /// The path that `pathctl status` prints now, and its exit status.
  func ask() async throws -> (path: JSONValue?, exitStatus: Int32) {
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl, "status", "--json"] + options, namespace: namespace)
    #expect(outcome.complaints.isEmpty)
    return (try? JSONValue(parsing: Array(outcome.output.utf8)), outcome.status)
  }
}
