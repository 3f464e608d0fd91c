internal import PathEngine
internal import SystemIO
internal import Varlink

/// A subscriber: one call of `WatchPath` that is answered with a stream of paths.
///
/// At most one update waits for a client that is slow: the newest. Others are not delayed by it.
final class WatchCall {
  private let connection: VarlinkConnection
  /// The service holds its calls too, through the engine: one that ends is let go.
  private let service: PathService
  private var subscription: PathEngine.Subscription?
  private var parameters: StreamParameters?
  private var sent: PathUpdate?
  private var waiting: PathUpdate?

  init(_ connection: VarlinkConnection, service: PathService) {
    self.connection = connection
    self.service = service
  }

  /// Subscribes; the first path is replied before this returns.
  ///
  /// - Throws: The error to answer with when the user follows too many streams already.
  func start(_ parameters: StreamParameters) throws(VarlinkError) {
    let user = connection.peer.user
    guard service.streams.add(parameters, of: user) else { throw .limitReached("streams", StreamShares.perUser) }
    do throws(PathEngine.TooManyUserClasses) {
      subscription = try service.engine.subscribe(parameters, user: user) { [self] in deliver($0) }
    } catch {
      service.streams.remove(parameters, of: user)
      throw .limitReached("userClasses", error.limit)
    }
    self.parameters = parameters
    connection.whenCancelled = { [self] in end() }
    // The client may have gone while it was told for the first time.
    if connection.isClosed { end() }
  }

  private func end() {
    if let subscription { service.engine.cancel(subscription) }
    subscription = nil
    if let parameters { service.streams.remove(parameters, of: connection.peer.user) }
    parameters = nil
  }

  private func deliver(_ update: PathUpdate) {
    if connection.isDrained { return send(update) }
    if waiting == nil {
      connection.whenDrained = { [unowned self] in self.sendWaiting() }
    } else {
      service.skipped += 1
    }
    waiting = update
  }

  private func sendWaiting() {
    guard let update = waiting else { return }
    waiting = nil
    // The path may have gone back to what the client was told last.
    if update.path == sent?.path { service.skipped += 1 } else { send(update) }
  }

  private func send(_ update: PathUpdate) {
    sent = update
    connection.replyAndContinue(service.frame(of: update))
  }
}
