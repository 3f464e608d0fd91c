internal import KernelPath
internal import PathConfiguration
internal import PathEngine
internal import PathModel
package import SystemIO

/// The one engine of the followers on a loop. It exists as long as any of them follows the kernel.
package final class SharedEngine {
  private let loop: EventLoop
  private let policy: FollowingPolicy
  private let report: ([String]) -> Void
  private var configured: ConfiguredEngine?
  /// The followers that use the engine, with the calls that are due when ``trouble`` has changed.
  private var users: [(identity: ObjectIdentifier, notify: () -> Void)] = []

  /// Makes no engine yet.
  ///
  /// - Parameters:
  ///   - policy: The policy of the followers.
  ///   - report: Called with each fault of the administrator's files that was not there before.
  package init(loop: EventLoop, policy: FollowingPolicy, report: @escaping ([String]) -> Void = { _ in }) {
    self.loop = loop
    self.policy = policy
    self.report = report
  }

  var engine: PathEngine? { configured?.engine }

  /// The faults of the administrator's files; `nil` when there are none.
  var trouble: PathSourceError? {
    guard let problems = configured?.problems, !problems.isEmpty else { return nil }
    return PathSourceError(.invalidConfiguration, message: problems.joined(separator: " "))
  }

  /// Makes the engine unless it exists. To be followed by ``close(_:)`` before the user opens it again.
  ///
  /// - Parameter whenTroubleChanges: Called when ``trouble`` has changed.
  func open(_ user: AnyObject, whenTroubleChanges: @escaping () -> Void) throws(PathSourceError) {
    if configured == nil {
      do throws(KernelPathError) {
        configured = try ConfiguredEngine(
          loop: loop,
          settings: EngineSettings(probes: policy.probes, settle: nil, configurationPath: policy.configurationPath),
          socket: policy.socket,
          report: { [unowned self] fresh in
            self.report(fresh)
            for user in self.users { user.notify() }
          })
      } catch {
        throw PathSourceError(error)
      }
    }
    users.append((ObjectIdentifier(user), whenTroubleChanges))
  }

  /// Releases the engine when no other follower uses it.
  func close(_ user: AnyObject) {
    users.removeAll { $0.identity == ObjectIdentifier(user) }
    guard users.isEmpty else { return }
    configured?.stop()
    configured = nil
  }

  /// The settle times for a follower; `nil` for the configured ones.
  func times(_ settle: Duration?) -> SettleTimes {
    settle.map { SettleTimes($0) } ?? configured?.times ?? .standard
  }
}
