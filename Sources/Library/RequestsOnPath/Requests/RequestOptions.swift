public import ConnectivityCore

/// The options of a request that depends on the path.
public struct RequestOptions: Sendable {
  /// The reaction of a request to a path that does not meet the requirement.
  public enum UnmetReaction: Hashable, Sendable {
    /// The request waits, as `waitsForConnectivity` makes it wait on Apple's platforms.
    case wait
    /// The request fails once the path has not met the requirement for 200 ms: a renewal of a lease refuses no request.
    case refuse
    /// The request is made nevertheless, for example because the user wants to try. It is not cancelled because of this
    /// path, which only affects the reason of a failure.
    case proceed
  }

  /// The reaction to a path that does not meet the requirement. By default, the request waits.
  public var whenUnmet: UnmetReaction
  /// The longest time for the wait and the transfer together; `nil` for the session's `timeoutIntervalForResource`.
  /// Foundation itself ignores that value on Linux. It is seven days by default.
  public var timeout: Duration?
  /// The reaction when the path of a transfer is lost, or no longer leads over the interface that the transfer began
  /// on. By default, the transfer is cancelled after two seconds.
  public var onLoss: PathLossReaction
  /// Whether the path must meet the requirement to the end. Otherwise a transfer that has begun goes on as long as
  /// there is a path, even if the path has become expensive.
  public var requiresThroughout: Bool
  /// The monitor that delivers the path; `nil` for a monitor that all requests of the program share.
  ///
  /// The shared monitor follows the way to the Internet, and is not used for requests to this machine itself. For a
  /// server on a network without a way to the Internet, set a monitor that has the server's address among its probes.
  public var monitor: PathMonitor?

  /// Options as given.
  public init(
    whenUnmet: UnmetReaction = .wait, timeout: Duration? = nil, onLoss: PathLossReaction = .standard,
    requiresThroughout: Bool = false, monitor: PathMonitor? = nil
  ) {
    self.whenUnmet = whenUnmet
    self.timeout = timeout
    self.onLoss = onLoss
    self.requiresThroughout = requiresThroughout
    self.monitor = monitor
  }
}
