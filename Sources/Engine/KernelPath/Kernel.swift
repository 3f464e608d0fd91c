package import PathDecisions
package import PathModel
internal import SystemIO

/// The kernel as ``KernelView``: its links and addresses, kept current by its messages, and its answers to route
/// lookups. It also reports the users that the policy rules distinguish. It belongs to one thread.
///
/// No evaluation reads the routing table, not even at the start or after an overrun. Explanations of refused lookups
/// read the beginning of a few tables.
package final class Kernel {
  let events: EventSocket?
  let queries: QuerySocket
  let devices: SysfsDevices
  let resolverConfiguration: ResolverConfiguration
  let leases: LeaseFiles
  /// The files with the names of route tables.
  let tableNamePaths: [String]
  /// The devices below PPP links.
  var pppoeLines: PPPoELines
  /// Whether links have changed since the facts that their messages do not have were read.
  var hasLinkNews = true
  /// The directory with the IPv6 settings of each link.
  let ipv6SettingsPath: String
  /// The files that list the datagram sockets.
  let datagramSocketPaths: [String]
  /// The modes of wireless links, and the names of their networks if rules ask for them.
  let wirelessLinks: WirelessLinks
  /// Whether the servers of WireGuard tunnels may be read, as far as the kernel has not refused it.
  var mayReadServers = true
  /// Whether the known links and addresses may be wrong.
  var isStale = false

  /// All that is known, as of the last ``drain()`` and the last reading of each file.
  package private(set) var situation = Situation()
  /// The links and addresses of the ``situation``.
  package var state: KernelState { situation.state }
  /// The changes of addresses in this drain: many messages cost one merging.
  var addressChanges = AddressChanges()
  /// The administrator's rules, and the cached judgements on interfaces.
  package let judgements: JudgementMemory

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
    wirelessLinks = WirelessLinks()
    if let receiveBuffer {
      events = try EventSocket(probes: probes, receiveBuffer: receiveBuffer)
    } else {
      events = nil
    }
    queries = try QuerySocket()
    tableNamePaths = paths.tableNames
    pppoeLines = PPPoELines(paths.pppoeSessions)
    ipv6SettingsPath = paths.ipv6Settings
    datagramSocketPaths = paths.datagramSockets
    devices = SysfsDevices(root: paths.devices)
    resolverConfiguration = ResolverConfiguration(
      path: paths.resolver, upstreamPath: paths.upstreamResolver, isWatching: receiveBuffer != nil)
    leases = LeaseFiles(paths.leases, isWatching: receiveBuffer != nil)
    try readAll()
    try updateRestingLinks()
    updateWirelessLinks()
    apply(.resolver(resolverConfiguration.facts))
    updateLeases()
  }

  /// Applies news to the ``situation``.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  package func apply(_ news: Situation.News) -> Bool { situation.apply(news, at: boottimeMicroseconds()) }

  /// The refusals of the kernel and the system, in words. Each only makes us slower or less sure.
  package var notes: [String] {
    (events?.notes ?? []) + queries.notes + [devices.note].compactMap(\.self) + resolverConfiguration.notes
      + leases.notes
  }
}
