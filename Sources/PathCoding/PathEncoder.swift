package import JSON
package import PathModel

/// Writes one path after another, and remembers what it wrote: networks go to and fro between few states, and only the
/// place in the stream is another each time.
package struct PathEncoder: Sendable {
  /// Paths, as they were written up to the key of their number.
  private var known: [(path: NetworkPath, members: [UInt8])] = []
  /// Lists of changed fields, as they were written.
  private var lists: [(names: [String], member: [UInt8])] = []
  private static let limit = 4

  /// An encoder that remembers nothing yet.
  package init() {}

  /// Appends the path as one JSON object, as ``PathModel/NetworkPath/write(to:)`` does.
  package mutating func write(_ path: NetworkPath, to writer: inout JSONWriter) {
    writer.beginObject()
    if let index = place(of: path) {
      writer.members(known[index].members, endsWithKey: true)
      return writePlace(of: path, to: &writer)
    }
    let start = writer.bytes.count
    path.writeState(to: &writer)
    writer.key(.sequence)
    if known.count == Self.limit { known.removeFirst() }
    known.append((path, Array(writer.bytes[start...])))
    writePlace(of: path, to: &writer)
  }

  /// Where a path that reads the same is known, with the path itself then: a copy of it is found sooner.
  private mutating func place(of path: NetworkPath) -> Int? {
    if let index = known.firstIndex(where: { $0.path.isCopy(of: path) }) { return index }
    guard let index = known.firstIndex(where: { $0.path.reads(like: path) }) else { return nil }
    known[index].path = path
    return index
  }

  /// Goes on after the key of the number.
  private mutating func writePlace(of path: NetworkPath, to writer: inout JSONWriter) {
    path.writeNumberAndTime(to: &writer)
    for index in lists.indices where lists[index].names == path.changed {
      writer.members(lists[index].member)
      return writer.endObject()
    }
    let start = writer.bytes.count
    path.writeChanged(to: &writer)
    if lists.count == Self.limit { lists.removeFirst() }
    lists.append((path.changed, Array(writer.bytes[start...])))
    writer.endObject()
  }
}

extension NetworkPath {
  /// Whether the other is equal, with the texts of the evidence, which `==` leaves out.
  fileprivate func reads(like other: NetworkPath) -> Bool {
    guard self == other else { return false }
    guard let cost, let otherCost = other.cost else { return true }
    return zip(cost.evidence, otherCost.evidence).allSatisfy { $0.text == $1.text }
  }
}
