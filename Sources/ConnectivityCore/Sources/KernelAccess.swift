internal import KernelPath
internal import PathEngine
internal import PathFeeds
internal import PathModel
internal import SystemIO

/// The one engine of a thread, there as long as any of its feeds uses the kernel.
final class KernelAccess {
  private let loop: EventLoop
  private let origin: SourceOrigin
  private var configured: ConfiguredEngine?
  /// Who uses the engine, and is told when what is wrong with its files changes.
  private var users: [ObjectIdentifier: () -> Void] = [:]

  init(loop: EventLoop, origin: SourceOrigin) {
    self.loop = loop
    self.origin = origin
  }

  var engine: PathEngine? { configured?.engine }

  /// What is wrong with the administrator's files; `nil` when nothing is.
  var trouble: PathSourceError? {
    guard let problems = configured?.problems, !problems.isEmpty else { return nil }
    return PathSourceError(.invalidConfiguration, message: problems.joined(separator: " "))
  }

  /// Makes the engine unless it is there. To be followed by ``close(_:)``.
  ///
  /// - Parameter whenTroubleChanges: Called when ``trouble`` is another.
  func open(_ user: AnyObject, whenTroubleChanges: @escaping () -> Void) throws(KernelPathError) {
    if configured == nil {
      // What an administrator has said to the service holds without it too.
      configured = try ConfiguredEngine(
        loop: loop, settings: EngineSettings(probes: origin.probes, settle: nil),
        socket: origin.isSocketNamed ? origin.socketPath : nil,
        report: { [unowned self] _ in for tell in self.users.values { tell() } })
    }
    users[ObjectIdentifier(user)] = whenTroubleChanges
  }

  /// Lets go of the engine when nobody else uses it.
  func close(_ user: AnyObject) {
    users[ObjectIdentifier(user)] = nil
    guard users.isEmpty else { return }
    configured?.stop()
    configured = nil
  }

  /// How long changes rest for who asks for the time; `nil` for what is configured.
  func times(_ settle: Duration?) -> SettleTimes {
    settle.map { SettleTimes($0) } ?? configured?.times ?? .standard
  }
}
