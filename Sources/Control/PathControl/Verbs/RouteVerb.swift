package import KernelPath
internal import PathFollowing
internal import Programs

extension Verb {
  /// Shows the path to one host.
  package static let route = Verb(
    name: "route", operands: [Placeholder("HOST", .host)], summary: "Show the path to a host name or address",
    options: [.field, .quiet] + Option.forQuestions,
    details: [
      .text("No packet is sent to the host; a name is looked up with the system's name servers."),
      .text("Each address has a line with its router, interface, source address, route table and policy rule."),
    ] + .ofField,
    exits: .ofPath
  ) { arguments in RouteOrder(to: arguments.operands[0]) }
}

/// Show the path to a host.
package struct RouteOrder: VerbOrder {
  private let host: String

  /// The order of `pathctl route`.
  package init(to host: String) {
    self.host = host
  }

  /// Looks the host up and shows the path to it; the exit status says whether there is one.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      try HostAnswer.answer(host, source, of: invocation) { invocation.show($0) }
    }
  }
}
