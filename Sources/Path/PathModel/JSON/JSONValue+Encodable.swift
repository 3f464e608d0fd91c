/// A value for any `Encoder`, in the form of JSON.
extension JSONValue: Encodable {
  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The value that a writer is given.
  package init(written write: (inout JSONWriter) -> Void) throws(JSONError) {
    var writer = JSONWriter()
    write(&writer)
    try self.init(parsing: writer.bytes)
  }

  /// Encodes the value, and `null` as nil.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: MemberKey.self)
      for member in object.members { try container.encode(member.value, forKey: MemberKey(stringValue: member.key)) }
    case .array(let elements): try elements.encode(to: encoder)
    case .null: try Bool?.none.encode(to: encoder)
    case .boolean(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    }
  }
}
