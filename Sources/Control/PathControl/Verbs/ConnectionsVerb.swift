package import KernelPath
internal import PathDecisions
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl connections`: lists the TCP connections, and whether anything can come of them.
package struct ConnectionsVerb: Verb {
  package static let name = "connections"
  package static let summary = "List TCP connections, and whether their address is there"
  package static var ownOptions: [Option<ConnectionsVerb>] { [.json] }
  package static let details = """
    A connection whose source is 'gone' can never succeed: its address was removed, and its program may
    wait for many minutes. pathmonitor-connections.service, once enabled, ends such connections; see
    pathmonitor-connections.conf(5). One whose source is 'deprecated' has an IPv6 prefix that the
    network has given up, and may go on or not. INTERFACE is the one that has the address. ROUTE is
    'same' while packets still leave over it. UNACKNOWLEDGED counts bytes, LAST RECEIVED is the time
    since data came. What is not known is '-'. The programs of other users are shown to root alone.
    Sockets that listen are left out.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "they are listed"), (ExitStatus.cannotKnow, "the kernel does not list them"),
  ]
  package static let examples = [
    (purpose: "The connections that can never succeed", lines: "pathctl connections | grep gone")
  ]

  package var invocation = Invocation()

  package init() {}

  /// Asks the kernel, and lists the connections.
  package func run() throws(KernelPathError) -> Int32 {
    let connections = try Self.listed()
    guard invocation.isJSON else {
      if connections.isEmpty { return PathControl.say("no connections\n", ExitStatus.yes) }
      var table = Table(header: ListedConnection.header)
      for connection in connections { table.add(connection.row) }
      return PathControl.say(drawn: table.lines(.forOutput()), ExitStatus.yes)
    }
    return PathControl.say(
      JSONWriter.line {
        $0.beginObject()
        $0.key("connections")
        $0.array(connections) { $1.write(to: &$0) }
        $0.endObject()
      }, ExitStatus.yes)
  }

  private static func listed() throws(KernelPathError) -> [ListedConnection] {
    let connections = try ConnectionTable().connections()
    let kernel = try Kernel(probes: .standard, receiveBuffer: nil)
    var indices: [IPAddress: Int32] = [:]
    for interface in kernel.state.interfaces {
      for address in interface.addresses where indices[address.address] == nil {
        indices[address.address] = interface.link.index
      }
    }
    let delivered = try AddressTable().delivered(among: Set(connections.map(\.local.address)))
    // The kernel refuses a source that is not there.
    let routes = try kernel.answers(
      to: connections.map { connection in
        RouteQuery(
          destination: connection.remote.address, kind: .resolve, interfaceIndex: connection.interfaceIndex,
          source: delivered.contains(connection.local.address) ? connection.local.address : nil,
          user: connection.user)
      })
    let owners = SocketOwners.owners(of: Set(connections.map(\.inode)).subtracting([0]))
    let listed = zip(connections, routes).map { connection, route in
      let index = connection.interfaceIndex != 0 ? connection.interfaceIndex : indices[connection.local.address]
      return ListedConnection(
        connection, owner: owners[connection.inode], interface: index.flatMap { kernel.state[$0]?.link.name },
        hasSource: delivered.contains(connection.local.address),
        isPrefixDeprecated: kernel.state.interfaces.contains { interface in
          interface.deprecatedPrefixes.contains { $0.contains(connection.local.address) }
        }, route: way(of: route, kernel.state))
    }
    return listed.sorted { left, right in
      if left.hasSource != right.hasSource { return right.hasSource }
      return (left.facts.local.description, left.facts.remote.description)
        < (right.facts.local.description, right.facts.remote.description)
    }
  }

  private static func way(of answer: RouteAnswer, _ state: KernelState) -> ListedConnection.Route {
    guard case .route(let route) = answer, let leg = route.firstLeg else { return .none }
    switch route.type {
    case RouteType.local: return .here
    case RouteType.unicast: return .over(state[leg.interfaceIndex]?.link.name ?? "")
    default: return .none
    }
  }
}
