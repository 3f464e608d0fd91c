extension Reachability {
  /// What the network is reached over.
  public enum Connection: CustomStringConvertible, Sendable {
    /// It is not.
    case unavailable
    /// Anything but a mobile network.
    case wifi
    /// A mobile network.
    case cellular

    /// The former name of `unavailable`.
    @available(*, deprecated, renamed: "unavailable")
    public static var none: Connection { .unavailable }

    /// The connection as people read it.
    public var description: String {
      switch self {
      case .unavailable: "No Connection"
      case .wifi: "WiFi"
      case .cellular: "Cellular"
      }
    }
  }
}
