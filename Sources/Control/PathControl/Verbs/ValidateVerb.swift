package import Programs

/// `pathctl validate`: asks now whether the Internet answers. The program beside this one sends the requests, so that
/// this one needs no HTTP.
package struct ValidateVerb: Verb {
  package static let name = "validate"
  package static let summary = "Ask the configured hosts now whether the Internet answers"
  package static var ownOptions: [Option<ValidateVerb>] { [.socket] }
  package static let details = """
    Sends one request to each host of /etc/pathmonitor/validation.conf by each address family that the
    path has, and one to the address for the sign-in that the network has announced. Prints each
    observation as it comes, then the verdict: validated, partial, portal, unanswered or unknown. Unless
    the first round ends with 'validated', a second one follows. Nothing is sent over a metered or
    constrained path, a tunnel or a container's bridge unless AlsoOver= allows it. If the validator runs,
    and you are root or a member of the group pathmonitor, the service publishes the verdict.
    No host is configured when the package is installed; see pathmonitor-validation.conf(5).
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "the Internet answers"), (ExitStatus.no, "it answers in part, or not, or wants a sign-in"),
    (ExitStatus.cannotKnow, "nobody was asked, or nothing is known"),
  ]
  package static let examples = [
    (purpose: "Back up if the Internet answers", lines: "pathctl validate >/dev/null && backup")
  ]

  package var invocation = Invocation()

  package init() {}

  /// Runs the program in place of this one.
  package func run() -> Int32 { CompanionProgram.validation.run(["--once", "--socket", invocation.socket]) }
}
