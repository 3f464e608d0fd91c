package import PathModel

/// The way in which a program follows the path: the sources that it asks, and the time that it waits for them.
///
/// Followers with equal policies can share a loop and an engine.
package struct FollowingPolicy: Hashable, Sendable {
  /// The sources of a path.
  package enum Sources: Hashable, Sendable {
    /// The service alone. While it is away, the last path is stale.
    case service
    /// The kernel alone.
    case kernel
    /// The service, and the kernel while the service is away.
    case serviceOrKernel
  }

  /// The default time limit for an answer of the service, which never waits for the network.
  package static let answerLimit = Duration.seconds(2)

  /// The sources that are asked.
  package var sources: Sources
  /// The socket of the service. The overrides of that service also apply to the kernel's path.
  package var socket: String
  /// The destinations that stand for the Internet in the kernel's path; `nil` for the configured ones.
  package var probes: ProbeAddresses?
  /// The configuration file that is read in place of the usual ones; `nil` for those.
  package var configurationPath: String?

  /// The time without an answer of the service after which the kernel is asked, too.
  package var takeOverDelay = Duration.milliseconds(200)
  /// The time without an answer of the service after which the session is given up. When a session ends that has lasted
  /// as long, the next one begins at once.
  package var answerLimit = Self.answerLimit
  /// The time without the service after which its last path is delivered as stale.
  package var lossDelay = Duration.seconds(2)
  /// The pause after the first failure to connect; each further one is twice as long as the one before.
  package var shortestPause = Duration.milliseconds(50)
  /// The longest pause between two attempts. A new socket ends the pause at once, but for a user without an inotify
  /// instance left: the pause is then as long as the service may stay unnoticed.
  package var longestPause = Duration.seconds(10)
  /// The pause before the kernel is asked again after a failure.
  package var kernelPause = Duration.seconds(5)

  /// Creates a policy with the default times.
  ///
  /// - Parameters:
  ///   - sources: The sources that are asked.
  ///   - socket: The socket of the service; `nil` for the usual one.
  ///   - probes: The destinations that stand for the Internet; `nil` for the configured ones.
  ///   - configurationPath: The configuration file; `nil` for the usual ones.
  package init(
    _ sources: Sources, socket: String?, probes: ProbeAddresses? = nil, configurationPath: String? = nil
  ) {
    self.sources = sources
    self.socket = socket ?? PathMonitorInterface.socketPath
    self.probes = probes
    self.configurationPath = configurationPath
  }

  /// Whether the service is asked.
  package var asksService: Bool { sources != .kernel }
  /// Whether the kernel is asked, at least while the service is away.
  package var asksKernel: Bool { sources != .service }
}
