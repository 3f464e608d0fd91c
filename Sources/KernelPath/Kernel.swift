package import PathModel

/// The kernel as ``KernelView``: what it says of links and addresses, kept current by its messages, and its
/// answers to route lookups. It belongs to one thread.
///
/// The routing table is never read, not even at the start or after an overrun.
package final class Kernel {
  private let events: EventSocket?
  private let queries: QuerySocket
  private let devices: SysfsDevices
  private let resolverConfiguration: ResolverConfiguration
  private var isDirty = false
  private var answerCache = AnswerCache()

  /// The links and addresses as of the last ``drain()``.
  package private(set) var state = KernelState()

  /// What a loop watches: the kernel's messages; `nil` when they are not listened for.
  package var eventDescriptor: Int32? { events?.descriptor }
  /// What a loop watches: changes of the resolver configuration; `nil` when it has to ask now and then.
  package var resolverDescriptor: Int32? { resolverConfiguration.descriptor }

  /// Subscribes, then reads all links and addresses: what changes in between is heard of.
  ///
  /// - Parameters:
  ///   - probes: Decide which route messages the kernel passes on.
  ///   - receiveBuffer: How many bytes of messages the kernel may hold for us; `nil` to listen for no changes at all,
  ///     which is quicker where one answer is all that is wanted.
  ///   - paths: Where sysfs and the resolver configuration are.
  package init(
    probes: ProbeAddresses, receiveBuffer: Int32? = 2 << 20, paths: KernelFilePaths = KernelFilePaths()
  ) throws(KernelPathError) {
    if let receiveBuffer {
      events = try EventSocket(probes: probes, receiveBuffer: receiveBuffer)
    } else {
      events = nil
    }
    queries = try QuerySocket()
    devices = SysfsDevices(root: paths.devices)
    resolverConfiguration = ResolverConfiguration(
      path: paths.resolver, upstreamPath: paths.upstreamResolver, isWatching: receiveBuffer != nil)
    try readAll()
  }

  /// What the kernel or the system refused us, in words; each only makes us slower or less sure.
  package var notes: [String] {
    (events?.notes ?? []) + queries.notes + [devices.note, resolverConfiguration.note].compactMap(\.self)
  }

  // MARK: Events

  /// What a drain brought.
  package struct Harvest: Hashable, Sendable {
    /// How many messages came; any means that the path must be evaluated again.
    package var messages = 0
    /// Whether messages were lost. Everything has been read anew since.
    package var overran = false
  }

  /// Reads all messages that wait and updates links and addresses by them. Never waits.
  package func drain() throws(KernelPathError) -> Harvest {
    guard let events else { return Harvest() }
    let harvest = try events.drain { (message, datagram) throws(NetlinkDecodingError) in
      try self.apply(message, in: datagram)
    }
    if harvest.overran { isDirty = true }
    try bringUpToDate()
    return Harvest(messages: harvest.messages, overran: harvest.overran)
  }

  /// Reads links and addresses anew if what is kept of them may be wrong: after an overrun, and again after a
  /// reading that failed.
  package func bringUpToDate() throws(KernelPathError) {
    if isDirty { try readAll() }
  }

  /// Reads the resolver configuration again. To be called when its descriptor is readable.
  package func updateResolver() {
    resolverConfiguration.update()
  }

  /// Forgets what was answered before: the next evaluation asks for everything. To be called when something may
  /// have changed without a message.
  package func askAnew() {
    answerCache.forgetAll()
  }

  private func apply(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    forgetAnswers(touchedBy: message, in: datagram)
    switch message.type {
    case MessageType.newLink:
      let link = try LinkMessage(message, in: datagram)
      // Other families speak of a bridge port or of IPv6 settings: the port leaving is no device going.
      guard link.family == 0, !link.isWirelessChatter else { return }
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
      state.removeLink(link.facts.index)
    case MessageType.newAddress:
      if let address = try AddressFacts(message, in: datagram) { state.update(address) }
    case MessageType.deleteAddress:
      if let address = try AddressFacts(message, in: datagram) { state.remove(address) }
    default: break  // Routes, rules, next hops and settings are hints only.
    }
  }

  private func forgetAnswers(touchedBy message: NetlinkMessage, in datagram: Span<UInt8>) {
    switch message.type {
    case MessageType.newAddress, MessageType.deleteAddress, MessageType.newRoute, MessageType.deleteRoute,
      MessageType.newRule, MessageType.deleteRule, MessageType.newSettings, MessageType.deleteSettings:
      // All these begin with the family (`struct rtgenmsg`).
      guard !message.payload.isEmpty,
        let family = IPAddress.Family(rawValue: datagram[message.payload.lowerBound])
      else { return answerCache.forgetAll() }
      answerCache.forget(family)
    default: answerCache.forgetAll()
    }
  }

  // MARK: Reading anew

  /// Reads all links and addresses. A dump that something changed under is repeated a few times; then it is
  /// taken as it is, for the change itself is announced and leads here again.
  private func readAll() throws(KernelPathError) {
    // Until it has been done: when it fails, the next drain tries again.
    isDirty = true
    answerCache.forgetAll()
    devices.forgetAll()
    for _ in 1...5 {
      var fresh = KernelState()
      var links = true
      var addresses = true
      links = try queries.dump(NetlinkRequest.allLinks()) { (message, datagram) throws(NetlinkDecodingError) in
        guard message.type == MessageType.newLink else { return }
        fresh.update(try LinkMessage(message, in: datagram).facts)
      }
      addresses = try queries.dump(NetlinkRequest.allAddresses()) {
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

/// Where the kernel and the system keep what is read from files.
package struct KernelFilePaths: Hashable, Sendable {
  /// The directory with an entry for each link.
  package var devices = "/sys/class/net"
  /// The resolver configuration, resolv.conf(5).
  package var resolver = "/etc/resolv.conf"
  /// What systemd-resolved's stub forwards to.
  package var upstreamResolver = "/run/systemd/resolve/resolv.conf"

  /// The usual places.
  package init() {}
}

extension Kernel: KernelView {
  /// What the resolver configuration says.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// What sysfs says of the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    // Without events nothing tells when an answer has become old.
    guard events != nil else { return try self.queries.answers(to: queries) }
    return try answerCache.answers(to: queries) { (missing) throws(KernelPathError) in
      try self.queries.answers(to: missing)
    }
  }
}
