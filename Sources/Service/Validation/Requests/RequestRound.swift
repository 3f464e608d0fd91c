internal import PathDecisions
internal import PathModel

/// One round: a request to each host by each family of the path, and one to the interface for the sign-in that the
/// network has announced.
struct RequestRound: Hashable, Sendable {
  /// The hosts.
  var hosts: [ValidationHost]
  /// The families that the path has.
  var families: [IPAddress.Family]
  /// The address of the interface for the sign-in; `nil` if none was announced by `https`.
  var announced: String?

  /// A round over a path.
  init(_ hosts: [ValidationHost], over path: NetworkPath) {
    self.hosts = hosts
    families = (path.supportsIPv4 ? [.ipv4] : []) + (path.supportsIPv6 ? [.ipv6] : [])
    announced = path.validation.announced.flatMap { PortalAddress.isSecure($0) ? $0 : nil }
  }

  /// Whether there is nothing to ask.
  var isEmpty: Bool { announced == nil && (hosts.isEmpty || families.isEmpty) }

  /// Makes all requests in parallel, which takes ten seconds at most for one round.
  ///
  /// - Parameter report: Called with each observation as it comes.
  /// - Returns: The verdict.
  func run(report: (PathValidation.Observation) -> Void = { _ in }) -> PathValidation {
    let asked = hosts.flatMap { host in families.map { (host, $0) } }
    let requests =
      asked.map { WebRequest(address: $0.0.address, family: $0.1, right: $0.0.rightAnswer) }
      + [announced].compactMap(\.self).map { WebRequest(address: $0, mediaType: PortalAnswer.mediaType) }
    let answers = WebTransfers.run(requests) { place, answer in
      let isOfHost = place < asked.count
      let verdict = PathValidation(
        isOfHost ? [HostReply(host: asked[place].0, family: asked[place].1, answer: answer)] : [],
        announced: isOfHost ? nil : answer)
      verdict.evidence.forEach(report)
    }
    return PathValidation(
      zip(asked, answers).map { HostReply(host: $0.0, family: $0.1, answer: $1) },
      announced: announced == nil ? nil : answers.last)
  }
}
