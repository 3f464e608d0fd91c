extension Reachability {
  /// The kind of connection to the network.
  public enum Connection: CustomStringConvertible, Sendable {
    /// The network is not reachable.
    case unavailable
    /// Anything but a mobile network.
    case wifi
    /// A mobile network.
    case cellular

    /// The former name of `unavailable`.
    @available(*, deprecated, renamed: "unavailable")
    public static var none: Connection { .unavailable }

    /// The connection in words.
    public var description: String {
      switch self {
      case .unavailable: "No Connection"
      case .wifi: "WiFi"
      case .cellular: "Cellular"
      }
    }
  }
}
