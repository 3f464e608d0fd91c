internal import PathEngine
internal import SystemIO
internal import Varlink

/// A subscriber: one call of `WatchPath`, answered with a stream of paths.
///
/// Only the newest update waits for a client that has not read the one before, and other clients are not delayed.
final class WatchCall {
  private let connection: VarlinkConnection
  /// The service retains the call through the engine until the call ends.
  private let service: PathService
  private var subscription: PathEngine.Subscription?
  private var parameters: StreamParameters?
  private var sent: PathUpdate?
  private var waiting: PathUpdate?

  init(_ connection: VarlinkConnection, service: PathService) {
    self.connection = connection
    self.service = service
  }

  /// Subscribes, and replies with the first path before it returns.
  ///
  /// - Throws: The error to reply with when the limit of streams or of user classes is reached.
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
    // The connection may have closed while the first path was sent.
    if connection.isClosed { end() }
  }

  private func end() {
    if let subscription { service.engine.cancel(subscription) }
    subscription = nil
    if let parameters { service.streams.remove(parameters, of: connection.peer.user) }
    parameters = nil
  }

  private func deliver(_ update: PathUpdate) {
    if waiting != nil {
      service.skipped += 1
    } else if connection.isDrained {
      return send(update)
    } else {
      connection.whenDrained { [unowned self] in self.sendWaiting() }
    }
    waiting = update
  }

  private func sendWaiting() {
    guard let update = waiting else { return }
    waiting = nil
    // The path may have returned to the one that was sent last.
    if update.path == sent?.path { service.skipped += 1 } else { send(update) }
  }

  private func send(_ update: PathUpdate) {
    sent = update
    connection.replyAndContinue(service.frame(of: update))
  }
}
