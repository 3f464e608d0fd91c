internal import KernelPath
internal import PathEngine
internal import PathFeeds
internal import PathModel
internal import SystemIO

/// The path as our own engine finds it.
final class KernelFeed: PathFeed {
  private let configured: ConfiguredEngine
  private var subscription: PathEngine.Subscription?

  init(
    loop: EventLoop, _ invocation: Invocation, _ deliver: @escaping (NetworkPath) -> Void
  ) throws(KernelPathError) {
    configured = try ConfiguredEngine(
      loop: loop, settings: invocation.engineSettings, socket: invocation.namedSocket,
      report: { $0.forEach(PathControl.complain) })
    subscription = configured.engine.subscribe(configured.times, deliver)
  }

  func stop() {
    if let subscription { configured.engine.cancel(subscription) }
    subscription = nil
    configured.stop()
  }
}
