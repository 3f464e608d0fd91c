internal import KernelPath
internal import PathEngine
internal import PathModel
internal import SystemIO

/// The path as our own engine finds it.
final class KernelFeed: PathFeed {
  private let engine: PathEngine
  private var subscription: PathEngine.Subscription?

  init(
    loop: EventLoop, _ invocation: Invocation, _ deliver: @escaping (NetworkPath) -> Void
  ) throws(KernelPathError) {
    let (configuration, times) = invocation.engineSettings()
    engine = try PathEngine(loop: loop, configuration: configuration)
    engine.setOverrides(invocation.overrides)
    subscription = engine.subscribe(times, deliver)
  }

  func stop() {
    if let subscription { engine.cancel(subscription) }
    subscription = nil
    engine.stop()
  }
}
