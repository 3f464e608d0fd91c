internal import PathDecisions
internal import PathModel

/// The reply of a host by an address family.
struct HostReply: Sendable {
  /// The host.
  var host: ValidationHost
  /// The family by which it was asked.
  var family: IPAddress.Family
  /// The answer, or the reason why there is none.
  var answer: WebAnswer

  /// The name of the host, for comparisons.
  var name: ExactText { host.name.exact }
  /// Whether it is the right answer.
  var isRight: Bool { content.map(host.isRight) ?? false }
  /// Whether the name of the host has no address, of this family at least.
  var isNameless: Bool { answer.result == .failure(.noName) }
  /// Whether the host has proved by its certificate that this answer, right or wrong, is its own.
  var isOwn: Bool { host.isConfirming && content != nil }
  private var content: WebAnswer.Content? { isBlocked ? nil : try? answer.result.get() }

  /// The address to which the name of the host resolved; `nil` if the host is named by an address.
  private var resolved: IPAddress? { IPAddress(unscoped: host.name) == nil ? answer.resolved : nil }
  /// Whether the name leads to this machine, as filters of advertisements and files of hosts have it.
  private var isBlocked: Bool { resolved.map { $0.isLoopback || $0.isUnspecified } ?? false }
  /// Whether the name resolved to an address of the local network, as portals do it.
  private var isLedAstray: Bool { resolved?.isLocal == true && !isRight && !isOwn }

  /// The page to which it redirects; `nil` if it does not, or a page is not to be opened.
  var redirect: String? { content?.location.flatMap { PortalAddress.text(of: $0.utf8) } }

  /// The verdict of this reply alone.
  var verdict: PathValidation.State {
    if isBlocked { return .unknown }
    if isRight { return host.isConfirming ? .validated : .partial }
    if isLedAstray { return .portal }
    switch answer.result {
    case .success where isOwn: return .partial
    // Network Authentication Required (RFC 6585).
    case .success(let content):
      return (200..<400).contains(content.status) || [0, 511].contains(content.status) ? .portal : .partial
    case .failure(.certificate), .failure(.reset): return .partial
    case .failure(.noName), .failure(.noConnection), .failure(.silence): return .unanswered
    case .failure(.failed), .failure(.unawaited): return .unknown
    }
  }

  /// The address that was asked, and by which family.
  var subject: String { "\(host.address) by \(family.name)" }

  /// The reply in words, for people. Text of others is shown escaped and short.
  var words: String {
    if isBlocked, let resolved { return "\(subject): the name leads to \(resolved), so it is blocked here" }
    let astray = isLedAstray ? resolved.map { "; the name leads to the local address \($0)" } ?? "" : ""
    return "\(subject): \(answerWords)\(astray)"
  }

  private var answerWords: String {
    switch answer.result {
    case .success where isRight: "the right answer"
    case .success(let content) where (300..<400).contains(content.status):
      "a redirect to \(content.location?.quotedInLine ?? "nowhere")"
    case .success(let content) where content.status == 0:
      "other content in place of the right answer (HTML without a status)"
    case .success(let content) where verdict == .portal || content.status < 400:
      "other content in place of the right answer (status \(content.status))"
    case .success(let content): "an error (status \(content.status))"
    case .failure(let failure): failure.words
    }
  }
}
