import PathDecisions
import PathModel

/// The options of a command, in pairs of a key and a value.
struct Options {
  private var values: [String: String] = [:]

  /// Pairs; `nil` for an odd number of words.
  init?(_ words: ArraySlice<String>) { self.init(Array(words)) }

  init?(_ words: [String]) {
    guard words.count.isMultiple(of: 2) else { return nil }
    for position in stride(from: 0, to: words.count, by: 2) { values[words[position]] = words[position + 1] }
  }

  subscript(key: String) -> String? { values[key] }

  func has(_ key: String) -> Bool { values[key] != nil }

  /// Whether there are no other keys.
  func isOf(_ keys: Set<String>) -> Bool { keys.isSuperset(of: values.keys) }
}

extension MemoryNetwork {
  /// Performs a command of ip(8) about addresses, routes, rules or neighbours.
  mutating func object(_ words: [String], _ family: IPAddress.Family?) -> Bool {
    guard words.count > 2 else { return false }
    let rest = Array(words.dropFirst())
    return switch words[0] {
    case "addr": address(rest)
    case "route": route(rest, family ?? .ipv4)
    case "rule": rule(rest, family ?? .ipv4)
    case "neigh": neighbour(rest)
    default: false
    }
  }

  private func exists(_ name: String?) -> Bool {
    name.map { name in kernel.state.interfaces.contains { $0.link.name == name } } ?? false
  }

  // MARK: Addresses

  private mutating func address(_ words: [String]) -> Bool {
    if words[0] == "flush" { return flush(words.last ?? "") }
    let flags: [String: AddressFlags] = ["tentative": .tentative, "dadfailed": [.tentative, .duplicate]]
    if let flags = flags[words.last ?? ""], words.count == 5, exists(words[3]), let prefix = Prefix(words[1]) {
      kernel.update(
        AddressFacts(
          interfaceIndex: kernel.index(of: words[3]), address: prefix.address, prefixLength: prefix.length, flags: flags
        )
      )
      return true
    }
    let isScoped = words.suffix(2) == ["scope", "link"]
    let kept = (isScoped ? words.dropLast(2) : words[...]).filter { $0 != "nodad" }
    guard kept.count == 4, kept[2] == "dev", exists(kept[3]) else { return false }
    guard let prefix = Prefix(kept[1]) else { return false }
    // Of an IPv6 address without `nodad` the kernel first finds out whether it is a duplicate.
    let isChecked = prefix.address.family == .ipv6 && !words.contains("nodad")
    // Of two IPv6 addresses the kernel chooses the newer one, and the state does not keep their order.
    let others = kernel.state[kernel.index(of: kept[3])]?.addresses ?? []
    let isSecond =
      prefix.address.family == .ipv6 && others.contains { $0.address.isRoutableSource && $0.address.family == .ipv6 }
    switch kept[0] {
    case "add" where !isChecked && !isSecond:
      kernel.addAddress(prefix, to: kept[3])
      guard prefix.address.family == .ipv4 else { return true }
      kernel.update(
        AddressFacts(
          interfaceIndex: kernel.index(of: kept[3]), address: prefix.address, prefixLength: prefix.length,
          scope: isScoped ? 253 : 0))
    case "del": kernel.removeAddress(prefix, from: kept[3])
    default: return false
    }
    return true
  }

  private mutating func flush(_ name: String) -> Bool {
    guard exists(name) else { return false }
    for address in kernel.state[kernel.index(of: name)]?.addresses ?? [] {
      kernel.removeAddress(Prefix(address.address, address.prefixLength), from: name)
    }
    return true
  }

  // MARK: Routes

  private static let types = [
    "unreachable": RouteType.unreachable, "blackhole": RouteType.blackhole, "prohibit": RouteType.prohibit,
    "throw": RouteType.throw,
  ]

  private mutating func route(_ words: [String], _ family: IPAddress.Family) -> Bool {
    var rest = words.dropFirst()
    let type = rest.first.flatMap { Self.types[$0] }
    if type != nil { rest = rest.dropFirst() }
    guard let word = rest.popFirst(), let prefix = word == "default" && family == .ipv6 ? "::/0" : Prefix(word) else {
      return false
    }
    if let scope = rest.firstIndex(of: "scope") { rest.removeSubrange(scope...(scope + 1)) }
    rest.removeAll { $0 == "inet6" }
    let parts = rest.split(separator: "nexthop", omittingEmptySubsequences: false)
    guard let options = Options(parts[0].filter { $0 != "onlink" }),
      options.isOf(["via", "dev", "metric", "table", "src", "from", "proto", "mtu"])
    else { return false }
    var hops: [RouteSpec.Hop] = []
    for part in parts.count > 1 ? parts.dropFirst() : parts[...] where type == nil {
      guard let hop = Options(part), let made = self.hop(hop) else {
        guard words[0] == "del" else { return false }
        continue
      }
      hops.append(made)
    }
    guard hops.allSatisfy({ exists($0.device) }) else { return false }
    var spec = RouteSpec(prefix, table: options["table"].map { $0 == "main" ? 254 : UInt32($0) ?? 0 } ?? 254)
    (spec.type, spec.hops) = (type ?? RouteType.unicast, hops)
    spec.metric = options["metric"].flatMap { UInt32($0) }
    spec.source = options["src"].flatMap { IPAddress($0) }
    spec.from = options["from"].flatMap { Prefix($0) }
    switch words[0] {
    case "add", "append": kernel.addRoute(spec)
    case "del": return delete(spec)
    case "replace":
      replace(spec)
    default: return false
    }
    return true
  }

  /// The next hop; the device of a router is that in whose network it is.
  private func hop(_ options: Options) -> RouteSpec.Hop? {
    let gateway = options["via"].flatMap { IPAddress($0) }
    if let device = options["dev"] { return RouteSpec.Hop(device: device, gateway: gateway) }
    guard let gateway else { return nil }
    let interface = kernel.state.interfaces.first { interface in
      interface.addresses.contains { $0.address.matches(gateway, prefixLength: Int($0.prefixLength)) }
    }
    return interface.map { RouteSpec.Hop(device: $0.link.name, gateway: gateway) }
  }

  /// Removes the first route that has what the command names.
  private mutating func delete(_ spec: RouteSpec) -> Bool {
    let position = kernel.routes.firstIndex { route in
      let known = route.spec
      let isHop = spec.hops.allSatisfy { hop in
        known.hops.contains { $0.device == hop.device && (hop.gateway == nil || $0.gateway == hop.gateway) }
      }
      return known.destination == spec.destination && known.table == spec.table && known.from == spec.from && isHop
        && (spec.metric == nil || known.effectiveMetric == spec.metric)
        && (spec.type == RouteType.unicast || spec.type == known.type)
    }
    guard let position else { return false }
    kernel.routes.remove(at: position)
    return true
  }

  private mutating func replace(_ spec: RouteSpec) {
    let position = kernel.routes.firstIndex { route in
      route.spec.destination == spec.destination && route.spec.table == spec.table
        && route.spec.effectiveMetric == spec.effectiveMetric && route.spec.from == spec.from
    }
    if let position { kernel.routes.remove(at: position) }
    kernel.addRoute(spec)
    if let position { kernel.routes.insert(kernel.routes.removeLast(), at: position) }
  }

  // MARK: Rules

  private mutating func rule(_ words: [String], _ family: IPAddress.Family) -> Bool {
    var rest = words.dropFirst()
    let isInverted = rest.first == "not"
    if isInverted { rest = rest.dropFirst() }
    let refusals: [String: RuleSpec.Action] = [
      "prohibit": .prohibit, "blackhole": .blackhole, "unreachable": .unreachable,
    ]
    let refusal = rest.compactMap { refusals[$0] }.first
    guard let options = Options(rest.filter { refusals[$0] == nil }),
      options.isOf(["from", "to", "fwmark", "pref", "priority", "lookup", "table", "suppress_prefixlength"])
    else { return false }
    let table = (options["lookup"] ?? options["table"]).map { $0 == "main" ? 254 : UInt32($0) ?? 0 }
    let named = (options["pref"] ?? options["priority"]).flatMap { UInt32($0) }
    if words[0] == "del" {
      return delete(named, options, table, refusal, isInverted, family)
    }
    guard words[0] == "add", let action = refusal ?? table.map({ .lookup(table: $0) }) else { return false }
    // Without a number the kernel takes the one below the first rule that is not 0.
    let least = kernel.rules.filter { $0.family == family }.map(\.priority).min() ?? 32_766
    kernel.addRule(
      RuleSpec(
        named ?? least - 1, action, family: family, to: options["to"].flatMap { Prefix($0) },
        from: options["from"].flatMap { Prefix($0) }, mark: options["fwmark"].flatMap(Self.number),
        isInverted: isInverted, suppressedPrefixLength: options["suppress_prefixlength"].flatMap { Int($0) }))
    return true
  }

  private mutating func delete(
    _ priority: UInt32?, _ options: Options, _ table: UInt32?, _ refusal: RuleSpec.Action?, _ isInverted: Bool,
    _ family: IPAddress.Family
  ) -> Bool {
    let position = kernel.rules.firstIndex { rule in
      let isAction = (refusal ?? table.map { .lookup(table: $0) }).map { $0 == rule.action } ?? true
      let isSource = options["from"].map { Prefix($0)?.ofRule == rule.source } ?? true
      return rule.family == family && (priority ?? rule.priority) == rule.priority && isAction && isSource
        && (rule.isInverted || !isInverted)
    }
    guard let position else { return false }
    kernel.rules.remove(at: position)
    return true
  }

  private static func number(_ text: String) -> UInt32? {
    text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
  }

  // MARK: Neighbours

  private mutating func neighbour(_ words: [String]) -> Bool {
    // A neighbour that answers is as good as one that nobody has asked.
    if words.contains("lladdr"), !words.contains("failed") { return true }
    guard words.count >= 6, words[0] == "replace", words[2] == "dev", exists(words[3]), words[4] == "nud",
      let address = IPAddress(words[1]), let state = RoutingFacts.NeighbourState(rawValue: words[5].uppercased())
    else { return false }
    neighbours.append(NeighbourFacts(.init(address, on: kernel.index(of: words[3])), state))
    return true
  }
}
