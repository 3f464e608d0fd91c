package import KernelPath
package import PathConfiguration
internal import PathModel
package import PathSubscribers
internal import Programs
package import SystemIO

/// The administrator's files for the program.
package typealias ConnectionSettings = SectionSettings<ConnectionConfiguration>

/// The program `pathmonitor-connections`.
package struct ConnectionProgram: PathSubscriber {
  package static let words = ["pathmonitor-connections"]
  package static let summary = "ends TCP connections whose local address was removed, once there is a path again."

  package var invocation = SubscriberInvocation()

  package init() {}

  package var status: String { "ends connections whose address is gone, once there is a path again" }

  package func prepare(
    _ settings: ConnectionSettings, on loop: EventLoop
  ) throws(KernelPathError) -> () throws(SystemError) -> Void {
    // A file with a mistake may be the one that spares a connection.
    let isRestrained = settings.configuration.isDryRun || !settings.problems.isEmpty
    if isRestrained {
      Self.program.complain("no connection is ended, only counted: DryRun=yes, or a file has a mistake.")
    }
    let hasRight = ProcessIdentity.mayAdministerNetwork
    if !hasRight {
      Self.program.complain(
        "no connection is ended, only counted: that takes CAP_NET_ADMIN, which \(Self.words[0]) does not have.")
    }
    let connections = try ConnectionTable()
    try connections.check()
    let ender = try ConnectionEnder(
      loop: loop, socket: ServiceSocket.path(invocation.socket), settings.configuration,
      isDryRun: isRestrained || !hasRight,
      connections: connections, report: Self.program.complain)
    return { () throws(SystemError) in try ender.run() }
  }
}
