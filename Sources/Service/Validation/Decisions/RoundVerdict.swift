package import PathModel

/// The verdict of one round: each host by each family once, and the network's own interface for the sign-in. Pure.
///
/// - The right answer of a host by HTTPS validates its family. By HTTP alone, a part of the Internet answers, because
///   anybody on the way can give it.
/// - A redirect, other content, or a name that resolves to a local address is a portal, unless another host has the
///   right answer: then a part of the Internet answers.
/// - A certificate that is not right, a reset and an error prove that somebody answers: a part of the Internet.
/// - If a name has an address of another family alone, it says nothing about this one.
package struct RoundVerdict: Equatable, Sendable {
  /// The verdict.
  package private(set) var state: PathValidation.State = .unknown
  /// The address for the sign-in; `nil` if none is known.
  package private(set) var portal: String?
  /// The observations, with their verdicts.
  package private(set) var evidence: [PathValidation.Observation] = []

  /// Judges a round.
  ///
  /// - Parameters:
  ///   - replies: The replies of the hosts.
  ///   - announced: The reply of the interface for the sign-in that the network has announced; `nil` if it was not
  ///     asked.
  package init(_ replies: [HostReply], announced: AnnouncedReply? = nil) {
    let named = Set(replies.filter { $0.outcome != .noName }.map(\.host.name.exact))
    var families: [IPAddress.Family: [HostReply]] = [:]
    for reply in replies {
      let isElsewhere = reply.outcome == .noName && named.contains(reply.host.name.exact)
      if !isElsewhere { families[reply.family, default: []].append(reply) }
      evidence.append(
        .init(
          source: .host, verdict: isElsewhere ? .unknown : reply.verdict, family: reply.family, when: reply.when,
          text: isElsewhere ? "\(reply.subject): the name has no address of this family" : reply.words))
    }
    var states = Set(families.values.map(Self.state))
    if let announced {
      states.insert(announced.verdict)
      evidence.append(
        .init(source: .signIn, verdict: announced.verdict, when: announced.when, text: announced.words))
    }
    state = Self.state(states.subtracting([.unknown]))
    let intercepted = replies.first { $0.verdict == .portal && !$0.host.isConfirming }
    portal = announced?.page ?? intercepted?.host.address
  }

  /// The verdict on a family by the replies of its hosts.
  private static func state(_ replies: [HostReply]) -> PathValidation.State {
    let verdicts = Set(replies.map(\.verdict))
    if verdicts.contains(.portal) { return replies.contains { $0.outcome == .right } ? .partial : .portal }
    return [.validated, .partial, .unanswered].first(where: verdicts.contains) ?? .unknown
  }

  /// The verdict on all families, by those on each.
  private static func state(_ states: Set<PathValidation.State>) -> PathValidation.State {
    if states.count < 2 { return states.first ?? .unknown }
    return states.contains(.validated) || !states.contains(.portal) ? .partial : .portal
  }
}

extension HostReply {
  /// The verdict of this reply alone.
  package var verdict: PathValidation.State {
    if isLedAstray { return .portal }
    return switch outcome {
    case .right: host.isConfirming ? .validated : .partial
    case .redirect, .otherContent: .portal
    case .error, .certificate, .reset: .partial
    case .noName, .noConnection, .silence: .unanswered
    case .failure: .unknown
    }
  }

  /// The address that was asked, and by which family.
  fileprivate var subject: String { "\(host.address) by \(family.name)" }

  /// The reply in words, for people. Text of others is shown escaped.
  package var words: String {
    let astray = isLedAstray ? resolved.map { "; the name leads to the local address \($0)" } ?? "" : ""
    let words =
      switch outcome {
      case .right: "the right answer"
      case .redirect(let place?): "a redirect to \(String(place.prefix(256)).quotedInLine)"
      case .redirect(nil): "a redirect to nowhere"
      case .otherContent(let status): "other content in place of the right answer (status \(status))"
      case .error(let status): "an error (status \(status))"
      case .certificate(let fault): "the certificate is not right: \(fault.inOneLine)"
      case .reset: "the connection was refused, reset or broken off"
      case .noName: "the name has no address"
      case .noConnection(let fault): "no connection: \(fault.inOneLine)"
      case .silence: "nothing came within the time"
      case .failure(let fault): "the request could not be made: \(fault.inOneLine)"
      }
    return "\(subject): \(words)\(astray)"
  }
}
