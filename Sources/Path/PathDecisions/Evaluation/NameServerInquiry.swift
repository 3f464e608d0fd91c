internal import PathModel

/// The lookups of the name servers. They show faults that leave the path satisfied: no route of the server's family, or
/// one that refuses.
struct NameServerInquiry {
  /// The servers that are looked up. Empty if one of them is on this machine and may be served, or on a usable link
  /// that its scope names. A lookup does not show whether that one can be asked, and names need no more than one
  /// server.
  let servers: [IPAddress]
  private let user: UInt32?
  /// The obstacles on the ways to the servers; empty if one may be reached. Those of link-local servers and of this
  /// machine need no lookup, and so are there before the answers.
  private(set) var faults: [PathEvaluation.NameServerFault]
  /// Whether a server on this machine is missing. No message announces that a program begins to serve names.
  var lacksProgram: Bool { faults.contains { $0.isOfThisMachine } }

  /// - Parameter isServed: Whether a program serves names at an address of this machine; `nil` if that is not known.
  init(_ servers: [IPAddress], user: UInt32?, _ judge: ProbeJudge, isServed: (IPAddress) -> Bool?) {
    let faults = servers.compactMap { server -> PathEvaluation.NameServerFault? in
      let isOwn = judge.state.isOwn(server)
      let obstacle = isOwn ? judge.state.obstacle(toOwn: server, isServed) : judge.state.obstacle(toLinkOf: server)
      return obstacle.map { .init(server: server, obstacle: $0, isOfThisMachine: isOwn) }
    }
    let others = servers.filter { server in !faults.contains { $0.server == server } }
    let cannotTell = others.contains { server in
      server.isLinkLocal || judge.state.isOwn(server)
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
  /// Whether an address is one of this machine.
  fileprivate func isOwn(_ address: IPAddress) -> Bool { address.isLoopback || interfaces.contains { $0.has(address) } }

  /// The obstacle to a server on this machine; `nil` if there is none, or that is not known.
  fileprivate func obstacle(toOwn server: IPAddress, _ isServed: (IPAddress) -> Bool?) -> ProbeObstacle? {
    if let loopback = interfaces.map(\.link).first(where: \.isLoopback), loopback.obstacle != nil {
      return ProbeObstacle(.noCarrier, at: loopback.index)
    }
    return isServed(server) == false ? ProbeObstacle(.noRoute) : nil
  }

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
