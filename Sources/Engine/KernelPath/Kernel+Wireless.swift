internal import PathDecisions

extension Kernel {
  /// Asks about the wireless links that have changed.
  func updateWirelessLinks() {
    guard wirelessLinks.isDue else { return }
    let wireless = state.interfaces.map(\.link).filter { link in
      link.kind == nil && link.hardwareType == HardwareType.ethernet && link.device?.isWireless == true
    }
    let networks = situation.networks
    let (names, accessPoints) = wirelessLinks.update(wireless, after: (networks.networkNames, networks.accessPoints))
    apply(.wireless(names, accessPoints: accessPoints))
  }
}
