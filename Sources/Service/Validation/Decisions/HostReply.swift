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

  /// Whether it is the right answer.
  var isRight: Bool { content.map(host.isRight) ?? false }
  /// Whether the name of the host has no address, of this family at least.
  var isNameless: Bool { answer.result == .failure(.noName) }
  /// Whether the host has proved by its certificate that this answer, a wrong one, is its own.
  var isOwnFault: Bool { host.isConfirming && content != nil && !isRight }
  private var content: WebAnswer.Content? { try? answer.result.get() }

  /// Whether the name of the host resolved to an address of the local network, as portals do it. A host that is named
  /// by an address did not, nor one that has proved itself by its certificate.
  private var isLedAstray: Bool {
    guard let resolved = answer.resolved, !isRight, IPAddress(unscoped: host.name) == nil else { return false }
    return resolved.isLocal && !isOwnFault
  }

  /// The verdict of this reply alone.
  var verdict: PathValidation.State {
    if isRight { return host.isConfirming ? .validated : .partial }
    if isLedAstray { return .portal }
    switch answer.result {
    case .success where isOwnFault: return .partial
    // Network Authentication Required (RFC 6585).
    case .success(let content):
      return (200..<400).contains(content.status) || [0, 511].contains(content.status) ? .portal : .partial
    case .failure(.certificate), .failure(.reset): return .partial
    case .failure(.noName), .failure(.noConnection), .failure(.silence): return .unanswered
    case .failure(.failed): return .unknown
    }
  }

  /// The address that was asked, and by which family.
  var subject: String { "\(host.address) by \(family.name)" }

  /// The reply in words, for people. Text of others is shown escaped and short.
  var words: String {
    let astray = isLedAstray ? answer.resolved.map { "; the name leads to the local address \($0)" } ?? "" : ""
    let words =
      switch answer.result {
      case .success where isRight: "the right answer"
      case .success(let content) where (300..<400).contains(content.status):
        "a redirect to \(content.location?.quotedInLine ?? "nowhere")"
      case .success(let content) where verdict == .portal || content.status < 400:
        "other content in place of the right answer (\(content.statusWords))"
      case .success(let content): "an error (status \(content.status))"
      case .failure(let failure): failure.words
      }
    return "\(subject): \(words)\(astray)"
  }
}

extension WebAnswer.Content {
  fileprivate var statusWords: String { status == 0 ? "HTML without a status" : "status \(status)" }
}
