import PathTestSupport
import Testing

@testable import PathModel

/// The tables of fields: a property without a row, and a row with another property, fail here.
@Suite("Tables of fields")
struct FieldTableTests {
  private static func json(_ field: (key: String, type: String)) throws -> JSONValue {
    try JSONValue(parsing: Array(ExampleJSON.value(field.key, field.type).utf8))
  }

  private static func written(_ object: some FieldObject) throws -> JSONObject {
    try #require(try JSONValue(written: { object.write(to: &$0) }).objectValue)
  }

  /// The properties of an object with their values in words. Those of the traffic are properties of the state.
  private static func properties(of object: Any) -> [(name: String, value: String)] {
    Mirror(reflecting: object).children.flatMap { child in
      child.value is NetworkPath.Traffic
        ? properties(of: child.value) : [(child.label ?? "", String(reflecting: child.value))]
    }
  }

  /// Checks each row by an object that has nothing but a value of this field.
  ///
  /// - Parameter computed: The keys of fields that are part of another property.
  private static func check<Object: FieldObject>(_ type: Object.Type, computed: [String] = []) throws {
    let blank = properties(of: Object.blank)
    #expect(blank.map(\.name) == Object.fields.map(\.key).filter { !computed.contains($0) }, "\(type) and its table")
    for field in Object.fields where !computed.contains(field.key) {
      let value = try json((field.key, field.type))
      var object = Object.blank
      try field.read(&object, value)
      let changed = zip(blank, properties(of: object)).filter { $0.value != $1.value }.map(\.0.name)
      #expect(changed == [field.key], "\(type).\(field.key) is the field of another property")
      #expect(field.differs(object, .blank) && !field.differs(object, object))
      var expected = try written(Object.blank)
      expected[field.key] = value
      #expect(try written(object) == expected)
    }
  }

  @Test func `each property has a row, which reads, writes and compares it and no other`() throws {
    try Self.check(NetworkPath.State.self, computed: ["gatewayScopes"])
    try Self.check(NetworkInterface.self)
    try Self.check(Cost.self)
    try Self.check(Evidence.self)
    try Self.check(Diagnosis.self)
    try Self.check(PathValidation.self)
    try Self.check(PathValidation.Observation.self)
  }
}
