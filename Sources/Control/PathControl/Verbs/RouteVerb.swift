package import KernelPath
internal import PathFollowing
package import Programs

/// `pathctl route`: shows the path to one host.
package struct RouteVerb: Verb {
  package static let name = "route"
  package static let operands = [Placeholder("HOST", .host)]
  package static let summary = "Show the path to a host name or address"
  package static var ownOptions: [Option<RouteVerb>] { [.field, .quiet] + Option.forQuestions }
  package static var details: String {
    """
    No packet is sent to the host; a name is looked up with the system's name servers.
    Each address has a line with its router, interface, source address, route table and policy rule.
    \(aboutFields)
    """
  }
  package static let exits = exitsOfPath

  package var invocation = Invocation()
  /// The name or address of the host.
  package private(set) var host = ""

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) { host = operands[0] }

  /// Looks the host up and shows the path to it; the exit status says whether there is one.
  package func run() throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      try HostAnswer.answer(host, source, of: invocation) { invocation.show($0) }
    }
  }
}
