internal import PathDecisions
internal import PathModel
internal import SystemIO

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

  /// The replies of the hosts, in the order of the requests. A host whose answer is missing is silent so far.
  private func replies(_ answers: [WebAnswer?]) -> [HostReply] {
    zip(hosts.flatMap { host in families.map { (host, $0) } }, answers).map {
      HostReply(host: $0.0, family: $0.1, answer: $1 ?? WebAnswer(result: .failure(.silence)))
    }
  }

  private func verdict(_ answers: [WebAnswer?]) -> PathValidation {
    PathValidation(replies(answers), announced: announced.flatMap { _ in answers.last ?? nil })
  }

  /// When the round ends without the answers that are missing, as the time from its begin; `nil` as long as they may
  /// well decide. Pure.
  ///
  /// The end is near when the network is validated, or when the verdict is a portal and all hosts of a family have
  /// answered by HTTP. The round then lasts as long again as it has taken, and half a second at least. A page in the
  /// next room needs fewer round trips than HTTPS, and takes its answer by HTTP before a host far away has given its
  /// own by HTTPS.
  func limit(_ answers: [WebAnswer?], after elapsed: Duration) -> Duration? {
    let replies = replies(answers)
    let open = Set(zip(replies, answers).filter { !$0.host.isConfirming && $1 == nil }.map(\.0.family))
    let state = verdict(answers).state
    let isClosed = replies.contains { $0.verdict == .portal && !open.contains($0.family) }
    return state == .validated || state == .portal && isClosed ? elapsed + max(elapsed, .milliseconds(500)) : nil
  }

  /// The verdict of a round, and the wishes of others for the next one.
  struct Outcome: Sendable {
    /// The verdict with its observations.
    var validation: PathValidation
    /// When the round began, in microseconds since boot.
    var begun = boottimeMicroseconds()
    /// The time before which a host does not want to be asked again; `nil` for none.
    var notBefore: Duration?
    /// The time for which the network still lets traffic through; `nil` if it names none.
    var remaining: Duration?

    /// A verdict without wishes.
    init(_ validation: PathValidation) { self.validation = validation }
  }

  /// Makes all requests in parallel, which takes ten seconds at most, and waits for the look-ups of names.
  ///
  /// - Parameters:
  ///   - isAwaited: Whether the outcome is of use; asked each second.
  ///   - report: Called with each observation as it comes.
  ///   - conclude: Called with the outcome, before the wait for look-ups.
  func run(
    isAwaited: () -> Bool = { true }, report: (PathValidation.Observation) -> Void = { _ in },
    conclude: (Outcome) -> Void
  ) {
    var outcome = Outcome(.unknown)
    let asked = replies(Array(repeating: nil, count: hosts.count * families.count))
    let requests =
      asked.map { WebRequest(address: $0.host.address, family: $0.family, right: $0.host.rightAnswer) }
      + [announced].compactMap(\.self).map { WebRequest(address: $0, mediaType: PortalAnswer.mediaType) }
    WebTransfers.run(requests) {
      isAwaited() ? limit($0, after: $1) : .zero
    } report: { place, answer in
      let reply = asked.dropFirst(place).first.map { HostReply(host: $0.host, family: $0.family, answer: answer) }
      PathValidation(reply.map { [$0] } ?? [], announced: reply == nil ? answer : nil).evidence.forEach(report)
    } conclude: { answers in
      outcome.validation = verdict(answers)
      outcome.notBefore = answers.prefix(asked.count).compactMap { try? $0.result.get().retryAfter }.max()
      let portal = announced == nil ? nil : answers.last.flatMap { try? PortalAnswer($0) }
      outcome.remaining = portal?.secondsRemaining.map { .seconds($0).countable }
      conclude(outcome)
    }
  }
}
