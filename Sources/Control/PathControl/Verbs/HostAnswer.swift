internal import PathFollowing
internal import PathModel
internal import Programs
internal import SystemIO

/// The answer about one host, for `route` and `explain`.
enum HostAnswer {
  /// The most addresses of a host that are shown; a note says how many more there are.
  private static let limit = 8

  /// Looks the host up, asks for the path to each of its addresses, and passes the answer to `show`, which returns the
  /// exit status. A host that has no address, or only one on a link, is a mistake with a message and an exit status of
  /// its own.
  static func answer(
    _ host: String, _ source: any AnswerSource, of invocation: Invocation, _ show: (ExplainedAnswer) -> Int32
  ) throws(PathSourceError) -> Int32 {
    let addresses: [IPAddress]
    do throws(HostLookup.LookupError) {
      addresses = try self.addresses(of: host)
    } catch {
      if error.isUnknownName {
        PathControl.complain("there is no host '\(host)': \(error.reason). Check the spelling, or name its address.")
        return ExitStatus.usage
      }
      PathControl.complain("cannot look up '\(host)': \(error.reason). Name its address instead.")
      return ExitStatus.cannotKnow
    }
    // The first address of each family: a program tries these first.
    let tried = IPAddress.Family.allCases.compactMap { family in addresses.firstIndex { $0.family == family } }
    if let problem = tried.isEmpty ? "has no address" : tried.lazy.compactMap({ problem(with: addresses[$0]) }).first {
      PathControl.complain("'\(host)' \(problem). Name another address.")
      return ExitStatus.usage
    }
    var explained: [ExplainedPath] = []
    var isTried: [Bool] = []
    var leftOut = 0
    for (position, address) in addresses.enumerated() where problem(with: address) == nil {
      guard tried.contains(position) || explained.count < limit else {
        leftOut += 1
        continue
      }
      explained.append(try source.explained(to: address))
      isTried.append(tried.contains(position))
    }
    if leftOut > 0 {
      invocation.note("'\(host)' has \(leftOut) more addresses, which are not shown. Name one of them to see its path.")
    }
    return show(ExplainedAnswer(toHost: explained) { isTried[$0] })
  }

  /// The reason why an address is no destination of a path; `nil` when it is one.
  private static func problem(with address: IPAddress) -> String? {
    if address.isLinkLocal { return "is a link-local address: it is reached over a link, not by a path" }
    return address.isUnspecified ? "stands for this machine itself, whose addresses are reached without a path" : nil
  }

  /// The different addresses of the host, in the order in which a program should try them.
  private static func addresses(of host: String) throws(HostLookup.LookupError) -> [IPAddress] {
    if let address = IPAddress(unscoped: host) { return [address] }
    var addresses: [IPAddress] = []
    for text in try HostLookup.addresses(of: host) {
      if let address = IPAddress(text)?.scoped(to: nil), !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}
