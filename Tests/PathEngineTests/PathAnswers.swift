import KernelTestSupport
import PathEngine
import PathModel
import SystemIO

/// The answers about the path of this thread's namespace: of a service, of its stream, and of the kernel.
final class PathAnswers {
  private let loop: EventLoop
  private let engine: PathEngine
  private var latest: NetworkPath?

  init() throws {
    loop = try EventLoop()
    engine = try PathEngine(loop: loop)
    _ = engine.subscribe(.immediate) { [unowned self] in latest = $0 }
  }

  func close() { engine.stop() }

  /// The present answers, by their sources.
  func present() throws -> [(source: String, path: NetworkPath)] {
    let asked = engine.freshPath()
    // An answer that finds a change comes one turn of the loop before the deliveries of it.
    try loop.runOnce(until: .now)
    let direct = try PathReader(isFollowing: false).path()
    return [("asked of the service", asked), ("asked of the kernel", direct), ("the stream", latest ?? .unknown)]
  }

  /// Searches for a contradiction until there is none or time is up; returns the last one.
  func contradiction(within limit: Duration, _ search: () throws -> String?) throws -> String? {
    var found: String?
    let isRight = try loop.run(within: limit) {
      found = try search()
      return found == nil
    }
    return isRight ? nil : found
  }
}
