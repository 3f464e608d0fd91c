package import PathModel

/// A path on its way to subscribers. All who are told the same are handed the same object, so that who encodes it needs
/// to do so only once.
package final class PathUpdate {
  /// The path, with its place in the stream.
  package let path: NetworkPath

  /// The path as it is sent to all subscribers, once somebody has written it.
  package var encoded: [UInt8]?

  /// An update with the path.
  package init(_ path: NetworkPath) {
    self.path = path
  }
}
