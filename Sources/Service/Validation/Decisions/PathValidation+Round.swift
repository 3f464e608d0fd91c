package import PathModel

/// The verdict of one round: each host by each family once, and the network's own interface for the sign-in. Pure.
///
/// - The right answer of a host by HTTPS validates its family. By HTTP alone, a part of the Internet answers, because
///   anybody on the way can give it.
/// - By HTTP, a redirect, other content, or a name that resolves to a local address is a portal, unless a host has the
///   right answer: then a part of the Internet answers, because portals let well-known hosts through.
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
  package init(_ replies: [HostReply], announced: WebAnswer? = nil) {
    self.init()
    let named = Set(replies.filter { !$0.isNameless }.map(\.host.name.exact))
    var families: [IPAddress.Family: [HostReply]] = [:]
    for reply in replies {
      let isElsewhere = reply.isNameless && named.contains(reply.host.name.exact)
      if !isElsewhere { families[reply.family, default: []].append(reply) }
      observe(
        .host, isElsewhere ? .unknown : reply.verdict, reply.answer, family: reply.family,
        isElsewhere ? "\(reply.subject): the name has no address of this family" : reply.words)
    }
    var states = Set(families.values.map(Self.state))
    if let announced {
      let answer = Result { () throws(PortalAnswer.Fault) in try PortalAnswer(announced) }
      let isCaptive = (try? answer.get())?.isCaptive == true
      states.insert(isCaptive ? .portal : .unknown)
      observe(.signIn, isCaptive ? .portal : .unknown, announced, PortalAnswer.words(for: answer))
      portal = isCaptive ? (try? answer.get())?.userPortal : nil
    }
    state = Self.state(states.subtracting([.unknown]))
    portal = portal ?? replies.first { $0.verdict == .portal && !$0.host.isConfirming }?.host.address
  }

  private mutating func observe(
    _ source: Observation.Source, _ verdict: State, _ answer: WebAnswer, family: IPAddress.Family? = nil, _ text: String
  ) {
    // The service takes no longer ones.
    let text = String(decoding: text.utf8.prefix(1_000), as: UTF8.self)
    evidence.append(.init(source: source, verdict: verdict, family: family, when: answer.when, text: text))
  }

  /// The verdict on a family by the replies of its hosts.
  private static func state(_ replies: [HostReply]) -> State {
    let verdicts = Set(replies.map(\.verdict))
    if verdicts.contains(.portal) { return replies.contains(where: \.isRight) ? .partial : .portal }
    return [.validated, .partial, .unanswered].first(where: verdicts.contains) ?? .unknown
  }

  /// The verdict on all families, by those on each.
  private static func state(_ states: Set<State>) -> State {
    if states.count < 2 { return states.first ?? .unknown }
    return states.contains(.validated) || !states.contains(.portal) ? .partial : .portal
  }
}
