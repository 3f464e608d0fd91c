package import KernelPath
package import PathConfiguration
internal import PathModel
package import PathSubscribers
package import Programs
package import SystemIO

/// The administrator's files for the recorder.
package typealias HistorySettings = SectionSettings<HistoryConfiguration>

/// The verb `record` of `pathmonitor-history`.
package struct RecorderProgram: PathSubscriber {
  package static let words = ["pathmonitor-history", "record"]
  package static let summary = "writes each change of the network path to a file."
  package static let ownOptions: [Option<RecorderProgram>] = [
    Option(
      "--file", .path, example: "~/history.sqlite", summary: "Record here instead of in \(StoredHistory.usualFile)"
    ) { (target, value) throws(UsageError) in target.file = try value.path() }
  ]

  package var invocation = SubscriberInvocation()
  private var file = StoredHistory.usualFile

  package init() {}

  package var status: String { "records the network path in \(file)" }

  package func prepare(
    _ settings: HistorySettings, on loop: EventLoop
  ) throws(KernelPathError) -> () throws(SystemError) -> Void {
    let recorder = try KernelPathError.translating { () throws(SystemError) in
      try Recorder(
        loop: loop, socket: ServiceSocket.path(invocation.socket), file: file,
        limits: HistoryLimits(settings.configuration),
        recordsNetworkNames: settings.configuration.recordsNetworkNames, report: Self.program.complain)
    }
    return { () throws(SystemError) in try recorder.run() }
  }
}

extension HistoryLimits {
  /// The limits of a configuration.
  fileprivate init(_ configuration: HistoryConfiguration) {
    self.init(
      bytes: configuration.maximumSize, spans: configuration.keptChanges * HistoryInstant.day,
      hours: configuration.keptHours * HistoryInstant.day)
  }
}
