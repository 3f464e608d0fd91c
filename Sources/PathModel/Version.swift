/// The version of PathMonitor, by the rules of Semantic Versioning 2.0.0.
public enum PathMonitorVersion {
  /// The version of this build.
  public static let current = "0.1.0"
}
