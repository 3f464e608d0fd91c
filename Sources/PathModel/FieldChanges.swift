/// In which fields one path differs from another, with what was found before: networks go to and fro between few states, and
/// copies of two paths differ as these do.
package struct FieldChanges: Sendable {
  private var known: [(earlier: NetworkPath, later: NetworkPath, names: [String])] = []
  private static let limit = 4

  /// Nothing has been found yet.
  package init() {}

  /// The names of the fields in which a path differs from an earlier one, as
  /// ``NetworkPath/fieldsChanged(since:)`` tells them.
  package mutating func names(from earlier: NetworkPath, to later: NetworkPath) -> [String] {
    // By their places: to look at one is not to copy it.
    for index in known.indices where known[index].later.isCopy(of: later) && known[index].earlier.isCopy(of: earlier) {
      return known[index].names
    }
    let found = later.fieldsChanged(since: earlier)
    // What comes and goes has the same names both times: one array is the quicker to compare with.
    let names = known.lazy.map(\.names).first { $0 == found } ?? found
    if known.count == Self.limit { known.removeFirst() }
    known.append((earlier, later, names))
    return names
  }
}
