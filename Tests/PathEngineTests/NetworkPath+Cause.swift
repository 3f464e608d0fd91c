import PathModel

extension NetworkPath {
  /// The path without its cause, which evaluations do not have: the engine adds it.
  var withoutCause: NetworkPath {
    var path = self
    path.diagnosis = nil
    return path
  }
}
