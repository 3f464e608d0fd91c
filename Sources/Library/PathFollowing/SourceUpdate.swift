package import PathModel

/// An update from a source of paths.
package enum SourceUpdate: Sendable {
  /// The path.
  case path(NetworkPath)
  /// The source cannot be asked at the moment, so that the last path is stale. That is not worth an update yet.
  case interrupted(PathSourceError)
  /// The source cannot be asked, and its absence has lasted: every subscriber gets a stale path.
  case lost(PathSourceError)
  /// Something is wrong although the path is known; `nil` when nothing is wrong any more.
  case trouble(PathSourceError?)
}
