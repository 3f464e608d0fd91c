package import JSON
package import PathModel

/// The totals of a path in JSON, as `GetHealth` gives them.
extension PathTotals {
  /// Appends the totals as one JSON object, the reasons in the order of their names.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// Appends the members of that object, without its braces.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("changes")
    writer.integer(changes)
    writer.key("outages")
    writer.integer(outages)
    writer.key("unsatisfiedMicroseconds")
    writer.beginObject()
    for (reason, time) in unsatisfiedMicroseconds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.key(reason.rawValue)
      writer.integer(time)
    }
    writer.endObject()
    writer.key("lastChangeMicroseconds")
    if let lastChangeMicroseconds { writer.integer(lastChangeMicroseconds) } else { writer.null() }
  }

  /// Decodes totals. Unknown keys are ignored.
  ///
  /// - Parameter place: The place of the value, for the error.
  package init(json value: JSONValue, at place: String) throws(PathDecodingError) {
    guard let object = value.objectValue else { throw PathDecodingError(key: place, message: "must be an object") }
    self.init()
    changes = try Self.count("changes", in: object, at: place)
    outages = try Self.count("outages", in: object, at: place)
    guard let times = object["unsatisfiedMicroseconds"]?.objectValue else {
      throw PathDecodingError(key: "\(place).unsatisfiedMicroseconds", message: "must be an object")
    }
    for member in times.members {
      unsatisfiedMicroseconds[UnsatisfiedReason(rawValue: member.key)] = try Self.count(
        member.key, in: times, at: "\(place).unsatisfiedMicroseconds")
    }
    if let last = object["lastChangeMicroseconds"], !last.isNull {
      lastChangeMicroseconds = try Self.count("lastChangeMicroseconds", in: object, at: place)
    }
  }

  private static func count(
    _ key: String, in object: JSONObject, at place: String
  ) throws(PathDecodingError) -> Int {
    guard let value = object[key]?.integerValue, value >= 0 else {
      throw PathDecodingError(key: "\(place).\(key)", message: "must be an integer that is not negative")
    }
    return Int(value)
  }
}
