package import PathDecisions
package import PathModel
package import SystemIO

/// A connection in the list of `pathctl connections`.
package struct ListedConnection: Sendable {
  /// The way of packets to the other end, as the kernel decides now.
  package enum Route: Hashable, Sendable {
    /// Over the interface with this name.
    case over(String)
    /// To this machine itself.
    case here
    /// None.
    case none
  }

  /// The facts of the kernel.
  package var facts: ConnectionFacts
  /// The process that has the connection open; `nil` when it does not show itself to this user.
  package var owner: SocketOwners.Owner?
  /// The interface that the socket is bound to, or else the one that has its address; `nil` when none has it.
  package var interface: String?
  /// Whether the machine has the address of the connection.
  package var hasSource: Bool
  /// Whether the network has given up the prefix of the address; see ``NetworkInterface/deprecatedPrefixes``.
  package var isPrefixDeprecated: Bool
  /// The way to the other end.
  package var route: Route

  /// A connection.
  package init(
    _ facts: ConnectionFacts, owner: SocketOwners.Owner? = nil, interface: String?, hasSource: Bool,
    isPrefixDeprecated: Bool = false, route: Route
  ) {
    (self.facts, self.owner, self.interface) = (facts, owner, interface)
    (self.hasSource, self.isPrefixDeprecated, self.route) = (hasSource, isPrefixDeprecated, route)
  }

  /// Whether packets still leave over the interface on which the connection began; `nil` when that is not known any
  /// more.
  package var isRouteUnchanged: Bool? {
    switch route {
    case .here: true
    case .none: interface == nil ? nil : false
    case .over(let name): interface.map { $0.exact == name.exact }
    }
  }

  /// The row of the table. No cell is empty, so each column has its place in every list.
  var row: [String] {
    let route =
      switch self.route {
      case .here: "here"
      case .none: "none"
      case .over(let name): isRouteUnchanged == true ? "same" : "over \(name.inOneLine)"
      }
    let source = !hasSource ? "gone" : isPrefixDeprecated ? "deprecated" : "there"
    return [
      owner?.program.inOneLine ?? "-", "\(facts.local)", "\(facts.remote)", facts.state.words,
      interface?.inOneLine ?? "-", source, route, String(facts.unacknowledgedBytes),
      facts.silence.map { TimeSpan.text(.milliseconds(Int($0))) } ?? "-",
    ]
  }
  /// The names of the columns.
  static let header = [
    "PROGRAM", "LOCAL", "REMOTE", "STATE", "INTERFACE", "SOURCE", "ROUTE", "UNACKNOWLEDGED", "LAST RECEIVED",
  ]

  /// Writes the connection as an object.
  package func write(to writer: inout JSONWriter) {
    let route: JSONValue =
      switch self.route {
      case .over(let name): .string(name)
      case .here: .string("lo")
      case .none: .null
      }
    let object: JSONObject = [
      "program": .text(owner?.program), "process": owner.map { .integer(Int64($0.process)) } ?? .null,
      "user": .integer(Int64(facts.user)),
      "local": .string(facts.local.address.description), "localPort": .integer(Int64(facts.local.port)),
      "remote": .string(facts.remote.address.description), "remotePort": .integer(Int64(facts.remote.port)),
      "state": .string(facts.state.words), "interface": .text(interface), "hasSource": .boolean(hasSource),
      "isPrefixDeprecated": .boolean(isPrefixDeprecated), "routeInterface": route,
      "isRouteUnchanged": .flag(isRouteUnchanged),
      "unacknowledgedBytes": .integer(Int64(facts.unacknowledgedBytes)),
      "millisecondsSinceReceive": facts.silence.map { .integer(Int64($0)) } ?? .null,
    ]
    JSONValue.object(object).write(to: &writer)
  }
}
