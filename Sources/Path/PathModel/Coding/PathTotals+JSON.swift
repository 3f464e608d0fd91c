/// The totals of a path in JSON, as `GetHealth` gives them.
extension PathTotals {
  private enum Key: String, CaseIterable {
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
    writer.members(of: Key.self) { key, writer in
      switch key {
      case .changes: writer.integer(changes)
      case .outages: writer.integer(outages)
      case .unsatisfiedMicroseconds:
        writer.beginObject()
        for (reason, time) in unsatisfiedByReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          writer.key(reason.rawValue)
          writer.integer(time)
        }
        writer.endObject()
      case .lastChangeMicroseconds: if let lastChange { writer.integer(lastChange) } else { writer.null() }
      }
    }
  }

  /// Decodes totals. Unknown keys are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    self.init()
    changes = try reader.required(.changes, try reader.value(.changes, Self.count))
    outages = try reader.required(.outages, try reader.value(.outages, Self.count))
    let times = try reader.value(.unsatisfiedMicroseconds, Self.times)
    unsatisfiedByReason = try reader.required(.unsatisfiedMicroseconds, times)
    lastChange = try reader.value(.lastChangeMicroseconds, Self.count)
  }

  private static func times(_ value: JSONValue) throws(PathDecodingError) -> [UnsatisfiedReason: Int64] {
    var times: [UnsatisfiedReason: Int64] = [:]
    for member in try value.object().members {
      do throws(PathDecodingError) {
        times[UnsatisfiedReason(rawValue: member.key)] = try count(member.value)
      } catch {
        throw error.inside(member.key)
      }
    }
    return times
  }

  private static func count(_ value: JSONValue) throws(PathDecodingError) -> Int64 {
    guard let count = value.integerValue, count >= 0 else {
      throw PathDecodingError(key: "", message: "must be an integer that is not negative")
    }
    return count
  }
}
