package import KernelPath
package import PathConfiguration
internal import PathModel
package import PathSubscribers
package import Programs
package import SystemIO

/// The administrator's files for the validator.
package typealias ValidationSettings = SectionSettings<ValidationConfiguration>

/// The program `pathmonitor-validation`.
package struct ValidationProgram: PathSubscriber {
  package static let words = ["pathmonitor-validation"]
  package static let summary = "asks the hosts of its configuration whether the Internet answers."
  package static let ownOptions: [Option<ValidationProgram>] = [
    Option("--once", summary: "Ask now, print each observation and the verdict; exit status 0 if validated, 1 if not") {
      $0.asksOnce = true
    }
  ]

  package var invocation = SubscriberInvocation()
  private var asksOnce = false

  package init() {}

  package var status: String { "asks whether the Internet answers when the path changes" }
  private var socket: String { ServiceSocket.path(invocation.socket) }

  package func prepare(
    _ settings: ValidationSettings, on loop: EventLoop
  ) throws(KernelPathError) -> () throws(SystemError) -> Void {
    if let words = settings.configuration.hostlessness { Self.program.complain(words) }
    let validator = try KernelPathError.translating { () throws(SystemError) in
      try Validator(loop: loop, socket: socket, settings.configuration, report: Self.program.complain)
    }
    return { () throws(SystemError) in try validator.run() }
  }

  package func run(_ settings: ValidationSettings) -> Int32 {
    asksOnce ? SingleValidation(socket, settings.configuration).run() : follow(settings)
  }
}
