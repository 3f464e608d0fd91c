internal import PathDecisions
package import PathModel

/// A host that is asked, with the right answer.
package struct ValidationHost: Hashable, Sendable {
  /// The right answer of a host. A beginning of a body is none: prefixes are fooled.
  package enum RightAnswer: Hashable, Sendable {
    case status(Int)
    case body([UInt8])
  }

  /// The address that is asked, of `http` or `https`.
  package var address: String
  /// The right answer.
  package var rightAnswer: RightAnswer

  /// A host.
  package init(_ address: String, _ rightAnswer: RightAnswer) {
    (self.address, self.rightAnswer) = (address, rightAnswer)
  }

  /// Whether it is asked by HTTPS, so that nobody on the way can give the right answer.
  package var isConfirming: Bool { address.lowercased().utf8.starts(with: "https://".utf8) }

  /// The name between the scheme and the path, in lower case, without user, port and brackets.
  package var name: String { PortalAddress.host(in: address).lowercased() }

  /// Judges a complete answer.
  package func judge(status: Int, location: String?, body: [UInt8]) -> HostReply.Outcome {
    switch rightAnswer {
    case .status(status): return .right
    case .body(body) where status == 200: return .right
    default: break
    }
    switch status {
    case 300..<400: return .redirect(location)
    // Network Authentication Required (RFC 6585).
    case 200..<300, 511: return .otherContent(status)
    default: return .error(status)
    }
  }
}

/// The reply of a host by an address family.
package struct HostReply: Hashable, Sendable {
  /// The outcome of a request.
  package enum Outcome: Hashable, Sendable {
    /// The right answer.
    case right
    /// Another place, which is not asked.
    case redirect(String?)
    /// Content in the place of the right answer, with its status.
    case otherContent(Int)
    /// A status that says that somebody has a problem, such as 503.
    case error(Int)
    /// A TLS certificate that is expired, unknown or another host's; in words.
    case certificate(String)
    /// A TCP reset.
    case reset
    /// The name has no address.
    case noName
    /// No connection came about: unreachable or refused.
    case noConnection(String)
    /// Nothing came within the time.
    case silence
    /// The request could not be made here; in words.
    case failure(String)
  }

  /// The host.
  package var host: ValidationHost
  /// The family by which it was asked.
  package var family: IPAddress.Family
  /// The outcome.
  package var outcome: Outcome
  /// The address that the name resolved to; `nil` if it did not.
  package var resolved: IPAddress?
  /// When the reply was complete, in microseconds since boot.
  package var when: Int

  /// A reply.
  package init(
    _ host: ValidationHost, _ family: IPAddress.Family, _ outcome: Outcome, resolved: IPAddress? = nil, when: Int = 0
  ) {
    (self.host, self.family, self.outcome) = (host, family, outcome)
    (self.resolved, self.when) = (resolved, when)
  }

  /// Whether the name of the host resolved to an address of the local network, as portals do it. A host that is named
  /// by an address did not.
  package var isLedAstray: Bool {
    guard let resolved, outcome != .right, IPAddress(unscoped: host.name) == nil else { return false }
    return resolved.isLocal
  }
}
