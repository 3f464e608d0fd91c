internal import CommandLineOptions
package import KernelPath
internal import PathFollowing
internal import PathModel
internal import SystemIO

extension Verb {
  /// Shows the path to one host.
  package static let route = Verb(
    name: "route", operands: [Placeholder("HOST", .host)], summary: "Show the path to a host name or address",
    options: [.field, .quiet] + Option.forQuestions,
    details: [.text("No packet is sent to the host; a name is looked up with the system's name servers.")] + .ofField,
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
      let addresses: [IPAddress]
      do throws(HostLookup.LookupError) {
        addresses = try Self.addresses(of: host)
      } catch {
        if error.isUnknownName {
          PathControl.complain("there is no host '\(host)': \(error.reason). Check the spelling, or name its address.")
          return ExitStatus.usage
        }
        PathControl.complain("cannot look up '\(host)': \(error.reason). Name its address instead.")
        return ExitStatus.cannotKnow
      }
      guard !addresses.contains(where: \.isLinkLocal) else {
        PathControl.complain(
          "'\(host)' is a link-local address: it is reached over a link, not by a path. Name another address.")
        return ExitStatus.usage
      }
      return invocation.show(try source.path(to: addresses), isToHost: true)
    }
  }

  /// The first address of each family: a program would try these first.
  private static func addresses(of host: String) throws(HostLookup.LookupError) -> [IPAddress] {
    if let address = IPAddress(unscoped: host) { return [address] }
    let all = try HostLookup.addresses(of: host).compactMap { text in
      IPAddress(text)?.scoped(to: nil)
    }
    return IPAddress.Family.allCases.compactMap { family in all.first { $0.family == family } }
  }
}
