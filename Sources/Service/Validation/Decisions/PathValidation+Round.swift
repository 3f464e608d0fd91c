internal import PathModel

/// The verdict of one round: each host by each family once, and the network's own interface for the sign-in. Pure.
///
/// - The right answer of a host by HTTPS validates its family. By HTTP alone, a part of the Internet answers, because
///   anybody on the way can give it.
/// - By HTTP, a redirect, other content, or a name that resolves to a local address is a portal. If any host has the
///   right answer, only a part of the Internet answers, because portals let well-known hosts through. If the host has a
///   wrong answer by HTTPS, too, it is out of order, and its answers are no portal's, unless that is so of all hosts.
/// - A certificate that is not right, a reset, an error, and other content by HTTPS prove that somebody answers: a part
///   of the Internet.
/// - If a name has an address of another family alone, it says nothing about this one.
extension PathValidation {
  /// Judges a round.
  ///
  /// - Parameters:
  ///   - replies: The replies of the hosts.
  ///   - announced: The answer of the interface for the sign-in that the network has announced; `nil` if it was not
  ///     asked. If a network lets traffic through, that is no word for the Internet behind it.
  init(_ replies: [HostReply], announced: WebAnswer? = nil) {
    self.init()
    let named = Set(replies.filter { !$0.isNameless }.map(\.host.name.exact))
    var broken = Set(replies.filter(\.isOwnFault).map(\.host.name.exact))
    if replies.allSatisfy({ broken.contains($0.host.name.exact) }) { broken = [] }
    let right = Set(replies.filter(\.isRight).map(\.family))
    var families: [IPAddress.Family: Set<State>] = [:]
    var page: String?
    for reply in replies {
      let isElsewhere = reply.isNameless && named.contains(reply.host.name.exact)
      var verdict = isElsewhere ? .unknown : reply.verdict
      if verdict == .portal, broken.contains(reply.host.name.exact) { verdict = .partial }
      if !isElsewhere { families[reply.family, default: []].insert(verdict) }
      if verdict == .portal, !reply.host.isConfirming { page = page ?? reply.host.address }
      observe(
        .host, verdict, reply.answer, family: reply.family,
        isElsewhere ? "\(reply.subject): the name has no address of this family" : reply.words)
    }
    var states = Set(families.map { Self.state($1, hasRight: right.contains($0)) })
    if let announced {
      let answer = Result { () throws(PortalAnswer.Fault) in try PortalAnswer(announced) }
      let isCaptive = (try? answer.get())?.isCaptive == true
      states.insert(isCaptive ? .portal : .unknown)
      observe(.signIn, isCaptive ? .portal : .unknown, announced, PortalAnswer.words(for: answer))
      portal = isCaptive ? (try? answer.get())?.userPortal : nil
    }
    state = Self.state(states.subtracting([.unknown]))
    portal = portal ?? page
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

  /// The verdict on all families, by those on each.
  private static func state(_ states: Set<State>) -> State {
    if states.count < 2 { return states.first ?? .unknown }
    return states.contains(.validated) || !states.contains(.portal) ? .partial : .portal
  }
}
