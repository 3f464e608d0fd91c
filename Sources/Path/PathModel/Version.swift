/// The version of PathMonitor, by the rules of Semantic Versioning 2.0.0.
package enum PathMonitorVersion {
  /// The version of this build.
  package static let current = "1.0.0"
}
