internal import Glibc
internal import PathDecisions
internal import PathFollowing
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl portal`: shows the page by which users sign in, and opens it.
package struct PortalVerb: Verb {
  package static let name = "portal"
  package static let summary = "Show or open the page for the sign-in of this network"
  package static var ownOptions: [Option<PortalVerb>] {
    [
      Option("--open", summary: "Open the page with xdg-open, as the user of this command") { $0.opens = true },
      .socket,
    ]
  }
  package static let details = """
    Prints the address of the page: that which the network has named, or that of the host in whose place
    other content came. Only http and https addresses are shown and opened, and only if the network wants
    a sign-in as far as is known. Nothing is sent, but with --open the validator asks its hosts again, so
    that the end of the sign-in is noticed.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "the network wants a sign-in, and the page is shown or opened"),
    (ExitStatus.no, "no sign-in is wanted, or no page is known"),
    (ExitStatus.cannotKnow, "it cannot be known, or the page cannot be opened"),
  ]
  package static let examples = [(purpose: "Sign in", lines: "pathctl portal --open")]

  package var invocation = Invocation()
  private var opens = false

  package init() {}

  /// Shows or opens the page.
  package func run() -> Int32 {
    ServiceRequest(invocation).run { client throws(PathSourceError) in
      let validation = try ServiceClient.path(in: try client.ask(.getPath)).validation
      // The sign-in that follows is noticed soon. Without the service's help it is noticed later.
      if opens, validation.wantsSignIn { _ = try? client.ask(.renewValidation) }
      return perform(validation)
    }
  }

  private func perform(_ validation: PathValidation) -> Int32 {
    guard validation.wantsSignIn else {
      let isKnown = validation.state != .unknown
      invocation.note(
        isKnown
          ? "no sign-in is wanted, as far as is known." : "nothing is known of a sign-in. 'pathctl validate' asks.")
      return isKnown ? ExitStatus.no : ExitStatus.cannotKnow
    }
    guard let page = validation.portal else {
      invocation.note("the network wants a sign-in, and no page is known. Open any http page in a browser.")
      return ExitStatus.no
    }
    return opens ? open(page) : PathControl.say("\(page)\n", ExitStatus.yes)
  }

  /// Opens the page in place of this program.
  private func open(_ page: String) -> Int32 {
    if geteuid() == 0 {
      return invocation.fail(
        "no page is opened as root. Run 'pathctl portal --open' as yourself.", ExitStatus.cannotKnow)
    }
    if PortalAddress.isLocal(page) {
      invocation.note("the page is on the local network, which browsers may ask you to allow: \(page)")
    }
    do throws(SystemError) {
      try ProcessImage.replace(with: "/usr/bin/xdg-open", ["xdg-open", page])
    } catch {
      return invocation.fail("\(error.description). Open this page yourself: \(page)", ExitStatus.cannotKnow)
    }
  }
}
