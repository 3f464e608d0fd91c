package import PathModel

/// The kernel as ``KernelView``: its links and addresses, kept current by its messages, and its answers to route
/// lookups. It also reports the users that the policy rules distinguish. It belongs to one thread.
///
/// The routing table is never read, not even at the start or after an overrun.
package final class Kernel {
  let events: EventSocket?
  let queries: QuerySocket
  private let devices: SysfsDevices
  private let resolverConfiguration: ResolverConfiguration
  private let leases: LeaseFiles
  /// The names of wireless networks; `nil` when no rule asks for them.
  private let wirelessNames: WirelessNames?
  private var isDirty = false
  private var answerCache = AnswerCache()
  /// The policy rules as they were last read; `nil` when they must be read again.
  var knownRules: PolicyRules?

  /// The links and addresses as of the last ``drain()``.
  package private(set) var state = KernelState() {
    didSet { revision += 1 }
  }
  /// The facts about the networks behind the links from sources other than the kernel. Each source replaces its part.
  package var networkFacts = NetworkFactsTable() {
    didSet { revision += 1 }
  }
  /// The number of possible changes to the links, the addresses, the resolver configuration and ``networkFacts``.
  package private(set) var revision = 0
  /// The administrator's rules, and the cached judgements on interfaces.
  package let judgements: JudgementMemory
  /// The number of possible changes to policy rules: their messages, and overruns.
  package internal(set) var ruleChanges = 0

  /// The descriptor that is readable when the kernel has sent messages; `nil` when they are not listened for.
  package var eventDescriptor: Int32? { events?.descriptor }
  /// The descriptor that is readable when the resolver configuration has changed; `nil` when changes are not watched,
  /// so that the owner must update it now and then.
  package var resolverDescriptor: Int32? { resolverConfiguration.descriptor }
  /// The descriptor that is readable when DHCP leases have changed; `nil` when changes are not watched, so that the
  /// owner must update them now and then.
  package var leaseDescriptor: Int32? { leases.descriptor }

  /// Subscribes, then reads all links and addresses: messages report the changes in between.
  ///
  /// - Parameters:
  ///   - probes: The destinations that stand for the Internet. They decide which route messages pass the kernel's
  ///     filter.
  ///   - receiveBuffer: The size to request for the receive buffer, in bytes; `nil` to listen for no changes, which is
  ///     faster if one answer is enough.
  ///   - paths: The locations of sysfs, the resolver configuration and the leases.
  ///   - rules: The administrator's rules for interfaces.
  package init(
    probes: ProbeAddresses, receiveBuffer: Int32? = 2 << 20, paths: KernelFilePaths = KernelFilePaths(),
    rules: InterfaceRules = InterfaceRules()
  ) throws(KernelPathError) {
    judgements = JudgementMemory(rules)
    wirelessNames = rules.asksForNetworkNames ? WirelessNames() : nil
    if let receiveBuffer {
      events = try EventSocket(probes: probes, receiveBuffer: receiveBuffer)
    } else {
      events = nil
    }
    queries = try QuerySocket()
    devices = SysfsDevices(root: paths.devices)
    resolverConfiguration = ResolverConfiguration(
      path: paths.resolver, upstreamPath: paths.upstreamResolver, isWatching: receiveBuffer != nil)
    leases = LeaseFiles(paths.leases, isWatching: receiveBuffer != nil)
    try readAll()
    updateNetworkNames()
    updateLeases()
  }

  /// The refusals of the kernel and the system, in words. Each only makes us slower or less sure.
  package var notes: [String] {
    (events?.notes ?? []) + queries.notes + [devices.note].compactMap(\.self) + resolverConfiguration.notes
      + leases.notes
  }

  // MARK: Events

  /// The result of a drain.
  package struct DrainResult: Hashable, Sendable {
    /// The number of messages. Any message means that the path must be evaluated again.
    package var messages = 0
    /// Whether messages were lost. In that case everything has been read anew.
    package var overran = false
    /// The families of changes that may have been announced before they were made. The kernel announces a route before
    /// it removes it, and a link or an address before it removes the routes over it. Only new routes and the states of
    /// neighbours are in place when their messages arrive.
    package var early = AddressFamilies.neither
    /// Whether the only message is the removal of one route, which is complete once the answers show it.
    package var isOneRemoval = false

    /// Creates a result, by default that of a drain without messages.
    package init(
      messages: Int = 0, overran: Bool = false, early: AddressFamilies = .neither, isOneRemoval: Bool = false
    ) {
      self.messages = messages
      self.overran = overran
      self.early = early
      self.isOneRemoval = isOneRemoval
    }
  }

  /// Reads all waiting messages and updates links and addresses by them. Never waits.
  package func drain() throws(KernelPathError) -> DrainResult {
    guard let events else { return DrainResult() }
    var early = AddressFamilies.neither
    var removals = 0
    let result = try events.drain { (message, datagram) throws(NetlinkDecodingError) in
      let touched = Self.families(touchedBy: message, in: datagram)
      if !Self.isDoneWhenAnnounced(message) {
        early.formUnion(touched)
        if message.type == MessageType.deleteRoute { removals += 1 }
      }
      self.askAnew(touched)
      try self.apply(message, in: datagram)
    }
    if result.overran {
      isDirty = true
      noteRuleChange()
    }
    try bringUpToDate()
    return DrainResult(
      messages: result.messages, overran: result.overran, early: result.overran ? .all : early,
      isOneRemoval: !result.overran && removals == 1 && result.messages == 1)
  }

  /// Reads these links anew, in this order, because the kernel may not have announced their changes yet. It delays news
  /// of a carrier by up to a second; a question about a link makes it catch up at once (`linkwatch_sync_dev`).
  ///
  /// - Returns: Whether any of them has changed.
  package func readAgain(_ links: [Int32]) throws(KernelPathError) -> Bool {
    var isNews = false
    try queries.ask(links.map { NetlinkRequest.link($0) }) { (message, datagram) throws(NetlinkDecodingError) in
      guard message.type == MessageType.newLink else { return }
      let link = try LinkMessage(message, in: datagram)
      // Mostly nothing has changed, and earlier answers and conclusions stay valid.
      guard link.facts != self.state[link.facts.index]?.link else { return }
      isNews = true
      self.askAnew(.all)
      try self.apply(message, in: datagram)
    }
    return isNews
  }

  /// The routers whose reachability is followed.
  package var followedRouters: RouterWatch { events?.routers ?? RouterWatch() }

  /// Follows the reachability of these routers, and of no others.
  ///
  /// - Returns: Whether a change may have been missed before.
  package func follow(_ routers: RouterWatch) -> Bool { events?.follow(routers) ?? false }

  /// Reads links and addresses anew if the known ones may be wrong: after an overrun, and again after a failed reading.
  package func bringUpToDate() throws(KernelPathError) {
    if isDirty { try readAll() }
    updateNetworkNames()
  }

  /// Asks for the names of the wireless networks whose links have changed.
  private func updateNetworkNames() {
    guard let wirelessNames, wirelessNames.isDue else { return }
    let wireless = state.interfaces.map(\.link).filter { link in
      link.obstacle == nil && link.kind == nil && devices.device(of: link)?.isWireless == true
    }
    let names = wirelessNames.update(networkFacts.networkNames, of: wireless.map(\.index))
    // Assign only a new value: each assignment makes the next evaluation compare all facts.
    if names != networkFacts.networkNames { networkFacts.networkNames = names }
  }

  /// Reads the resolver configuration again, whether or not a change is known.
  package func updateResolver() {
    resolverConfiguration.update()
    revision += 1
  }

  /// Reads the resolver configuration again if its descriptor is readable.
  ///
  /// - Returns: Whether it was; the contents may be the same as before.
  package func updateResolverIfChanged() -> Bool {
    guard resolverConfiguration.updateIfChanged() else { return false }
    revision += 1
    return true
  }

  /// Reads the DHCP leases again, whether or not a change is known.
  ///
  /// - Returns: Whether any fact from the leases has changed.
  @discardableResult
  package func updateLeases() -> Bool {
    leases.update()
    guard leases.byIndex != networkFacts.leasesByIndex || leases.byName != networkFacts.leasesByName else {
      return false
    }
    (networkFacts.leasesByIndex, networkFacts.leasesByName) = (leases.byIndex, leases.byName)
    return true
  }

  /// Reads the DHCP leases again if their descriptor is readable.
  ///
  /// - Returns: Whether any fact from the leases has changed.
  package func updateLeasesIfChanged() -> Bool { leases.isChanged() && updateLeases() }

  /// Whether the latest reading of a file failed. The file may become readable without a change, so ``retryFiles()``
  /// has to be called now and then.
  package var hasUnreadFiles: Bool { resolverConfiguration.hasFailed || leases.hasFailed || devices.hasFailed }

  /// Reads the files again whose latest reading failed.
  package func retryFiles() {
    if devices.hasFailed {
      devices.forgetFailures()
      revision += 1
    }
    if resolverConfiguration.hasFailed { updateResolver() }
    if leases.hasFailed { updateLeases() }
  }

  /// Marks the answers of the families as outdated: the next evaluation asks for them again. To be called when
  /// something may have changed without a message.
  package func askAnew(_ families: AddressFamilies = .all) {
    answerCache.outdate(families)
  }

  private func apply(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    switch message.type {
    case MessageType.newLink:
      let link = try LinkMessage(message, in: datagram)
      // Messages of other families report a bridge port or IPv6 settings. A port that leaves its bridge is not a link
      // that goes away.
      guard link.family == 0 else { return }
      wirelessNames?.note(link.facts.index)
      if link.isWirelessChatter { return }
      let known = state[link.facts.index]?.link
      guard let merged = link.merged(onto: known) else {
        isDirty = true
        return
      }
      // The new link may be the lost parent of others, which get no message about it: read all links to find out.
      if known == nil, state.interfaces.contains(where: { $0.link.hasLostParent }) { isDirty = true }
      state.update(merged)
    case MessageType.deleteLink:
      let link = try LinkMessage(message, in: datagram)
      guard link.family == 0 else { return }
      devices.forget(link.facts.index)
      judgements.forget(link.facts.index)
      state.removeLink(link.facts.index)
    case MessageType.newAddress:
      if let address = try AddressFacts(message, in: datagram) { state.update(address) }
    case MessageType.deleteAddress:
      if let address = try AddressFacts(message, in: datagram) { state.remove(address) }
    case MessageType.newRule, MessageType.deleteRule: noteRuleChange()
    default: break  // Routes, next hops and settings are hints only.
    }
  }

  /// Whether the kernel makes the change before it announces it: a new route, and the state of a neighbour.
  private static func isDoneWhenAnnounced(_ message: NetlinkMessage) -> Bool {
    switch message.type {
    case MessageType.newRoute, MessageType.newNeighbour, MessageType.deleteNeighbour: true
    default: false
    }
  }

  /// The families whose routing decisions the change may affect.
  private static func families(touchedBy message: NetlinkMessage, in datagram: Span<UInt8>) -> AddressFamilies {
    switch message.type {
    case MessageType.newAddress, MessageType.deleteAddress, MessageType.newRoute, MessageType.deleteRoute,
      MessageType.newNeighbour, MessageType.deleteNeighbour, MessageType.newRule, MessageType.deleteRule,
      MessageType.newSettings, MessageType.deleteSettings:
      // All these begin with the family (`struct rtgenmsg`).
      guard !message.payload.isEmpty,
        let family = IPAddress.Family(rawValue: datagram[message.payload.lowerBound])
      else { return .all }
      return family == .ipv4 ? .ipv4 : .ipv6
    default: return .all
    }
  }

  // MARK: Reading anew

  /// Reads all links and addresses. A dump during which something changed is repeated a few times. Then it is used as
  /// it is, but stays marked as outdated, so that ``bringUpToDate()`` reads it again.
  private func readAll() throws(KernelPathError) {
    // Set until the reading has succeeded, so that the next drain tries again after a failure.
    isDirty = true
    answerCache.outdate(.all)
    devices.forgetAll()
    judgements.forgetAll()
    wirelessNames?.noteAll()
    for _ in 1...5 {
      var fresh = KernelState()
      var links = true
      var addresses = true
      links = try queries.dump(NetlinkRequest.allLinks(), of: "links") {
        (message, datagram) throws(NetlinkDecodingError) in
        guard message.type == MessageType.newLink else { return }
        fresh.update(try LinkMessage(message, in: datagram).facts)
      }
      addresses = try queries.dump(NetlinkRequest.allAddresses(), of: "addresses") {
        (message, datagram) throws(NetlinkDecodingError) in
        guard message.type == MessageType.newAddress else { return }
        if let address = try AddressFacts(message, in: datagram) { fresh.update(address) }
      }
      state = fresh
      if links && addresses {
        isDirty = false
        return
      }
    }
  }
}

extension Kernel: KernelView {
  /// The facts of the resolver configuration.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// The facts in sysfs about the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    // Without events, no message marks outdated answers.
    if events == nil { askAnew() }
    if queries.count <= AnswerCache.batchSize { return try answers(toBatch: queries) }
    var answers: [RouteAnswer] = []
    for start in stride(from: 0, to: queries.count, by: AnswerCache.batchSize) {
      let end = min(start + AnswerCache.batchSize, queries.count)
      answers += try self.answers(toBatch: Array(queries[start..<end]))
    }
    return answers
  }

  private func answers(toBatch queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    if queries.isEmpty { return [] }
    let batch = answerCache.batch(of: queries)
    if !batch.outdated.isEmpty { try self.queries.ask(batch) }
    return batch.answers
  }
}
