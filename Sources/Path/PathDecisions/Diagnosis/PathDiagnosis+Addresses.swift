internal import PathModel

/// Addresses as causes.
extension PathDiagnosis {
  /// The fault of the addresses, if no usable link has one that reaches beyond the link, or the one over which the
  /// traffic last left has lost it.
  var addressFindings: [Finding] {
    let usable = usableLinks.compactMap { state[$0.index] }
    if usable.contains(where: hasUsableAddress) {
      let former = waitingForAddress.filter { evaluation.ways.former.contains($0.link.index) }
      return former.prefix(1).map(addressFinding)
    }
    if usable.isEmpty { return [] }
    // The address belongs to the link on top: the bridge and not its port, the VLAN and not its trunk.
    let tops = usable.filter { linksOn($0.link).isEmpty }
    if tops.isEmpty, let first = usable.first {
      let blocked = linksOn(first.link).filter { $0.obstacle != nil }
      if let obstacle = blocked.first?.obstacle {
        return [finding(at: blocked.filter { $0.obstacle == obstacle }, obstacle)]
      }
    }
    let ranked = (tops.isEmpty ? usable : tops).enumerated().min { left, right in
      (Self.rank(left.element), left.offset) < (Self.rank(right.element), right.offset)
    }
    return ranked.map { [addressFinding(at: $0.element)] } ?? []
  }

  /// The usable cards that have no address that reaches beyond the link, and carry no other link that might have one.
  var waitingForAddress: [KernelState.Interface] {
    usableLinks.compactMap { state[$0.index] }.filter {
      !hasUsableAddress($0) && linksOn($0.link).isEmpty && !$0.link.isPair && !walk.restsOnTunnel($0.link)
    }
  }

  /// The links whose packets a link carries. The ports of a routing domain have addresses of their own.
  private func linksOn(_ link: LinkFacts) -> [LinkFacts] {
    let master = link.masterIndex.flatMap { state[$0]?.link }
    if let master, !master.isRoutingDomain { return [master] }
    return state.interfaces.map(\.link).filter { upper in
      upper.parentIndex == link.index && upper.role == .stacked
    }
  }

  private func hasUsableAddress(_ interface: KernelState.Interface) -> Bool {
    if interface.hasUsableIPv4Address || interface.hasUsableIPv6Address { return true }
    // The ports of a routing domain have its addresses.
    return interface.link.isRoutingDomain
      && state.interfaces.contains {
        $0.link.masterIndex == interface.link.index && ($0.hasUsableIPv4Address || $0.hasUsableIPv6Address)
      }
  }

  /// The interface that is closest to an address is the one to look at.
  private static func rank(_ interface: KernelState.Interface) -> Int {
    if interface.addresses.contains(where: { $0.flags.contains(.duplicate) }) { return 0 }
    if interface.addresses.contains(where: { $0.address.family == .ipv4 && $0.address.isLinkLocal }) { return 1 }
    if interface.addresses.contains(where: { !$0.address.isLinkLocal }) { return 2 }
    return 3
  }

  /// The reason why an interface has no address that reaches beyond the link.
  func addressFinding(at interface: KernelState.Interface) -> Finding {
    let name = interface.link.name
    let addresses = interface.addresses
    let pair: [Diagnosis.Circumstance] = interface.link.isPair ? [.isPair] : []
    if let duplicate = addresses.first(where: { $0.flags.contains(.duplicate) }) {
      return Finding(
        .duplicateAddress, name, "\(name) may not use \(duplicate.address): another host on the link has this address")
    }
    if let own = addresses.first(where: { $0.address.family == .ipv4 && $0.address.isLinkLocal }) {
      return Finding(
        .selfAssignedAddress, name,
        "\(name) has only \(own.address), which hosts give themselves when no DHCP server answers", pair)
    }
    if let other = addresses.first(where: { !$0.address.isLinkLocal }) {
      if other.flags.contains(.tentative) {
        return Finding(
          .noAddress, name, "\(name) has only \(other.address), which is still checked for duplicates", [.isTentative])
      }
      return Finding(.noAddress, name, "\(name) has only \(other.address), valid on its link alone", pair)
    }
    let ignoring = routing.ignoringAdvertisements.contains(interface.link.index)
    let reason = ignoring ? Self.ignoringWords : ""
    let circumstances = ignoring ? [.ignoresAdvertisements] : pair
    if let own = addresses.first {
      return Finding(
        .noAddress, name, "\(name) has only \(own.address), an address for its own link\(reason)", circumstances)
    }
    return Finding(.noAddress, name, "\(name) has no address\(reason)", circumstances)
  }

  /// The words for an interface that takes no addresses and routes from IPv6 routers.
  static let ignoringWords = ": it ignores router advertisements, as this machine is a router itself"
}
