internal import PathDecisions
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Takes the reports of the validator, and drops one when the path is another.
struct ReportKeeper {
  let engine: PathEngine

  /// Applies a report on the service's own path, which ``observe(_:)`` sees. One on a path that policy rules give to
  /// its user alone would be dropped at once, and made again.
  ///
  /// - Throws: The error to reply with, if the path is another one.
  func take(_ reported: PathValidation, interface: String, gateways: [IPAddress]) throws(VarlinkError) {
    let path = engine.freshPath()
    let index = path.interfaces.first { $0.name.exact == interface.exact }.map { Int32($0.index) } ?? 0
    let wireless = engine.networkFacts.networkNames[index]
    let routers = Set(gateways.map { $0.scoped(to: nil) })
    var report = ValidationReport(interfaceIndex: index, wireless: wireless, gateways: routers, reported)
    guard path.isOver(report) else {
      throw .anotherPath(path.status == .satisfied ? path.interfaces.first?.name : nil)
    }
    guard reported.state != .unknown else { return engine.setReport(nil) }
    let now = boottimeMicroseconds()
    for place in reported.evidence.indices {
      report.validation.evidence[place].when = min(max(0, reported.evidence[place].when), now)
    }
    let former = engine.networkFacts.report.flatMap {
      $0.validation.state == reported.state && $0.isOfSameNetwork(as: report) ? $0.validation.since : nil
    }
    report.validation.since = former ?? now
    engine.setReport(report)
  }

  /// Drops the report if the path is not that of its network any more.
  func observe(_ path: NetworkPath) {
    if let report = engine.networkFacts.report, !path.isOver(report) { engine.setReport(nil) }
  }
}

extension NetworkPath {
  /// Whether the traffic is carried by the interface of the report, and all routers are among those.
  fileprivate func isOver(_ report: ValidationReport) -> Bool {
    status == .satisfied && report.isAbout(interfaces.first.map { Int32($0.index) }, gateways)
  }
}
