internal import PathTestSupport
internal import SystemIO

/// Random commands of ip(8) on a few links, addresses, routes, rules and next-hop objects.
///
/// Many of them fail, as on a machine where several programs configure the network at once.
package struct RandomOperations {
  private var random: SeededGenerator
  private let cables = ["a0", "a1", "a2"]
  /// The link below others. It stays, as the kernel sends no message about the upper links when it moves or comes back.
  private let base = "p0"
  private let others = ["br0", "mv0", "vx0", "tun0", "b0"]

  /// A new seed each time, or the one of the environment variable `PATHMONITOR_SEED`, to repeat a failure.
  package static let seed = Environment.value("PATHMONITOR_SEED").flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  package func preparation(in namespace: TestNamespace) -> [String] {
    (cables + [base]).flatMap { name in
      ["link add \(name) type veth peer name \(name) netns \(namespace.far)", "link set \(name) up"]
    }
  }

  package mutating func next(in namespace: TestNamespace) -> String {
    switch random.next(below: 10) {
    case 0, 1, 2: link(namespace)
    case 3, 4, 5: address()
    case 6, 7: route()
    case 8: rule()
    default: nextHop()
    }
  }

  /// The next command for the far namespace: cables are pulled and plugged, and links come back.
  package mutating func nextFar(in namespace: TestNamespace) -> String {
    let name = random.pick(cables + [base])
    return random.chance(8)
      ? "link set \(random.pick(cables)) netns \(namespace.near)"
      : "link set \(name) \(random.chance(3) ? "down" : "up")"
  }

  private var anyLink: String {
    mutating get { random.chance(4) ? random.pick(others) : random.pick(cables) }
  }

  private mutating func link(_ namespace: TestNamespace) -> String {
    let name = anyLink
    switch random.next(below: 18) {
    case 0, 1: return "link set \(random.pick([name, base])) down"
    case 2, 3, 4, 5: return "link set \(random.pick([name, base])) up"
    case 6: return "link set \(random.pick([name, base])) mtu \(1_280 + random.next(below: 200))"
    case 7: return "link set \(name) address 02:00:00:00:00:\(10 + random.next(below: 80))"
    case 8: return random.chance(3) ? "link delete \(name)" : "link set \(random.pick([name, base])) nomaster"
    case 9: return "link add \(name) type veth peer name \(name) netns \(namespace.far)"
    case 10: return "link add br0 type bridge"
    case 11: return "link set \(random.pick([name, base])) master br0"
    case 12: return "link add mv0 link \(base) type macvlan mode bridge"
    case 13: return "link add vx0 type vxlan id 7 dev \(base) remote 192.0.2.99 dstport 4789"
    case 14: return "tuntap add dev tun0 mode tun"
    case 15: return "link set \(name) name \(random.pick(["b0", "a0", "a1"]))"
    case 16: return random.chance(4) ? "link set \(name) netns \(namespace.far)" : "link set \(name) up"
    default: return "link set \(name) arp \(random.chance(2) ? "on" : "off")"
    }
  }

  private mutating func address() -> String {
    let verb = random.pick(["add", "add", "add", "replace", "delete"])
    let host = 2 + random.next(below: 4)
    let network = random.next(below: 3)
    let name = anyLink
    switch random.next(below: 9) {
    case 0, 1, 2: return "address \(verb) 192.0.\(2 + network).\(host)/24 dev \(name)"
    case 3, 4: return "address \(verb) 2001:db8:\(network)::\(host)/64 dev \(name)" + (verb == "delete" ? "" : " nodad")
    case 5: return "address \(verb) 198.51.100.\(host) peer 198.51.100.\(100 + network)/32 dev \(name)"
    case 6: return "address \(verb) 169.254.0.\(host)/16 dev \(name) scope link"
    case 7: return "address \(verb) 2001:db8:9::\(host)/64 dev \(name)"
    default:
      return random.chance(4)
        ? "address flush dev \(name)"
        : "address change 192.0.\(2 + network).\(host)/24 dev \(name) valid_lft 900 preferred_lft 0"
    }
  }

  private mutating func route() -> String {
    let verb = random.pick(["add", "add", "replace", "replace", "delete"])
    let network = random.next(below: 3)
    let metric = 10 * random.next(below: 3)
    let name = random.pick(cables)
    let table = random.chance(3) ? " table 100" : ""
    switch random.next(below: 9) {
    case 0, 1, 2: return "route \(verb) default via 192.0.\(2 + network).1 metric \(metric)\(table)"
    case 3, 4: return "route \(verb) ::/0 via 2001:db8:\(network)::1 dev \(name) metric \(metric + 1)\(table)"
    case 5: return "route \(verb) \(random.pick(["0.0.0.0/1", "128.0.0.0/1", "193.0.0.0/8"])) dev \(name)"
    case 6: return "route \(verb) \(random.pick(["unreachable", "blackhole", "prohibit"])) 193.0.14.0/24"
    case 7:
      return "route \(verb) default metric 5 nexthop via 192.0.2.1 nexthop via 192.0.\(3 + network % 2).1"
    default: return "route \(verb) \(random.pick(["unreachable 2001::/16", "2000::/3 dev \(name)"])) metric 7"
    }
  }

  private mutating func rule() -> String {
    let verb = random.chance(3) ? "delete" : "add"
    let priority = 100 + random.next(below: 3)
    return random.pick([
      "rule \(verb) pref \(priority) from all lookup 100", "rule \(verb) pref \(priority) to 193.0.0.0/8 lookup 100",
      "rule \(verb) pref \(priority) from ::/0 lookup 100", "rule \(verb) pref \(priority) to 202.0.0.0/8 prohibit",
    ])
  }

  private mutating func nextHop() -> String {
    let number = 1 + random.next(below: 3)
    switch random.next(below: 6) {
    case 0, 1: return "nexthop replace id \(number) via 192.0.\(1 + number).1 dev \(random.pick(cables))"
    case 2: return "nexthop delete id \(number)"
    case 3: return "nexthop replace id 9 group 1/2"
    case 4: return "route replace default nhid \(random.pick(["1", "2", "9"])) metric 3"
    default: return "route replace 202.12.27.0/24 nhid \(number)"
    }
  }
}
