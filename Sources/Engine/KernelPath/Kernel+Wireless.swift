internal import PathDecisions

extension Kernel {
  /// Asks about the wireless links that have changed.
  func updateWirelessLinks() {
    guard wirelessLinks.isDue else { return }
    let wireless = state.interfaces.map(\.link).filter { link in
      link.kind == nil && link.hardwareType == HardwareType.ethernet && link.device?.isWireless == true
    }
    var facts = networkFacts
    wirelessLinks.update(&facts, of: wireless)
    // Assign only a new value: each assignment makes the next evaluation compare all facts.
    if facts == networkFacts { return }
    let others = networkFacts.networkNames.filter { facts.networkNames[$0.key] != $0.value }
    networkFacts = facts
    noteNetworkLoss(over: others.keys)
  }
}
