import PathModel
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test func `a value prints as compact JSON in the order of its members`() {
    let value: JSONValue = ["b": [1, 1.0, nil, true], "a": "é\n", "c": [:]]
    #expect(value.description == #"{"b":[1,1.0,null,true],"a":"é\n","c":{}}"#)
    #expect(value["b"]?.arrayValue?.count == 4 && value["c"]?["a"] == nil && value["a"]?["a"] == nil)
  }
}

@Suite("JSON objects")
struct JSONObjectTests {
  @Test(arguments: [1, 2, 80])
  func `every key is found in order, when one is set again or removed, too`(count: Int) {
    var object = numbered(count)
    let keys = (0..<count).map { "key\($0)" }
    #expect(object.members.map(\.key) == keys && object.count == count)
    for number in 0..<count { #expect(object["key\(number)"] == .integer(Int64(number))) }
    #expect(object["key\(count)"] == nil && object[""] == nil)
    object["key\(count - 1)"] = "last"
    #expect(object.members.map(\.key) == keys && object.members.last?.value == "last")
    object["key0"] = nil
    object["absent"] = nil
    #expect(object.members.map(\.key) == Array(keys.dropFirst()))
    for number in 1..<max(1, count - 1) { #expect(object["key\(number)"] == .integer(Int64(number))) }
    object["key0"] = "again"
    #expect(object.members.last?.key == "key0" && object["key0"] == "again")
  }

  @Test func `objects are equal when their members are equal and in the same order`() {
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
