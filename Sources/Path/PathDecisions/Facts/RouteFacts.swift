package import PathModel

/// A question to the kernel's routing decision, `RTM_GETROUTE`. No packet is sent for it.
package struct RouteQuery: Hashable, Sendable {
  /// The kind of a question.
  package enum Kind: Hashable, Sendable {
    /// The decision of connect(2): the interface and the chosen source address.
    case resolve
    /// The entry that matched: its metric, table, gateway, all its legs (`RTM_F_FIB_MATCH`).
    case match
  }

  /// The destination.
  package var destination: IPAddress
  /// The kind of the question.
  package var kind: Kind
  /// The interface that the route must lead over (`RTA_OIF`); 0 for any.
  package var interfaceIndex: Int32
  /// The source address (`RTA_SRC`); `nil` while none has been chosen.
  package var source: IPAddress?
  /// The user (`RTA_UID`); `nil` for our own.
  package var user: UInt32?
  /// The mark of the packets (`RTA_MARK`) of a tunnel whose server the kernel does not tell to everybody; `nil` for
  /// others.
  package var mark: UInt32?

  /// A question; see the properties.
  package init(
    destination: IPAddress, kind: Kind, interfaceIndex: Int32 = 0, source: IPAddress? = nil, user: UInt32? = nil,
    mark: UInt32? = nil
  ) {
    self.destination = destination
    self.kind = kind
    self.interfaceIndex = interfaceIndex
    self.source = source
    self.user = user
    self.mark = mark
  }

  /// Whether this asks for the entry that matches the destination of an unbound socket.
  var isUnboundMatch: Bool { kind == .match && interfaceIndex == 0 }
}

/// The kernel's answer to a ``RouteQuery``. It is indirect, so that a copy adds only a reference: answers are passed on
/// far more often than they are read.
package indirect enum RouteAnswer: Hashable, Sendable {
  /// There is such a route.
  case route(RouteFacts)
  /// There is none: the error number that a connect(2) would give.
  case refused(errorNumber: Int32)
}

/// A route as the kernel answered it.
package struct RouteFacts: Hashable, Sendable {
  /// The type, `RTN_…`: 1 is unicast. Source: `rtm_type`.
  package var type: UInt8
  /// The length of the matched prefix, in bits. Source: `rtm_dst_len`.
  package var prefixLength: UInt8
  /// The routing table. Source: `RTA_TABLE`, else `rtm_table`.
  package var table: UInt32
  /// The priority: the lowest wins. Source: `RTA_PRIORITY`; 0 when absent.
  package var metric: UInt32
  /// The source address the kernel chose. Source: `RTA_PREFSRC`.
  package var source: IPAddress?
  /// The next hops: one leg, or several for a multipath route.
  package var legs: [RouteLeg] {
    get {
      guard let firstLeg else { return [] }
      return otherLegs.isEmpty ? [firstLeg] : [firstLeg] + otherLegs
    }
    set {
      firstLeg = newValue.first
      otherLegs = Array(newValue.dropFirst())
    }
  }
  /// The first or only leg. It is stored apart because nearly all routes have one, and an array costs an allocation.
  package var firstLeg: RouteLeg?
  /// The legs after the first.
  package var otherLegs: [RouteLeg]
  /// The next-hop object that has the next hops, if the answer has none: the kernel leaves them out while
  /// `net.ipv4.nexthop_compat_mode` is 0. Source: `RTA_NH_ID`.
  package var nextHopObject: UInt32?
  /// The time until the route ends, in hundredths of a second. Source: `rta_expires`; `nil` = never.
  package var expires: Int32?
  /// The preference of the router (RFC 4191). Source: `RTA_PREF`, for IPv6 alone.
  package var preference = RouterPreference.medium
  /// Whether the kernel answered a match with a cloned route: it is too old to know `RTM_F_FIB_MATCH`.
  package var isCloned: Bool

  /// A route as answered; everything that is left out is absent.
  package init(
    type: UInt8 = RouteType.unicast, prefixLength: UInt8 = 0, table: UInt32 = 254, metric: UInt32 = 0,
    source: IPAddress? = nil, legs: [RouteLeg] = [], expires: Int32? = nil, isCloned: Bool = false
  ) {
    self.type = type
    self.prefixLength = prefixLength
    self.table = table
    self.metric = metric
    self.source = source
    firstLeg = legs.first
    otherLegs = Array(legs.dropFirst())
    self.expires = expires
    self.isCloned = isCloned
  }
}

/// The preference of a router or route, from low to high. Source: RFC 4191, section 2.1.
package enum RouterPreference: Int8, Hashable, Sendable, Comparable {
  case low = -1
  case medium = 0
  case high = 1

  package static func < (left: RouterPreference, right: RouterPreference) -> Bool { left.rawValue < right.rawValue }
}

/// One next hop of a route.
package struct RouteLeg: Hashable, Sendable {
  /// The interface it leaves by. Source: `RTA_OIF` or `rtnh_ifindex`.
  package var interfaceIndex: Int32
  /// The router, also of the other family. Source: `RTA_GATEWAY` or `RTA_VIA`; `nil` on point-to-point links.
  package var gateway: IPAddress?
  /// Whether the link has no carrier, as the routing table sees it. Source: `RTNH_F_LINKDOWN`.
  package var isLinkDown: Bool
  /// Whether the next hop is dead. Source: `RTNH_F_DEAD`.
  package var isDead: Bool

  /// A next hop.
  package init(interfaceIndex: Int32, gateway: IPAddress? = nil, isLinkDown: Bool = false, isDead: Bool = false) {
    self.interfaceIndex = interfaceIndex
    self.gateway = gateway
    self.isLinkDown = isLinkDown
    self.isDead = isDead
  }
}

extension RouteLeg {
  /// An order of next hops that does not depend on the destination.
  func precedes(_ other: RouteLeg) -> Bool {
    (interfaceIndex, gateway?.high ?? 0, gateway?.low ?? 0)
      < (other.interfaceIndex, other.gateway?.high ?? 0, other.gateway?.low ?? 0)
  }

  /// Whether another leg is the same next hop, in whatever state.
  package func leads(where other: RouteLeg) -> Bool {
    interfaceIndex == other.interfaceIndex && gateway == other.gateway
  }
}

/// The route types that are named in explanations, `RTN_…` in `linux/rtnetlink.h`.
package enum RouteType {
  /// `RTN_UNICAST`: a gateway or direct route; the only type that carries traffic.
  package static let unicast: UInt8 = 1
  /// `RTN_LOCAL`: the destination is this machine.
  package static let local: UInt8 = 2
  /// `RTN_BROADCAST`: every host of a network.
  package static let broadcast: UInt8 = 3
  /// `RTN_MULTICAST`: the members of a group.
  package static let multicast: UInt8 = 5
  /// `RTN_BLACKHOLE`: dropped.
  package static let blackhole: UInt8 = 6
  /// `RTN_UNREACHABLE`: answered with "host unreachable".
  package static let unreachable: UInt8 = 7
  /// `RTN_PROHIBIT`: answered with "administratively prohibited".
  package static let prohibit: UInt8 = 8
  /// `RTN_THROW`: goes on in the next table.
  package static let `throw`: UInt8 = 9

  /// The name as `ip route` prints it.
  package static func name(_ type: UInt8) -> String {
    let names = [
      "unspecified", "unicast", "local", "broadcast", "anycast", "multicast", "blackhole", "unreachable", "prohibit",
      "throw", "nat", "xresolve",
    ]
    return Int(type) < names.count ? names[Int(type)] : "type \(type)"
  }
}
