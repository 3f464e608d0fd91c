internal import CNetlink
internal import PathDecisions

/// The facts that messages about a link do not have: the device behind it, the device below a PPP connection, the VLANs
/// of a bridge, and the keys of MACsec.
extension Kernel {
  /// The link with the device behind it and, if it is a PPP link, the device below it, as far as these are known.
  func resting(_ link: LinkFacts) -> LinkFacts {
    var link = link
    if link.needsDevice { link.device = devices.device(of: link) }
    if let known = state[link.index]?.link { (link.vlanFilter, link.lacksKey) = (known.vlanFilter, known.lacksKey) }
    if link.isPPP, let name = pppoeLines[link.index] {
      link.parentIndex = state.interfaces.first { $0.link.name.utf8.elementsEqual(name.utf8) }?.link.index
    }
    return link
  }

  /// Reads these facts again after messages about links. No message announces the keys of MACsec, so they are read as
  /// long as one is missing.
  func updateRestingLinks() throws(KernelPathError) {
    let all = state.interfaces.map(\.link)
    guard hasLinkNews || all.contains(where: \.lacksKey) else { return }
    if hasLinkNews { pppoeLines.update(all.filter(\.isPPP).map(\.index)) }
    var filters: [Int32: VLANFilter]?
    if hasLinkNews { filters = all.contains(where: \.filtersVLANs) ? try readVLANFilters() : [:] }
    hasLinkNews = false
    for link in all {
      var next = link
      if link.isPPP { next.parentIndex = nil }
      if link.isPPP || link.needsDevice { next = resting(next) }
      if let filters { next.vlanFilter = filters[link.index] }
      if link.kind == "macsec" { next.lacksKey = lacksKey(link) }
      if next != link { apply(.link(next)) }
    }
  }

  /// The VLANs of the bridges that filter them, and of their ports, by the index of the link.
  private func readVLANFilters() throws(KernelPathError) -> [Int32: VLANFilter] {
    var filters: [Int32: VLANFilter] = [:]
    _ = try queries.dump(NetlinkRequest.allBridgePorts(), of: "bridge ports") {
      (message) throws(NetlinkDecodingError) in
      if message.type == RTM_NEWLINK { try VLANFilter.add(message, to: &filters) }
    }
    let filtering = Set(state.interfaces.map(\.link).filter(\.filtersVLANs).map(\.index))
    return filters.filter { index, _ in
      filtering.contains(index) || state[index]?.link.masterIndex.map(filtering.contains) == true
    }
  }

  /// Whether MACsec has no key to send with. `false` if the kernel cannot be asked.
  private func lacksKey(_ link: LinkFacts) -> Bool {
    guard let socket = GenericSocket("macsec") else { return false }
    var lacksKey = false
    // The kernel lists all links of the kind.
    let result = socket.ask(
      MACSEC_CMD_GET_TXSC, flags: NLM_F_DUMP, about: link.index, in: MACSEC_ATTR_IFINDEX
    ) { (message) throws(NetlinkDecodingError) in
      let found = try MACsecMessage(message)
      if found.interfaceIndex == link.index { lacksKey = found.lacksKey }
    }
    return result == 0 && lacksKey
  }
}
