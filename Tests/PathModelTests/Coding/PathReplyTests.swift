import PathModel
import Testing

@Suite("A reply with a path")
struct PathReplyTests {
  private static let path: JSONValue = ["status": "satisfied", "knowledge": "known", "interfaces": []]
  private static let diagnosis: JSONValue = ["code": "connected", "subject": "eth0", "sentence": "connected over eth0"]

  private static func reply(_ members: (String, JSONValue)...) -> JSONObject {
    var reply: JSONObject = ["path": path]
    for (key, value) in members { reply[key] = value }
    return reply
  }

  @Test func `all members are read, the nearest cause first`() throws {
    let further: JSONValue = ["code": "later", "sentence": "something else", "unknown": 1]
    let route: JSONValue = ["destination": "192.0.2.9", "interface": "eth0", "gateway": "192.0.2.1", "table": nil]
    let explained = try ExplainedPath(
      reply: Self.reply(
        ("diagnosis", Self.diagnosis), ("furtherDiagnoses", [further]), ("steps", ["one", "two"]), ("route", route)))
    #expect(explained.path.status == .satisfied)
    #expect(explained.causes.map(\.code.rawValue) == ["connected", "later"])
    #expect(explained.causes.map(\.subject) == ["eth0", nil])
    #expect(explained.steps == ["one", "two"])
    #expect(explained.route?.destination == IPAddress("192.0.2.9"))
    #expect(explained.route?.gateway == IPAddress("192.0.2.1"))
    #expect(explained.route?.table == nil)
  }

  @Test func `the path alone is enough`() throws {
    let explained = try ExplainedPath(reply: Self.reply(("diagnosis", nil), ("route", nil)))
    #expect(explained.causes.isEmpty && explained.steps.isEmpty && explained.route == nil)
  }

  @Test(
    arguments: [
      ("path", nil, "path"), ("path", [:], "path.status"), ("diagnosis", "connected", "diagnosis"),
      ("diagnosis", ["code": "connected"], "diagnosis.sentence"), ("furtherDiagnoses", [:], "furtherDiagnoses"),
      ("furtherDiagnoses", [["sentence": "without a code"]], "furtherDiagnoses[0].code"), ("steps", "one", "steps"),
      ("steps", ["one", 2], "steps[1]"), ("route", [:], "route.destination"),
      ("route", ["destination": "here"], "route.destination"),
      ("route", ["destination": "192.0.2.9", "gateway": 1], "route.gateway"),
    ] as [(String, JSONValue, String)])
  func `a wrong member is refused by its place`(key: String, value: JSONValue, place: String) {
    let error = #expect(throws: PathDecodingError.self) { _ = try ExplainedPath(reply: Self.reply((key, value))) }
    #expect(error?.key == place)
  }
}
