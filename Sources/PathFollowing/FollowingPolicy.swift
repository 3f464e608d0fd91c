internal import PathCoding
package import PathModel

/// How a program follows the path: which sources it asks, and how long it waits for them.
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

  /// The usual time that the service may take to answer. It never waits for the network.
  package static let answerLimit = Duration.seconds(2)

  /// The sources that are asked.
  package var sources: Sources
  /// The socket of the service. The overrides of that service hold for the kernel's path, too.
  package var socket: String
  /// The destinations that stand for the Internet in the kernel's path; `nil` for the configured ones.
  package var probes: ProbeAddresses?
  /// The configuration file that counts in place of the usual ones; `nil` for those.
  package var configurationPath: String?

  /// How long the service may take to answer before the kernel is asked meanwhile.
  package var takeOverDelay = Duration.milliseconds(200)
  /// How long the service may take to answer before it is given up.
  package var answerLimit = Self.answerLimit
  /// How long the service may be away before its last path is stale.
  package var lossDelay = Duration.seconds(2)
  /// The pause after the first failure to connect; each further one is twice as long as the one before.
  package var shortestPause = Duration.milliseconds(50)
  /// The longest pause between two attempts. A socket that appears is connected to at once.
  package var longestPause = Duration.seconds(60)
  /// How long after a failure the kernel is asked again.
  package var kernelPause = Duration.seconds(5)

  /// A policy with the usual times.
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
