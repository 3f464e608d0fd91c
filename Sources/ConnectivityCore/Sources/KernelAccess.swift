internal import KernelPath
internal import PathEngine
internal import PathFeeds
internal import PathModel
internal import SystemIO

/// The one engine of a thread, there as long as any of its feeds uses the kernel.
final class KernelAccess {
  private let loop: EventLoop
  private let origin: SourceOrigin
  private(set) var engine: PathEngine?
  private var users = 0
  private var configuredTimes = SettleTimes.standard

  init(loop: EventLoop, origin: SourceOrigin) {
    self.loop = loop
    self.origin = origin
  }

  /// Makes the engine unless it is there. To be followed by ``close()``.
  func open() throws(KernelPathError) {
    if engine == nil {
      let settings = EngineSettings(probes: origin.probes, settle: nil)
      let engine = try PathEngine(loop: loop, configuration: settings.configuration)
      // What an administrator has said to the service holds without it too.
      engine.setOverrides(EngineSettings.overrides(forSocket: origin.isSocketNamed ? origin.socketPath : nil))
      configuredTimes = settings.times
      self.engine = engine
    }
    users += 1
  }

  /// Lets go of the engine when nobody else uses it.
  func close() {
    users -= 1
    guard users == 0 else { return }
    engine?.stop()
    engine = nil
  }

  /// How long changes rest for who asks for the time; `nil` for what is configured.
  func times(_ settle: Duration?) -> SettleTimes {
    settle.map { SettleTimes($0) } ?? configuredTimes
  }
}
