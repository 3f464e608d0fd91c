internal import PathModel

/// The lookups on the walk from the links of a path down to the cards. A tunnel sends packets of its own to its server,
/// and a routing domain has tables of its own, so a route of their own leads on from each.
struct WayInquiry {
  /// The lookups of one link.
  private struct Asked {
    var link: Int32
    var queries: [RouteQuery]
  }

  /// The findings so far.
  private(set) var ways: WaysOut
  /// The next questions; empty when none is left.
  private(set) var questions: [RouteQuery] = []
  /// The servers that were looked up.
  private(set) var servers: [IPAddress] = []
  private let state: KernelState
  private let user: UInt32?
  private var asked: [Asked] = []
  /// The links that the walk has passed. Those without an answer may be passed again.
  private(set) var passed: [Int32] = []

  init(_ ways: WaysOut, _ state: KernelState, user: UInt32?) {
    (self.ways, self.state, self.user) = (ways, state, user)
  }

  /// Goes down from a link by which packets to the destinations leave, up to the links whose ways have to be asked for.
  ///
  /// - Parameter servers: The servers of a tunnel for destinations, as far as the view may read them.
  mutating func walk(
    from index: Int32, to destinations: [IPAddress], _ servers: (LinkFacts, [IPAddress]) -> [RouteQuery]?
  ) {
    guard let link = state[index]?.link, !passed.contains(index) else { return }
    passed.append(index)
    if link.isRoutingDomain {
      let queries = destinations.map {
        RouteQuery(destination: $0, kind: .match, interfaceIndex: index, user: user)
      }
      if !queries.isEmpty { ask(queries, about: index) }
    } else if link.role == .tunnel {
      let domain = link.parentIndex.flatMap { state[$0]?.link }.flatMap { $0.isRoutingDomain ? $0.index : nil }
      if let parent = link.parentIndex, domain == nil {
        walk(from: parent, to: link.serverAddress.map { [$0] } ?? [], servers)
      } else if link.lacksLocalAddress(in: state) {
        ways.record([], of: index, .noLocalAddress)
      } else if let server = link.serverAddress {
        // The kernel sends these packets for root.
        ask(
          [
            RouteQuery(
              destination: server, kind: .resolve, interfaceIndex: domain ?? 0, source: link.tunnelSource, user: 0,
              mark: link.tunnelMark)
          ], about: index)
      } else if let queries = servers(link, destinations) {
        ask(queries, about: index)
      }
    } else {
      let walk = CarrierWalk(state, ways)
      if walk.isStacked(link) || link.isLine {
        for lower in walk.lowerLinks(of: link) { self.walk(from: lower.index, to: destinations, servers) }
      }
    }
  }

  private mutating func ask(_ queries: [RouteQuery], about link: Int32) {
    if queries.isEmpty { ways.record([], of: link, .noPeer) }
    asked.append(Asked(link: link, queries: queries))
    questions += queries
  }

  /// Receives the answers to the questions, in their order, and goes on with the walk.
  mutating func receive(
    _ answers: ArraySlice<RouteAnswer>, _ servers: (LinkFacts, [IPAddress]) -> [RouteQuery]?
  ) {
    var rest = answers
    let answered = asked
    (asked, questions) = ([], [])
    // A walk without destinations gets no answer from the tables of a domain or the peers of a tunnel. It does not keep
    // the walk to a server from asking.
    passed.removeAll { index in ways.underlays[index] == nil && !answered.contains { $0.link == index } }
    for asked in answered where !asked.queries.isEmpty {
      let isDomain = state[asked.link]?.link.isRoutingDomain == true
      ways.record(rest.prefix(asked.queries.count), of: asked.link, isDomain: isDomain)
      rest = rest.dropFirst(asked.queries.count)
      guard let legs = ways.underlays[asked.link] else { continue }
      if !isDomain { self.servers += asked.queries.map(\.destination) }
      for leg in legs { walk(from: leg.interfaceIndex, to: asked.queries.map(\.destination), servers) }
    }
  }
}

extension LinkFacts {
  /// Whether the address from which a tunnel over IPv6 sends is on no link, so that the kernel sends nothing
  /// (`ip6_tnl_xmit_ctl` in Linux's `net/ipv6/ip6_tunnel.c`). Over IPv4, the lookup from the address fails by itself.
  func lacksLocalAddress(in state: KernelState) -> Bool {
    guard let source = tunnelSource, source.family == .ipv6, kind?.hasPrefix("ip6") == true else { return false }
    return !state.interfaces.contains { interface in
      interface.addresses.contains { $0.address == source && !$0.flags.contains(.tentative) }
    }
  }
}
