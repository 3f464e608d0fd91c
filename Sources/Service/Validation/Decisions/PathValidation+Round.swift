internal import PathModel

/// The verdict of one round: each host by each family once, and the network's own interface for the sign-in. Pure.
///
/// - The right answer of a host by HTTPS validates its family. By HTTP alone, a part of the Internet answers, because
///   anybody on the way can give it.
/// - By HTTP, a redirect, other content, or a name that resolves to a local address is a portal. If any host has the
///   right answer, only a part of the Internet answers, because portals let well-known hosts through.
/// - If a host itself answers by HTTPS, as its certificate proves, no portal answers for it by HTTP. The host is out of
///   order or redirects to its own HTTPS, or its page was touched on the way. But if all hosts of a family answer by
///   HTTPS, and none of them rightly, their answers by HTTP are a portal's.
/// - A certificate that is not right, a reset, an error, and other content by HTTPS prove that somebody answers: a part
///   of the Internet.
/// - If a name leads to this machine, it is blocked here, and says nothing. Nor does a name that has an address of
///   another family alone say anything about this one. If that leaves one host, its family has no verdict but
///   `validated`, because no other one rests on a single host.
extension PathValidation {
  /// Judges a round.
  ///
  /// - Parameters:
  ///   - replies: The replies of the hosts.
  ///   - announced: The answer of the interface for the sign-in that the network has announced; `nil` if it was not
  ///     asked. If a network lets traffic through, that is no word for the Internet behind it.
  init(_ replies: [HostReply], announced: WebAnswer? = nil) {
    self.init()
    let named = Set(replies.filter { !$0.isNameless }.map(\.name))
    let isSingle = Set(replies.map(\.name)).count == 1
    let here = replies.filter { !$0.isNameless || !named.contains($0.name) }
    var redirect: String?
    var states = Set(
      [IPAddress.Family.ipv4, .ipv6].map { family in
        judge(here.filter { $0.family == family }, isSingle: isSingle, &redirect)
      })
    // A browser takes the other family to the host itself.
    if states.contains(.validated) { portal = redirect ?? portal }
    for reply in replies where reply.isNameless && named.contains(reply.name) {
      observe(
        .host, .unknown, reply.answer, family: reply.family, "\(reply.subject): the name has no address of this family")
    }
    if let announced {
      let answer = Result { () throws(PortalAnswer.Fault) in try PortalAnswer(announced) }
      let isCaptive = (try? answer.get())?.isCaptive == true
      states.insert(isCaptive ? .portal : .unknown)
      observe(.signIn, isCaptive ? .portal : .unknown, announced, PortalAnswer.words(for: answer))
      if isCaptive { portal = (try? answer.get())?.userPortal ?? portal }
    }
    states.remove(.unknown)
    let isCaptive = states.contains(.portal) && !states.contains(.validated)
    state = states.count < 2 ? states.first ?? .unknown : isCaptive ? .portal : .partial
  }

  /// Judges the replies by one family, of the hosts that speak it.
  private mutating func judge(_ replies: [HostReply], isSingle: Bool, _ redirect: inout String?) -> State {
    let hosts = Set(replies.map(\.name))
    var own = Set(replies.filter(\.isOwn).map(\.name))
    if own == hosts, !replies.contains(where: { $0.isOwn && $0.isRight }) { own = [] }
    let verdicts = replies.map { $0.verdict == .portal && own.contains($0.name) ? .partial : $0.verdict }
    let state = Self.state(Set(verdicts), hasRight: replies.contains(where: \.isRight))
    let isVerdict = state == .validated || hosts.count > 1 || isSingle
    for (reply, verdict) in zip(replies, verdicts) {
      observe(.host, isVerdict ? verdict : .unknown, reply.answer, family: reply.family, reply.words)
      guard isVerdict, verdict == .portal, !reply.host.isConfirming else { continue }
      portal = portal ?? reply.host.address
      redirect = redirect ?? reply.redirect
    }
    return isVerdict ? state : .unknown
  }

  private mutating func observe(
    _ source: Observation.Source, _ verdict: State, _ answer: WebAnswer, family: IPAddress.Family? = nil, _ text: String
  ) {
    // The service takes no longer ones.
    let text = String(decoding: text.utf8.prefix(1_000), as: UTF8.self)
    evidence.append(.init(source: source, verdict: verdict, family: family, when: answer.when, text: text))
  }

  /// The verdict on a family by those on the replies of its hosts.
  private static func state(_ verdicts: Set<State>, hasRight: Bool) -> State {
    if verdicts.contains(.portal) { return hasRight ? .partial : .portal }
    return [.validated, .partial, .unanswered].first(where: verdicts.contains) ?? .unknown
  }
}
