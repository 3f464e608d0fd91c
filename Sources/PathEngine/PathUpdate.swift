package import PathModel

/// A path on its way to subscribers. All who are told the same are handed the same object, so that who encodes it needs
/// to do so only once.
package final class PathUpdate: Sendable {
  /// The path, with its place in the stream.
  package let path: NetworkPath

  /// An update with the path.
  package init(_ path: NetworkPath) {
    self.path = path
  }
}
