import PathDecisions
import PathModel

/// The steps as commands for the real kernel.
///
/// A network card is one end of a veth pair; the other end, of the same name, lives in a second namespace,
/// where setting it down pulls the cable.
package struct ScenarioCommands: Hashable, Sendable {
  /// The namespace under test.
  package var near: String
  /// The namespace with the other ends of the cables.
  package var far: String

  /// Commands for two namespaces.
  package init(near: String, far: String) {
    self.near = near
    self.far = far
  }

  /// Makes both namespaces, with a loopback device that is up and no waiting for address collisions.
  package var preparation: [[String]] {
    [["ip", "netns", "add", near], ["ip", "netns", "add", far]]
      + [
        ["net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0"],
        ["net.ipv6.conf.all.accept_ra=0", "net.ipv6.conf.default.accept_ra=0"],
      ].map { ["ip", "netns", "exec", near, "sysctl", "-qw"] + $0 } + [ip("link set lo up")]
  }

  /// Removes both namespaces.
  package var cleanUp: [[String]] {
    [["ip", "netns", "delete", near], ["ip", "netns", "delete", far]]
  }

  /// The commands of a step; none for an expectation.
  package func commands(for step: Scenario.Step) -> [[String]] {
    switch step {
    case .addLink(let name, let index, let kind): add(name, index, kind)
    case .deleteLink(let name): [ip("link delete \(name)")]
    case .rename(let name, let newName):
      [ip("link set \(name) name \(newName)"), ["ip", "-n", far, "link", "set", name, "name", newName]]
    case .setUp(let name): [ip("link set \(name) up")]
    case .setDown(let name): [ip("link set \(name) down")]
    case .carrier(let name, let hasCarrier): [["ip", "-n", far, "link", "set", name, hasCarrier ? "up" : "down"]]
    case .attach(let name, let master): [ip("link set \(name) master \(master)")]
    case .detach(let name): [ip("link set \(name) nomaster")]
    case .addAddress(let prefix, let name):
      [ip("address add \(prefix) dev \(name)" + (prefix.address.isLinkLocal ? " scope link" : ""))]
    case .removeAddress(let prefix, let name): [ip("address delete \(prefix) dev \(name)")]
    case .addRoute(let route): [ip("\(option(route.family)) route add \(text(of: route))")]
    case .deleteRoute(let route): [ip("\(option(route.family)) route delete \(text(of: route))")]
    case .addRule(let rule): [ip("\(option(rule.family)) rule add \(text(of: rule))")]
    case .deleteRule(let rule): [ip("\(option(rule.family)) rule delete \(text(of: rule))")]
    case .sysctl(let ignores):
      [
        ["ip", "netns", "exec", near, "sysctl", "-qw"]
          + ["ipv4", "ipv6"].map { "net.\($0).conf.all.ignore_routes_with_linkdown=\(ignores ? 1 : 0)" }
      ]
    case .expect: []
    }
  }

  private func add(_ name: String, _ index: Int32, _ kind: Scenario.LinkKind) -> [[String]] {
    let head = "link add \(name) index \(index) type \(kind.name)"
    return switch kind {
    case .ethernet:
      [ip("\(head) peer name \(name) netns \(far)"), ["ip", "-n", far, "link", "set", name, "up"]]
    case .tunnel: [ip("\(head) id \(index) dstport 4789")]
    case .bridge, .sink: [ip(head)]
    }
  }

  private func ip(_ words: String) -> [String] { ["ip", "-n", near] + words.split(separator: " ").map(String.init) }

  private func option(_ family: IPAddress.Family) -> String { family == .ipv4 ? "-4" : "-6" }

  private func text(of route: RouteSpec) -> String {
    var text = route.type == RouteType.unicast ? "" : RouteType.name(route.type) + " "
    text += "\(route.destination) table \(route.table)"
    if let metric = route.metric { text += " metric \(metric)" }
    if let source = route.source { text += " src \(source)" }
    if let from = route.from { text += " from \(from)" }
    for hop in route.hops {
      if route.hops.count > 1 { text += " nexthop" }
      if let gateway = hop.gateway { text += " via \(gateway.family == .ipv4 ? "inet" : "inet6") \(gateway)" }
      text += " dev \(hop.device)"
    }
    return text
  }

  private func text(of rule: RuleSpec) -> String {
    var text = (rule.isInverted ? "not " : "") + "preference \(rule.preference)"
    if let destination = rule.destination { text += " to \(destination)" }
    if let source = rule.source { text += " from \(source)" }
    if let mark = rule.mark { text += " fwmark \(mark)" }
    if let users = rule.users { text += " uidrange \(users.lowerBound)-\(users.upperBound)" }
    switch rule.action {
    case .lookup(let table): text += " table \(table)"
    case .prohibit: text += " prohibit"
    case .unreachable: text += " unreachable"
    case .blackhole: text += " blackhole"
    }
    return text + (rule.suppressedPrefixLength.map { " suppress_prefixlength \($0)" } ?? "")
  }
}
