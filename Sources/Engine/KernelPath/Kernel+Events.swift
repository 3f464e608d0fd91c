internal import CNetlink
package import PathDecisions
package import PathModel
internal import SystemIO

extension Kernel {
  /// The result of a drain of the event socket.
  package struct News: Hashable, Sendable {
    /// The number of messages. Any message means that the path must be evaluated again.
    package var messages = 0
    /// Whether messages were lost. In that case links and addresses have been read anew. The rules are read when they
    /// are needed.
    package var overran = false
    /// Whether a change may have been announced before it was made. The kernel announces a route before it removes it,
    /// and a link or an address before it removes the routes over it. Only new routes and the states of neighbours are
    /// in place when their messages arrive.
    package var isEarly = false
    /// Whether the only message is the removal of one route, which is complete once the answers show it.
    package var isOneRemoval = false
    /// The family of all messages, if all are about routes of one family, so that no lookup of the other has another
    /// answer; `nil` if any lookup may have.
    package var family: IPAddress.Family?
  }

  /// Reads the waiting messages and updates links and addresses by them. Never waits. In a storm that takes longer than
  /// ``longestDrain``, the rest waits for the next call.
  package func drain() throws(KernelPathError) -> News {
    guard let events else { return News() }
    var isEarly = false
    var removals = 0
    var family: IPAddress.Family?
    var isFirst = true
    let end = MonotonicInstant.now.advanced(by: Self.longestDrain)
    let (messages, overran): (Int, Bool)
    do {
      defer { mergeAddresses() }
      (messages, overran) = try events.drain(until: end) { (message) throws(NetlinkDecodingError) in
        if !message.isDoneWhenAnnounced { isEarly = true }
        if message.type == RTM_DELROUTE { removals += 1 }
        let concerned = try message.familyOfRoute()
        family = isFirst || family == concerned ? concerned : nil
        isFirst = false
        try self.apply(message)
      }
    }
    if overran {
      isStale = true
      apply(.rules(nil))
      noteSleep()
    }
    try bringUpToDate()
    return News(
      messages: messages, overran: overran, isEarly: isEarly || overran,
      isOneRemoval: !overran && removals == 1 && messages == 1, family: overran ? nil : family)
  }

  /// The longest time for messages in one call, because clients wait meanwhile. The receive buffer has less, so that a
  /// storm alone reaches it.
  private static let longestDrain = Duration.milliseconds(10)

  /// Applies the changes of addresses that messages have announced.
  private func mergeAddresses() {
    apply(.addresses(addressChanges))
    addressChanges = AddressChanges()
  }

  /// Updates the known state by a message.
  func apply(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    switch message.type {
    case RTM_NEWLINK:
      let link = try LinkMessage(message)
      if link.family == AF_BRIDGE {
        applyPortState(link.facts)
        hasLinkNews = true
      }
      // Messages of other families report a bridge port or IPv6 settings. A port that leaves its bridge is not a link
      // that goes away.
      guard link.family == 0 else { return }
      wirelessLinks.note(link.facts.index)
      if link.isWirelessChatter { return }
      let known = state[link.facts.index]?.link
      guard let merged = link.merged(onto: known) else {
        isStale = true
        return
      }
      // The new link may be the lost parent of others, which get no message about it: read all links to find out.
      if known == nil, state.interfaces.contains(where: { $0.link.hasLostParent }) { isStale = true }
      hasLinkNews = true
      apply(.link(resting(merged)))
    case RTM_DELLINK:
      let link = try LinkMessage(message)
      guard link.family == 0 else { return }
      devices.forget(link.facts.index)
      judgements.forget(link.facts.index)
      hasLinkNews = true
      addressChanges.forget(link.facts.index)
      apply(.linkGone(link.facts.index))
    case RTM_NEWADDR:
      guard let address = try AddressFacts(message) else { return }
      addressChanges.update(address)
    case RTM_DELADDR:
      guard let address = try AddressFacts(message) else { return }
      addressChanges.remove(address)
      // Secondary addresses of IPv4, which have the same flag, and temporary ones come and go within a network.
      if !address.flags.contains(.temporary) { apply(.networksLost([address.interfaceIndex])) }
    case RTM_NEWRULE, RTM_DELRULE: apply(.rules(nil))
    case RTM_NEWNEIGH: if let entry = try NeighbourFacts(message) { apply(.router(entry)) }
    case RTM_NEWNETCONF: try applySettings(message)
    default: break  // Routes and next hops are hints only.
    }
  }

  /// Updates whether spanning tree blocks a port. A bridge announces it in a message of its own family.
  private func applyPortState(_ port: LinkFacts) {
    guard var link = state[port.index]?.link, link.isBlockedPort != port.isBlockedPort else { return }
    link.isBlockedPort = port.isBlockedPort
    apply(.link(link))
  }

  /// Updates whether a link passes on the packets of other hosts: `struct netconfmsg` and its attributes.
  private func applySettings(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    guard try message.structure("netconfmsg", 4)[0] == IPAddress.Family.ipv4.rawValue else { return }
    var index: Int32?
    var forwards: Bool?
    var attributes = message.attributes(of: "netconfmsg", after: 4)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case NETCONFA_IFINDEX: index = try attribute.int32("NETCONFA_IFINDEX")
      case NETCONFA_FORWARDING: forwards = try attribute.uint32("NETCONFA_FORWARDING") != 0
      default: break
      }
    }
    guard let forwards, var link = index.flatMap({ state[$0]?.link }), link.forwards != forwards else { return }
    link.forwards = forwards
    apply(.link(link))
  }

  /// The routers whose reachability is followed.
  package var followedRouters: RouterWatch { events?.routers ?? RouterWatch() }

  /// Follows the reachability of these routers, and of no others.
  ///
  /// - Parameter neighbours: The routers of the paths, whose answers are recorded.
  /// - Returns: Whether a change may have been missed before.
  package func follow(_ routers: RouterWatch, recording neighbours: [RoutingFacts.Neighbour] = []) -> Bool {
    let isNew = events?.follow(routers) ?? false
    guard events?.routers == routers else { return isNew }
    apply(.watched(neighbours))
    readRouters()
    return isNew
  }
}
