internal import PathDecisions
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Takes the reports of the validator, and drops one when the path is another.
final class ReportKeeper {
  private let engine: PathEngine
  /// The path of the latest report: its interface and its routers; `nil` without a report.
  private var subject: (interface: String, gateways: Set<IPAddress>)?

  init(engine: PathEngine) { self.engine = engine }

  /// Applies a report on the path of its user.
  ///
  /// - Throws: The error to reply with, if the path is another one.
  func take(
    _ reported: PathValidation, interface: String, gateways: [IPAddress], by user: UInt32
  ) throws(VarlinkError) {
    let path = engine.freshPath(of: user)
    let routers = Set(gateways.map { $0.scoped(to: nil) })
    guard path.isOver(interface, routers), let first = path.interfaces.first else {
      throw .anotherPath(path.status == .satisfied ? path.interfaces.first?.name : nil)
    }
    guard reported.state != .unknown else { return drop() }
    let (index, networks) = (Int32(first.index), engine.networkFacts)
    let now = boottimeMicroseconds()
    var report = ValidationReport(
      interfaceIndex: index, wireless: networks.networkNames[index], gateways: routers, reported)
    for place in reported.evidence.indices {
      report.validation.evidence[place].when = min(max(0, reported.evidence[place].when), now)
    }
    let former = networks.report.flatMap {
      $0.validation.state == reported.state && $0.isOfSameNetwork(as: report) ? $0.validation.since : nil
    }
    report.validation.since = former ?? now
    subject = (interface, routers)
    engine.setReport(report)
  }

  /// Drops the report if the path is not that of its network any more.
  func observe(_ path: NetworkPath) {
    guard let subject, !path.isOver(subject.interface, subject.gateways) else { return }
    drop()
  }

  private func drop() {
    subject = nil
    engine.setReport(nil)
  }
}

extension NetworkPath {
  /// Whether the traffic is carried by the interface, and all routers are among those.
  fileprivate func isOver(_ interface: String, _ gateways: Set<IPAddress>) -> Bool {
    status == .satisfied && interfaces.first?.name.exact == interface.exact
      && self.gateways.allSatisfy { gateways.contains($0.scoped(to: nil)) }
  }
}
