internal import PathDecisions

extension Kernel {
  /// Asks for the names of the wireless networks whose links have changed.
  func updateNetworkNames() {
    guard let wirelessNames, wirelessNames.isDue else { return }
    let wireless = state.interfaces.map(\.link).filter { link in
      link.obstacle == nil && link.kind == nil && devices.device(of: link)?.isWireless == true
    }
    let names = wirelessNames.update(networkFacts.networkNames, of: wireless.map(\.index))
    // Assign only a new value: each assignment makes the next evaluation compare all facts.
    if names != networkFacts.networkNames { networkFacts.networkNames = names }
  }
}
