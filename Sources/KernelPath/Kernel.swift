package import PathModel

/// The kernel as ``KernelView``: what it says of links and addresses, kept current by its messages, and its
/// answers to route lookups. It also knows which users the policy rules tell apart. It belongs to one thread.
///
/// The routing table is never read, not even at the start or after an overrun.
package final class Kernel {
  let events: EventSocket?
  let queries: QuerySocket
  private let devices: SysfsDevices
  private let resolverConfiguration: ResolverConfiguration
  private let leases: LeaseFiles
  /// `nil` when no rule asks for them.
  private let wirelessNames: WirelessNames?
  private var isDirty = false
  private var answerCache = AnswerCache()
  /// `nil` when the rules have to be read.
  var knownRules: PolicyRules?

  /// The links and addresses as of the last ``drain()``.
  package private(set) var state = KernelState() {
    didSet { revision += 1 }
  }
  /// What others than the kernel say of the networks behind the links; whoever hears of news replaces its part.
  package var networkFacts = NetworkFactsTable() {
    didSet { revision += 1 }
  }
  /// Counts whatever may have changed the links, the addresses, the resolver configuration or those facts.
  package private(set) var revision = 0
  /// The administrator's rules, and what was concluded of the interfaces before.
  package let judgements: JudgementMemory
  /// How often policy rules have changed, or may have: it counts the messages of them, and overruns.
  package internal(set) var ruleChanges = 0

  /// What a loop watches: the kernel's messages; `nil` when they are not listened for.
  package var eventDescriptor: Int32? { events?.descriptor }
  /// What a loop watches: changes of the resolver configuration; `nil` when it has to ask now and then.
  package var resolverDescriptor: Int32? { resolverConfiguration.descriptor }
  /// What a loop watches: changes of DHCP leases; `nil` when it has to ask now and then.
  package var leaseDescriptor: Int32? { leases.descriptor }

  /// Subscribes, then reads all links and addresses: what changes in between is heard of.
  ///
  /// - Parameters:
  ///   - probes: Decide which route messages the kernel passes on.
  ///   - receiveBuffer: How many bytes of messages the kernel may hold for us; `nil` to listen for no changes at all,
  ///     which is quicker where one answer is all that is wanted.
  ///   - paths: Where sysfs and the resolver configuration are.
  ///   - rules: What an administrator says of interfaces.
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

  /// What the kernel or the system refused us, in words; each only makes us slower or less sure.
  package var notes: [String] {
    (events?.notes ?? []) + queries.notes + [devices.note].compactMap(\.self) + resolverConfiguration.notes
      + leases.notes
  }

  // MARK: Events

  /// What a drain brought.
  package struct DrainResult: Hashable, Sendable {
    /// How many messages came; any means that the path must be evaluated again.
    package var messages = 0
    /// Whether messages were lost. Everything has been read anew since.
    package var overran = false
    /// The families of whose changes a message may have been sent before they were done: a route is announced before it
    /// is removed, a link or an address before the routes over it are. Only a route that was added is there when we
    /// hear of it.
    package var early = AddressFamilies.neither
    /// Whether all that came is the removal of one route: once it shows in the answers, it is done.
    package var isOneRemoval = false
  }

  /// Reads all messages that wait and updates links and addresses by them. Never waits.
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

  /// Reads these links anew, in this order, because the kernel may not have announced yet what has happened to them: it
  /// delays news of a carrier by up to a second, and a question about a link makes it catch up at once
  /// (`linkwatch_sync_dev`).
  ///
  /// - Returns: Whether any of them is another than before.
  package func readAgain(_ links: [Int32]) throws(KernelPathError) -> Bool {
    var isNews = false
    try queries.ask(links.map { NetlinkRequest.link($0) }) { (message, datagram) throws(NetlinkDecodingError) in
      guard message.type == MessageType.newLink else { return }
      let link = try LinkMessage(message, in: datagram)
      // Mostly nothing is new, and then nothing that was concluded has to be concluded again.
      guard link.facts != self.state[link.facts.index]?.link else { return }
      isNews = true
      self.askAnew(.all)
      try self.apply(message, in: datagram)
    }
    return isNews
  }

  /// The routers whose reachability is listened for.
  package var followedRouters: RouterWatch { events?.routers ?? RouterWatch() }

  /// Listens for changes of these routers' reachability, and of no others'.
  ///
  /// - Returns: Whether something may have changed before it was listened for.
  package func follow(_ routers: RouterWatch) -> Bool { events?.follow(routers) ?? false }

  /// Reads links and addresses anew if what is kept of them may be wrong: after an overrun, and again after a
  /// reading that failed.
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
    // Only what is another value ends what is remembered of evaluations.
    if names != networkFacts.networkNames { networkFacts.networkNames = names }
  }

  /// Reads the resolver configuration again, whether or not a change is known.
  package func updateResolver() {
    resolverConfiguration.update()
    revision += 1
  }

  /// Reads the resolver configuration again if its descriptor is readable.
  ///
  /// - Returns: Whether it is; what is read may be the same as before.
  package func updateResolverIfChanged() -> Bool {
    guard resolverConfiguration.updateIfChanged() else { return false }
    revision += 1
    return true
  }

  /// Reads the DHCP leases again, whether or not a change is known.
  ///
  /// - Returns: Whether anything that matters is another than before.
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
  /// - Returns: Whether anything that matters is another than before.
  package func updateLeasesIfChanged() -> Bool { leases.isChanged() && updateLeases() }

  /// Whether a file could not be read the last time. No change of it need come before it can be read:
  /// ``retryFiles()`` has to be called now and then.
  package var hasUnreadFiles: Bool { resolverConfiguration.hasFailed || leases.hasFailed || devices.hasFailed }

  /// Reads the files again that could not be read.
  package func retryFiles() {
    if devices.hasFailed {
      devices.forgetFailures()
      revision += 1
    }
    if resolverConfiguration.hasFailed { updateResolver() }
    if leases.hasFailed { updateLeases() }
  }

  /// Forgets what was answered before: the next evaluation asks for everything. To be called when something may
  /// have changed without a message.
  package func askAnew(_ families: AddressFamilies = .all) {
    answerCache.outdate(families)
  }

  private func apply(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    switch message.type {
    case MessageType.newLink:
      let link = try LinkMessage(message, in: datagram)
      // Other families speak of a bridge port or of IPv6 settings: the port leaving is no device going.
      guard link.family == 0 else { return }
      wirelessNames?.note(link.facts.index)
      if link.isWirelessChatter { return }
      let known = state[link.facts.index]?.link
      guard let merged = link.merged(onto: known) else {
        isDirty = true
        return
      }
      // A link may have come back that others rest on: they are not told of it, so it is read who does.
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

  /// Whether a change is in place by the time it is announced: a new route, and the state of a neighbour.
  private static func isDoneWhenAnnounced(_ message: NetlinkMessage) -> Bool {
    switch message.type {
    case MessageType.newRoute, MessageType.newNeighbour, MessageType.deleteNeighbour: true
    default: false
    }
  }

  /// The families whose routing decisions the change may concern.
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

  /// Reads all links and addresses. A dump that something changed under is repeated a few times; then it is
  /// taken as it is, for the change itself is announced and leads here again.
  private func readAll() throws(KernelPathError) {
    // Until it has been done: when it fails, the next drain tries again.
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
  /// What the resolver configuration says.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// What sysfs says of the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    // Without events nothing tells when an answer has become old.
    if events == nil { askAnew() }
    return try answerCache.answers(to: queries) { (batch) throws(KernelPathError) in try self.queries.ask(&batch) }
  }
}
