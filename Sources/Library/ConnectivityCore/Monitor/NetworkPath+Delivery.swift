internal import PathModel

extension NetworkPath {
  /// Makes a known path stale, because the source does not confirm it any more.
  mutating func becomeStale() {
    if knowledge == .known { knowledge = .stale }
  }

  /// The path as a program that saves data wants to see it. An unknown path stays as it is.
  var savingData: NetworkPath {
    if knowledge == .unknown { return self }
    var path = self
    for index in path.interfaces.indices { path.interfaces[index].isConstrained = true }
    guard status == .satisfied else { return path }
    path.isConstrained = true
    path.cost?.isConstrained = true
    path.cost?.evidence.insert(Evidence(.program, .constrained, .user, "this program saves data"), at: 0)
    return path
  }

  /// The path as the first one of a receiver: without changed fields.
  var asFirst: NetworkPath {
    var first = self
    first.changed = []
    return first
  }
}
