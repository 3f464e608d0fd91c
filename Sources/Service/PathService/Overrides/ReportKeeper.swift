internal import PathDecisions
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Takes the reports of the validator, and drops one when the network is another, or nobody holds it any more.
final class ReportKeeper {
  /// The time after which a verdict is dropped that no call holds. A validator that restarts takes less.
  private static let grace = Duration.seconds(5)

  private let loop: EventLoop
  private let engine: PathEngine
  private var timer: EventLoop.Timer?
  /// The client whose call holds the verdict.
  private var holder: VarlinkConnection?

  init(loop: EventLoop, engine: PathEngine) {
    (self.loop, self.engine) = (loop, engine)
    timer = loop.makeTimer { [unowned self] in
      if holder == nil { self.engine.setReport(nil) }
    }
  }

  /// Removes the timer from the loop. Call it before releasing the keeper.
  func stop() {
    if let timer { loop.remove(timer) }
    (timer, holder) = (nil, nil)
  }

  /// Applies a report on the service's own path, which ``observe(_:)`` sees. One on a path that policy rules give to
  /// its user alone would be dropped at once, and made again.
  ///
  /// - Parameter begun: When its round began, in microseconds since boot; `nil` for one on the present network.
  /// - Throws: The error to reply with, if the path is another one.
  func take(
    _ reported: PathValidation, interface: String, gateways: [IPAddress], begun: Int?
  ) throws(VarlinkError) {
    let path = engine.freshPath()
    let index = path.interfaces.first { $0.name.exact == interface.exact }.map { Int32($0.index) } ?? 0
    let facts = engine.networkFacts
    let routers = Set(gateways.map { $0.scoped(to: nil) })
    var report = ValidationReport(
      interfaceIndex: index, wireless: facts.networkNames[index], gateways: routers, reported)
    guard path.isOver(report), begun ?? .max >= facts.networkLosses[index] ?? 0 else {
      throw .anotherPath(path.status == .satisfied ? path.interfaces.first?.name : nil)
    }
    if reported.isWithdrawal { return engine.setReport(nil) }
    let now = boottimeMicroseconds()
    for place in reported.evidence.indices {
      report.validation.evidence[place].when = min(max(0, reported.evidence[place].when), now)
    }
    let former = facts.report.flatMap {
      $0.validation.state == reported.state && $0.isOfSameNetwork(as: report) ? $0.validation.since : nil
    }
    report.validation.since = former ?? now
    engine.setReport(report)
  }

  /// Replies to a report that was taken. One that no call holds takes the place of a verdict that one does.
  func answer(_ connection: VarlinkConnection, isHeld: Bool) {
    guard isHeld else {
      if engine.networkFacts.report == nil { end() } else if holder == nil { timer?.set(.now.advanced(by: Self.grace)) }
      return connection.reply(VarlinkReply.frame { _ in })
    }
    end()
    holder = connection
    connection.whenCancelled = { [unowned self] in
      holder = nil
      timer?.set(.now.advanced(by: Self.grace))
    }
    connection.replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
  }

  /// Makes the validator ask again, because somebody may sign in now: its call gets another reply.
  func renew() { holder?.replyAndContinue(VarlinkReply.frame(continues: true) { _ in }) }

  /// The reason why the validator has no verdict; `nil` if it has one, or says nothing.
  var note: String? {
    let validation = engine.networkFacts.report?.validation
    return validation?.state == .unknown ? validation?.evidence.first.map { "no validation: \($0.text)" } : nil
  }

  /// Ends the call that holds the verdict.
  private func end(_ error: VarlinkError? = nil) {
    let former = holder
    holder = nil
    timer?.set(nil)
    if let error { former?.fail(error) } else { former?.reply(VarlinkReply.frame { _ in }) }
  }

  /// Drops the report if the path is not that of its network any more.
  func observe(_ path: NetworkPath) {
    if let report = engine.networkFacts.report {
      if path.isOver(report) { return }
      engine.setReport(nil)
    }
    if holder != nil { end(.anotherPath(path.status == .satisfied ? path.interfaces.first?.name : nil)) }
  }
}

extension NetworkPath {
  /// Whether the traffic is carried by the interface of the report, and all routers are among those.
  fileprivate func isOver(_ report: ValidationReport) -> Bool {
    status == .satisfied && report.isAbout(interfaces.first.map { Int32($0.index) }, gateways)
  }
}
