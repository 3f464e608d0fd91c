package import JSON
package import PathModel

/// The totals of a path in JSON, as `GetHealth` gives them.
extension PathTotals {
  private enum Key: String {
    case changes, outages, unsatisfiedMicroseconds, lastChangeMicroseconds
  }

  /// Appends the totals as one JSON object, the reasons in the order of their names.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// Appends the members of that object, without its braces.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key(Key.changes.rawValue)
    writer.integer(changes)
    writer.key(Key.outages.rawValue)
    writer.integer(outages)
    writer.key(Key.unsatisfiedMicroseconds.rawValue)
    writer.beginObject()
    for (reason, time) in unsatisfiedMicroseconds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.key(reason.rawValue)
      writer.integer(time)
    }
    writer.endObject()
    writer.key(Key.lastChangeMicroseconds.rawValue)
    if let lastChangeMicroseconds { writer.integer(lastChangeMicroseconds) } else { writer.null() }
  }

  /// Decodes totals. Unknown keys are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    self.init()
    changes = try reader.required(.changes, try reader.value(.changes, Self.count))
    outages = try reader.required(.outages, try reader.value(.outages, Self.count))
    let times = try reader.value(.unsatisfiedMicroseconds) { value throws(PathDecodingError) in
      try Self.times(try value.object())
    }
    unsatisfiedMicroseconds = try reader.required(.unsatisfiedMicroseconds, times)
    lastChangeMicroseconds = try reader.value(.lastChangeMicroseconds, Self.count)
  }

  private static func times(_ object: JSONObject) throws(PathDecodingError) -> [UnsatisfiedReason: Int] {
    var times: [UnsatisfiedReason: Int] = [:]
    for member in object.members {
      do throws(PathDecodingError) {
        times[UnsatisfiedReason(rawValue: member.key)] = try count(member.value)
      } catch {
        throw error.inside(member.key)
      }
    }
    return times
  }

  private static func count(_ value: JSONValue) throws(PathDecodingError) -> Int {
    guard let count = value.integerValue, count >= 0 else {
      throw PathDecodingError(key: "", message: "must be an integer that is not negative")
    }
    return Int(count)
  }
}
