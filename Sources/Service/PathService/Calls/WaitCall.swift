internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// One call of `WaitForPath`, answered when the path meets the requirement or the time is over.
final class WaitCall {
  private let connection: VarlinkConnection
  /// The service retains the call through its connection until the call ends.
  private let service: PathService
  private let requirement: PathRequirement
  private var subscription: PathEngine.Subscription?
  private var timer: EventLoop.Timer?
  private var latest = NetworkPath.unknown
  private var isAnswered = false

  init(_ connection: VarlinkConnection, _ requirement: PathRequirement, service: PathService) {
    self.connection = connection
    self.requirement = requirement
    self.service = service
  }

  /// Checks the path, and waits for another if it does not meet the requirement.
  func start(_ times: SettleTimes, timeout: Duration?) throws(PathEngine.TooManyUserClasses) {
    subscription = try service.engine.subscribe(StreamParameters(times), user: connection.peer.user) {
      [unowned self] in self.look(at: $0.path)
    }
    if isAnswered { return end() }
    connection.whenCancelled = { [self] in end() }
    // The connection may have closed while the first path was delivered.
    if connection.isClosed { return end() }
    guard let timeout else { return }
    timer = service.loop.makeTimer { [unowned self] in self.giveUp() }
    timer?.set(.now.advanced(by: timeout))
  }

  private func look(at path: NetworkPath) {
    latest = path
    guard !isAnswered, requirement.verdict(on: path) == .met else { return }
    answer(PathFrame.reply(requirement.applied(to: path), by: &service.pathWriter))
  }

  private func giveUp() {
    answer(PathFrame.timedOut(requirement.applied(to: latest)))
  }

  private func answer(_ frame: [UInt8]) {
    isAnswered = true
    // The connection retains this call and releases it with the reply.
    withExtendedLifetime(self) {
      end()
      connection.reply(frame)
    }
  }

  private func end() {
    if let timer { service.loop.remove(timer) }
    timer = nil
    if let subscription { service.engine.cancel(subscription) }
    subscription = nil
  }
}
