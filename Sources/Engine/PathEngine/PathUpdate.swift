package import PathModel

/// A path on its way to subscribers. All recipients of an update share one object, so that it is encoded only once.
package final class PathUpdate {
  /// The path, with its place in the stream.
  package let path: NetworkPath

  /// The encoding that is sent to all subscribers; `nil` until one is made.
  package var encoded: [UInt8]?

  /// Creates an update with the path.
  package init(_ path: NetworkPath) {
    self.path = path
  }
}
