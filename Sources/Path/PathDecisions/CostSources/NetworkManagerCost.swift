internal import PathModel

/// The metered state of a device in NetworkManager: the values of its property `Device.Metered`, `NMMetered`.
package enum MeteredState: UInt32, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case yes = 1
  case no = 2
  case guessYes = 3
  case guessNo = 4
}

/// The evidence from NetworkManager.
enum NetworkManagerCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    let name = candidate.name
    switch candidate.network.metered {
    case nil, .unknown: break
    case .yes: evidence.append(Evidence(.networkManager, .expensive, .explicit, "the connection on \(name) is metered"))
    case .no:
      evidence.append(Evidence(.networkManager, .notExpensive, .explicit, "the connection on \(name) is not metered"))
    case .guessYes:
      evidence.append(Evidence(.networkManager, .expensive, .guess, "NetworkManager guesses that \(name) is metered"))
    case .guessNo:
      evidence.append(
        Evidence(.networkManager, .notExpensive, .guess, "NetworkManager guesses that \(name) is not metered"))
    }
  }
}
