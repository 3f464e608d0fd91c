import Synchronization

/// The report that all pages show. Its parts come from the path and from the presenter.
final class ReportBoard: Sendable {
  private let report: Mutex<Report>
  private let publish: @Sendable (String) -> Void

  /// A board that publishes each new report, as JSON, by the closure.
  init(_ report: Report, publish: @escaping @Sendable (_ json: String) -> Void) {
    self.report = Mutex(report)
    self.publish = publish
    publish(report.json)
  }

  /// Publishes a new state of the path, with the problem that is shown.
  func update(_ report: Report) {
    change { current in
      let problem = current.problem
      current = report
      current.problem = problem
    }
  }

  /// Publishes a problem, or that there is none.
  func show(_ problem: Report.Problem?) {
    change { $0.problem = problem }
  }

  /// Reports are published in the order of their changes, so this is done within the lock.
  private func change(_ body: (inout Report) -> Void) {
    report.withLock { report in
      body(&report)
      publish(report.json)
    }
  }
}
