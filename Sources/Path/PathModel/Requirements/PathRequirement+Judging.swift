extension PathRequirement {
  /// The verdict of the requirement on a path.
  ///
  /// - Parameter path: The path as evaluated, without a requirement applied to it.
  public func verdict(on path: NetworkPath) -> Verdict {
    path.knowledge == .known ? judgement(on: path) : .unknown
  }

  /// The verdict for work that is held back until the path is as required.
  ///
  /// A path that is not known holds nothing back. A known path holds the work back while its cost is undetermined and
  /// the requirement depends on the cost: traffic may cost money, and the work can wait.
  ///
  /// - Parameter path: The path as evaluated, without a requirement applied to it.
  package func gatingVerdict(on path: NetworkPath) -> Verdict {
    let verdict = verdict(on: path)
    return verdict == .unknown && path.knowledge == .known ? .notMet : verdict
  }

  /// The verdict on a path, whatever its knowledge: one term that does not hold decides, then one of unknown verdict.
  fileprivate func judgement(on path: NetworkPath) -> Verdict {
    let judged = pathThroughVia(path)
    guard judged.status == .satisfied || terms.contains(where: \.asksForOffline) else { return .notMet }
    let verdicts = terms.map { $0.verdict(on: judged) }
    return verdicts.contains(.notMet) ? .notMet : verdicts.contains(.unknown) ? .unknown : .met
  }

  /// The path for a program with this requirement.
  ///
  /// A path that is not as required becomes unsatisfied with the reason ``UnsatisfiedReason/requirementNotMet``; one
  /// that was unsatisfied keeps its own reason. The word `offline` never changes the path: a connected path that became
  /// unsatisfied would look as if it met the word. ``verdict(on:)`` judges that word. A path of undetermined cost is
  /// not as required if the cost decides. Of alternatives the first one that is met gives the path, so that its `via=`
  /// narrows it.
  ///
  /// - Parameter path: The path as evaluated.
  package func applied(to path: NetworkPath) -> NetworkPath {
    let alternatives = alternatives
    if alternatives.count > 1 {
      guard path.status == .satisfied else { return path }
      return alternatives.lazy.map { $0.applied(to: path) }.first { $0.status == .satisfied }
        ?? path.unsatisfied(because: .requirementNotMet)
    }
    let narrowed = pathThroughVia(path)
    guard narrowed.status == .satisfied else { return narrowed }
    let isMet = terms.allSatisfy { $0.asksForOffline || $0.verdict(on: narrowed) == .met }
    return isMet ? narrowed : narrowed.unsatisfied(because: .requirementNotMet)
  }

  /// The quality that a path lacks.
  package enum Shortcoming: Hashable, Sendable {
    /// The path is metered, and that is all.
    case metered
    /// The path counts as unmetered, but this is only a guess, or whether it is metered could not be found out.
    case guessedCost
    /// The path is constrained, and that is all.
    case constrained
    /// The path is of another kind, whatever it costs.
    case otherKind
  }

  /// The quality that a connected path lacks; `nil` if the path is as required, or not connected.
  package func shortcoming(of path: NetworkPath) -> Shortcoming? {
    let judged = pathThroughVia(path)
    guard path.status == .satisfied else { return nil }
    guard judged.status == .satisfied else { return .otherKind }
    let lacking = terms.filter { $0.verdict(on: judged) != .met }
    if lacking.isEmpty { return nil }
    if lacking.contains(where: { !$0.asksForCost }) { return .otherKind }
    if lacking == [.word(.unconstrained, isNegated: false)] { return .constrained }
    return judged.isExpensive ? .metered : .guessedCost
  }

  /// The path through the interfaces that match every `via=`; the path as it is when there is none.
  private func pathThroughVia(_ path: NetworkPath) -> NetworkPath {
    let vias = terms.compactMap { term -> ExactText? in
      guard case .via(let name) = term else { return nil }
      return name
    }
    if vias.isEmpty { return path }
    return path.through { interface in
      vias.allSatisfy { via in
        interface.isCalled(via)
          || InterfaceType(requirementValue: via.text).map { path.uses($0, through: interface) } ?? false
      }
    }
  }
}

extension PathRequirement.Term {
  /// The verdict of the term on a path; each `via=` has been applied before.
  func verdict(on path: NetworkPath) -> PathRequirement.Verdict {
    let isConnected = path.status == .satisfied
    switch self {
    case .word(.offline, _): return isConnected ? .notMet : .met
    case .word(.unmetered, _) where path.isExpenseUndetermined: return .unknown
    case .word(.validated, _) where isConnected && path.validation.state == .unknown: return .unknown
    case .word(let word, let isNegated):
      return isConnected && word.holds(forConnected: path) != isNegated ? .met : .notMet
    case .interface(let name):
      return isConnected && path.interfaces.first?.isCalled(name) == true ? .met : .notMet
    case .type(let type): return path.usesInterfaceType(type) ? .met : .notMet
    case .via: return .met
    case .not(let terms):
      guard isConnected else { return .notMet }
      switch PathRequirement(terms: terms).judgement(on: path) {
      case .met: return .notMet
      case .notMet: return .met
      case .unknown: return .unknown
      }
    case .any(let alternatives):
      let verdicts = alternatives.map { $0.judgement(on: path) }
      return verdicts.contains(.met) ? .met : verdicts.contains(.unknown) ? .unknown : .notMet
    }
  }

  /// Whether the term can hold without a path.
  fileprivate var asksForOffline: Bool {
    switch self {
    case .word(.offline, _): true
    case .any(let alternatives): alternatives.contains { $0.terms.contains(where: \.asksForOffline) }
    default: false
    }
  }
}

extension PathRequirement.Term {
  /// Whether the term asks for a path that costs little.
  fileprivate var asksForCost: Bool {
    [.unmetered, .unmeteredKnown, .unconstrained].contains { self == .word($0, isNegated: false) }
  }
}

extension PathRequirement.Word {
  /// Whether the word holds for a satisfied path.
  fileprivate func holds(forConnected path: NetworkPath) -> Bool {
    switch self {
    case .connected: true
    case .offline: false
    case .unmetered: !path.isExpensive
    case .unmeteredKnown: !path.isExpensive && path.isExpenseKnown
    case .unconstrained: !path.isConstrained
    case .wifi: path.usesInterfaceType(.wifi)
    case .cellular: path.usesInterfaceType(.cellular)
    case .ethernet: path.usesInterfaceType(.wiredEthernet)
    case .vpn: path.usesTunnel
    case .ipv4: path.supportsIPv4
    case .ipv6: path.supportsIPv6
    case .dns: path.supportsDNS
    case .validated: path.validation.state == .validated
    case .portal: path.validation.wantsSignIn
    }
  }
}

extension NetworkPath {
  /// Whether more than a guess decides that the path is expensive or not.
  ///
  /// An administrator who makes a path constrained has not declared it free: some evidence must concern the expense. A
  /// cost without any evidence comes from elsewhere, and is believed.
  fileprivate var isExpenseKnown: Bool {
    guard let cost, cost.confidence.isKnown else { return false }
    return cost.evidence.isEmpty
      || cost.evidence.contains { $0.confidence.isKnown && $0.verdict.concernsExpense }
  }
}
