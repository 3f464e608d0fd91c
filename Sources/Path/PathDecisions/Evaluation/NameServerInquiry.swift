internal import PathModel

/// The lookups of the name servers. They show faults that leave the path satisfied: no route of the server's family, or
/// one that refuses.
struct NameServerInquiry {
  /// The servers that are looked up. Empty if one of them is on this machine, or on a usable link that its scope names.
  /// A lookup does not show whether that one can be asked, and names need no more than one server.
  let servers: [IPAddress]
  private let user: UInt32?
  /// The obstacles on the ways to the servers; empty if one may be reached. Those of link-local servers need no lookup,
  /// and so are there before the answers.
  private(set) var faults: [PathEvaluation.NameServerFault]

  init(_ servers: [IPAddress], user: UInt32?, _ judge: ProbeJudge) {
    let faults = servers.compactMap { server in
      judge.state.obstacle(toLinkOf: server).map { PathEvaluation.NameServerFault(server: server, obstacle: $0) }
    }
    let others = servers.filter { server in !faults.contains { $0.server == server } }
    let cannotTell = others.contains { server in
      server.isLoopback || server.isLinkLocal || judge.state.interfaces.contains { $0.has(server) }
    }
    self.servers = cannotTell ? [] : others
    self.user = user
    self.faults = cannotTell ? [] : faults
  }

  /// One question for each server.
  var questions: [RouteQuery] { servers.map { RouteQuery(destination: $0, kind: .resolve, user: user) } }

  /// Receives the answers to the questions, in their order.
  ///
  /// - Parameter position: The position of the first answer.
  mutating func receive(_ answers: [RouteAnswer], from position: Int, _ judge: ProbeJudge) {
    let found = servers.indices.compactMap { index in
      Self.obstacle(servers[index], answers[position + index], judge)
        .map { PathEvaluation.NameServerFault(server: servers[index], obstacle: $0) }
    }
    faults = found.count == servers.count ? faults + found : []
  }

  /// The obstacle on the way to a server; `nil` if there is none, or only a further lookup would show one.
  private static func obstacle(_ server: IPAddress, _ answer: RouteAnswer, _ judge: ProbeJudge) -> ProbeObstacle? {
    switch judge.route(match: answer, resolution: answer) {
    case .local: return nil
    case .refused(let obstacle):
      // From a source address, rules of IPv6 may lead elsewhere.
      let isFinal = server.family == .ipv4 || SourceSelection.source(for: server, in: judge.state) == nil
      return isFinal || obstacle.reason == .prohibited ? obstacle : nil
    case .unicast(let legs):
      if case .unusable(let obstacle) = judge.usable(legs) { return obstacle }
      return nil
    }
  }
}

extension KernelState {
  /// The obstacle to a link-local IPv6 address, which is on the link that its scope names (RFC 4007); `nil` for other
  /// addresses, and if there is none.
  func obstacle(toLinkOf address: IPAddress) -> ProbeObstacle? {
    guard address.family == .ipv6, address.isLinkLocal else { return nil }
    guard let scope = address.scope, let link = link(ofScope: scope) else { return ProbeObstacle(.noInterface) }
    return link.obstacleToProbes
  }

  /// The link that a scope names: by its name, an alternative name, or its index.
  private func link(ofScope scope: String) -> LinkFacts? {
    let name = scope.exact
    let named = interfaces.first { $0.link.exactName == name || $0.link.exactAlternativeNames.contains(name) }
    return (named ?? Int32(scope).flatMap { self[$0] })?.link
  }
}
