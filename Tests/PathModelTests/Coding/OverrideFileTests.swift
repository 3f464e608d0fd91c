import PathModel
import Testing

@Suite("Overrides as JSON")
struct OverrideFileTests {
  private static func full() throws -> OverrideFile {
    var table = OverrideTable()
    try table.set(
      PathOverride(
        field: .isExpensive, value: "false", interface: "wlan0", expires: 90_000_000, user: 1_000,
        why: "hotel \"Wi-Fi\"", setAt: 30_000_000))
    try table.set(PathOverride(field: .status, value: "unsatisfied", user: .max, setAt: -1))
    return OverrideFile(bootID: "0c9f", table: table)
  }

  private static func text(_ file: OverrideFile) throws -> String {
    var writer = JSONWriter()
    file.write(to: &writer)
    return try #require(String(validating: writer.bytes, as: UTF8.self))
  }

  private static func read(_ text: String) throws -> OverrideFile {
    try OverrideFile(json: JSONValue(parsing: Array(text.utf8)))
  }

  @Test func `the file is one object with every key, and reads back as it was written`() throws {
    #expect(
      try Self.text(Self.full()) == #"""
        {"version":1,"bootID":"0c9f","overrides":[\#
        {"field":"isExpensive","value":"false","interface":"wlan0","expires":90000000,"user":1000,\#
        "why":"hotel \"Wi-Fi\"","setAt":30000000},\#
        {"field":"status","value":"unsatisfied","interface":null,"expires":null,"user":4294967295,"why":null,\#
        "setAt":-1}]}
        """#)
    let empty = OverrideFile(bootID: nil, table: OverrideTable())
    #expect(try Self.text(empty) == #"{"version":1,"bootID":null,"overrides":[]}"#)
    for file in [try Self.full(), empty] { #expect(try Self.read(Self.text(file)) == file) }
  }

  @Test func `unknown keys are ignored, and the last of two for the same applies`() throws {
    let file = try Self.read(
      #"""
      {"new":1,"version":1,"overrides":[
        {"field":"isExpensive","value":"true","user":0,"setAt":1,"new":[]},
        {"field":"isExpensive","value":"false","user":0,"setAt":2}]}
      """#)
    #expect(file.bootID == nil)
    #expect(file.table.overrides.map(\.value) == ["false"])
  }

  private static let entry: JSONObject = ["field": "isExpensive", "value": "true", "user": 0, "setAt": 1]

  @Test(
    arguments: [
      ("field", "mtu", "'overrides[1].field' is 'mtu'; allowed: isExpensive, isConstrained, status"),
      ("field", nil, "'overrides[1].field' is missing"),
      ("field", 1, "'overrides[1].field' must be a string, not an integer"),
      ("value", "on", "'overrides[1].value' is wrong: 'on' is not a value of isExpensive; allowed: true, false"),
      ("field", "status", "'overrides[1].value' is wrong: 'true' is not a value of status; allowed: unsatisfied"),
      ("value", nil, "'overrides[1].value' is missing"),
      ("value", true, "'overrides[1].value' must be a string, not a Boolean"),
      ("interface", "", "'overrides[1].interface' is wrong: '' is not the name of an interface: it is empty"),
      ("interface", 1, "'overrides[1].interface' must be a string, not an integer"),
      ("why", "a\nb", "'overrides[1].why' is wrong: the reason contains a control character"),
      ("user", -1, "'overrides[1].user' is -1, which is no user"),
      ("user", 4_294_967_296, "'overrides[1].user' is 4294967296, which is no user"),
      ("user", nil, "'overrides[1].user' is missing"),
      ("user", "root", "'overrides[1].user' must be an integer, not a string"),
      ("setAt", nil, "'overrides[1].setAt' is missing"),
      ("setAt", "now", "'overrides[1].setAt' must be an integer, not a string"),
      ("expires", .integer(1 << 62), "'overrides[1].expires' is 4611686018427387904, which is no moment of this boot"),
      ("expires", .integer(.max), "'overrides[1].expires' is 9223372036854775807, which is no moment of this boot"),
      ("expires", .integer(.min), "'overrides[1].expires' is -9223372036854775808, which is no moment of this boot"),
      ("setAt", .integer(.max), "'overrides[1].setAt' is 9223372036854775807, which is no moment of this boot"),
      ("expires", 1.5, "'overrides[1].expires' must be an integer, not a number with a fraction or out of range"),
    ] as [(String, JSONValue?, String)])
  func `one wrong override makes the file wrong, and is named`(key: String, value: JSONValue?, message: String) {
    var wrong = Self.entry
    wrong[key] = value
    let json: JSONValue = ["version": 1, "overrides": [.object(Self.entry), .object(wrong)]]
    let error = #expect(throws: PathDecodingError.self) { try OverrideFile(json: json) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("[]", "the value must be an object, not an array"), ("{}", "'version' is missing"),
    (#"{"version":2,"overrides":[]}"#, "'version' is '2'; allowed: 1"),
    (#"{"version":"1","overrides":[]}"#, "'version' must be an integer, not a string"),
    (#"{"version":1}"#, "'overrides' is missing"),
    (#"{"version":1,"overrides":{}}"#, "'overrides' must be an array, not an object"),
    (#"{"version":1,"overrides":[7]}"#, "'overrides[0]' must be an object, not an integer"),
    (#"{"version":1,"bootID":7,"overrides":[]}"#, "'bootID' must be a string, not an integer"),
  ])
  func `the error of a file that is none has the reason`(text: String, message: String) {
    let error = #expect(throws: PathDecodingError.self) { try Self.read(text) }
    #expect(error?.description == message)
  }

  @Test func `a file with too many overrides is refused`() {
    let entries = (0...OverrideTable.limit).map { number in
      var entry = Self.entry
      entry["interface"] = .string("eth\(number)")
      return JSONValue.object(entry)
    }
    let json: JSONValue = ["version": 1, "overrides": .array(entries)]
    let error = #expect(throws: PathDecodingError.self) { try OverrideFile(json: json) }
    #expect(error?.key == "overrides[64]")
  }
}
