internal import CNetlink
internal import PathDecisions
internal import SystemIO

/// The links and addresses, read anew where messages do not suffice.
extension Kernel {
  /// Reads links and addresses anew if the known ones may be wrong: after an overrun, and again after a failed reading.
  package func bringUpToDate() throws(KernelPathError) {
    if isStale { try readAll() }
    try updateRestingLinks()
    updateWirelessLinks()
  }

  /// Reads all links and addresses. A dump during which something changed is repeated a few times, while that is quick.
  /// Then it is used as it is, but stays marked as outdated, so that ``bringUpToDate()`` reads it again.
  func readAll() throws(KernelPathError) {
    // Set until the reading has succeeded, so that the next evaluation tries again after a failure.
    isStale = true
    hasLinkNews = true
    devices.forgetAll()
    judgements.forgetAll()
    wirelessLinks.noteAll()
    let end = MonotonicInstant.now.advanced(by: Self.longestRepetition)
    for _ in 1...5 {
      var fresh = KernelState()
      var addresses = AddressChanges()
      let areLinksConsistent = try queries.dump(NetlinkRequest.allLinks(), of: "links") {
        (message) throws(NetlinkDecodingError) in
        if message.type == RTM_NEWLINK { fresh.update(try LinkMessage(message).facts) }
      }
      let areAddressesConsistent = try queries.dump(NetlinkRequest.allAddresses(), of: "addresses") {
        (message) throws(NetlinkDecodingError) in
        if message.type == RTM_NEWADDR, let address = try AddressFacts(message) { addresses.update(address) }
      }
      fresh.merge(addresses)
      addressChanges = AddressChanges()
      apply(.everyLink(fresh))
      if areLinksConsistent, areAddressesConsistent {
        isStale = false
        readRouters()
        return
      }
      if end < .now { return }
    }
  }

  /// The longest time after which a dump is repeated, because clients wait meanwhile.
  private static let longestRepetition = Duration.milliseconds(20)

  /// Reads these links anew, in this order, because the kernel may not have announced their changes yet. It delays news
  /// of a carrier by up to a second; a question about a link makes it catch up at once (`linkwatch_sync_dev`).
  ///
  /// - Returns: Whether any of them has changed.
  package func readAgain(_ links: [Int32]) throws(KernelPathError) -> Bool {
    var isNews = false
    try queries.ask(links.map { NetlinkRequest.link($0) }) { (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWLINK else { return }
      let link = try LinkMessage(message)
      // Mostly nothing has changed, and the latest evaluation still holds.
      guard self.resting(link.facts) != self.state[link.facts.index]?.link else { return }
      isNews = true
      try self.apply(message)
    }
    return isNews
  }
}
