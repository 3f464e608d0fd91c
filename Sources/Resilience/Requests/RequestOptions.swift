public import ConnectivityCore

/// How a request goes with the path.
public struct RequestOptions: Sendable {
  /// What becomes of a request while the path is not as required.
  public enum UnmetReaction: Hashable, Sendable {
    /// It waits, as `waitsForConnectivity` makes it on Apple's platforms.
    case wait
    /// It fails, at once when the path has been so for 200 ms, or else after that time: a lease that is renewed refuses
    /// nothing.
    case refuse
    /// It is made all the same, and nothing is lost for it: for somebody who asks to try. The path counts for the reason
    /// of a failure only.
    case proceed
  }

  /// What becomes of the request while the path is not as required. It waits, unless you say otherwise.
  public var whenUnmet: UnmetReaction
  /// How long waiting and the transfer may take together; `nil` for the session's `timeoutIntervalForResource`, which
  /// Foundation itself ignores on Linux, and which is seven days unless somebody has set it.
  public var timeout: Duration?
  /// What becomes of a transfer whose path is lost, or no longer leads over the interface that it began on. It is
  /// cancelled after two seconds, unless you say otherwise.
  public var onLoss: PathLossReaction
  /// Whether the path has to stay as required to the end. Otherwise a transfer that has begun goes on as long as there
  /// is a path, even if that has become expensive.
  public var requiresThroughout: Bool
  /// Who tells the path; `nil` for a monitor that all requests of the program share.
  ///
  /// That one looks at the way to the Internet, and not at all at requests to this machine itself. For a server on a
  /// network without a way to the Internet, give a monitor that has the server's address among its probes.
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
