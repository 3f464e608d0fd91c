import PathModel
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test func `an accessor gives its own kind of value and nil for every other`() {
    let values: [JSONValue] = [nil, true, 7, 1.5, "text", [1], ["a": 1]]
    #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
    #expect(values.map(\.booleanValue) == [nil, true, nil, nil, nil, nil, nil])
    #expect(values.map(\.integerValue) == [nil, nil, 7, nil, nil, nil, nil])
    #expect(values.map(\.stringValue) == [nil, nil, nil, nil, "text", nil, nil])
    #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, nil, [1], nil])
    #expect(values.map(\.objectValue) == [nil, nil, nil, nil, nil, nil, ["a": 1]])
  }

  @Test func `nested members are reached by keys, and a missing one or another kind gives nil`() {
    let value: JSONValue = ["path": ["status": "satisfied", "cost": nil]]
    #expect(value["path"]?["status"]?.stringValue == "satisfied")
    #expect(value["path"]?["cost"] == .some(.null))
    #expect(value["path"]?["absent"] == nil)
    #expect(value["path"]?["status"]?["deeper"] == nil)
    #expect(JSONValue.array([])["path"] == nil)
  }

  @Test func `a value prints as compact JSON in the order of its members`() {
    let value: JSONValue = ["b": [1, 1.0, nil, true], "a": "é\n", "c": [:]]
    #expect(value.description == #"{"b":[1,1.0,null,true],"a":"é\n","c":{}}"#)
  }

  @Test func `integers and numbers are different values`() {
    #expect(JSONValue.integer(1) != .number(1))
  }
}

@Suite("JSON objects")
struct JSONObjectTests {
  @Test(arguments: [1, 2, 80])
  func `every key is found, in order`(count: Int) {
    let object = numbered(count)
    #expect(object.count == count)
    #expect(object.members.map(\.key) == (0..<count).map { "key\($0)" })
    for number in 0..<count { #expect(object["key\(number)"] == .integer(Int64(number))) }
    #expect(object["key\(count)"] == nil)
    #expect(object[""] == nil)
  }

  @Test(arguments: [1, 2, 80])
  func `setting a key again replaces its value and keeps its place`(count: Int) {
    var object = numbered(count)
    object["key0"] = "new"
    object["key\(count - 1)"] = "last"
    #expect(object.count == count)
    #expect(object.members.first?.key == "key0")
    #expect(object.members.last?.value == "last")
  }

  @Test(arguments: [1, 2, 80])
  func `removing a key keeps the others and their order`(count: Int) {
    var object = numbered(count)
    object["key0"] = nil
    object["absent"] = nil
    #expect(object.members.map(\.key) == (1..<count).map { "key\($0)" })
    for number in 1..<count { #expect(object["key\(number)"] == .integer(Int64(number))) }
    object["key0"] = "again"
    #expect(object.members.last?.key == "key0")
    #expect(object["key0"] == "again")
  }

  @Test func `objects are equal when their members are equal and in the same order`() {
    #expect(JSONObject() == [:])
    #expect(JSONObject().isEmpty)
    #expect(["a": 1, "b": 2] as JSONObject == ["a": 1, "b": 2])
    #expect(["a": 1, "b": 2] as JSONObject != ["b": 2, "a": 1])
    #expect(["a": 1] as JSONObject != ["a": 2])
    #expect(["a": 1, "a": 2] as JSONObject == ["a": 2])
  }

  @Test func `of duplicate keys in a text the last value counts, and setting or removing the key leaves no other`()
    throws
  {
    let text = Array(#"{"a":1,"b":2,"\u0061":3,"c":4}"#.utf8)
    var object = try #require(try JSONValue(parsing: text).objectValue)
    #expect(object["a"] == 3)
    #expect(object.members.map(\.key) == ["a", "b", "a", "c"])
    object["a"] = 5
    #expect(object["a"] == 5)
    object["a"] = nil
    #expect(object == ["b": 2, "c": 4])
  }

  @Test(arguments: [0, 20])
  func `keys of different bytes are different even when they are canonically equivalent`(others: Int) {
    var object = numbered(others)
    object["\u{E9}"] = 1
    #expect(object["e\u{301}"] == nil)
    object["e\u{301}"] = 2
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  private func numbered(_ count: Int) -> JSONObject {
    var object = JSONObject()
    for number in 0..<count { object["key\(number)"] = .integer(Int64(number)) }
    return object
  }
}
