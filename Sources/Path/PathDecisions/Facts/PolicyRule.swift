package import PathModel

/// A policy rule, as `ip rule` shows it. Evaluations need its users and whether it names a source; explanations need
/// all of it.
package struct PolicyRule: Hashable, Sendable {
  /// The action of a rule.
  package enum Action: Hashable, Sendable {
    /// The rule asks a table.
    case lookup(table: UInt32)
    /// The rule goes on at the first rule with this priority or a later one.
    case goTo(priority: UInt32)
    /// The rule drops packets: the errno is EINVAL.
    case blackhole
    /// The rule answers with "network unreachable": the errno is ENETUNREACH.
    case unreachable
    /// The rule answers with "administratively prohibited": the errno is EACCES.
    case prohibit
    /// The rule does nothing, or nothing that is known here.
    case none
  }

  /// A network, by its address and the length of its prefix.
  package struct Prefix: Hashable, Sendable {
    /// The address of the network.
    package var address: IPAddress
    /// The length of the prefix, in bits.
    package var length: Int

    /// A network.
    package init(_ address: IPAddress, length: Int) { (self.address, self.length) = (address, length) }
  }

  /// The family whose packets the rule concerns.
  package var family: IPAddress.Family
  /// The place of the rule: the lowest is asked first. Source: `FRA_PRIORITY`; 0 when absent.
  package var priority: UInt32
  /// The action.
  package var action: Action
  /// `from`; `nil` for all.
  package var source: Prefix?
  /// `to`; `nil` for all.
  package var destination: Prefix?
  /// `iif`; `nil` for any.
  package var inputInterface: String?
  /// `oif`; `nil` for any.
  package var outputInterface: String?
  /// `fwmark`, with its mask; `nil` when the rule looks at no mark.
  package var mark: (value: UInt32, mask: UInt32)? {
    get { markValue.map { ($0, markMask) } }
    set { (markValue, markMask) = (newValue?.value, newValue?.mask ?? .max) }
  }
  private var markValue: UInt32?
  private var markMask = UInt32.max
  /// `uidrange`; `nil` for all users, and for a range that ends before it starts. Source: `FRA_UID_RANGE`.
  package var users: ClosedRange<UInt32>?
  /// `ipproto`; `nil` for every protocol.
  package var protocolNumber: UInt8?
  /// Whether the rule looks at ports or at the type of service, which ordinary lookups do not have.
  package var looksAtPacket = false
  /// Whether the rule is for routing domains alone (`l3mdev`).
  package var isForRoutingDomains = false
  /// `suppress_prefixlength`: a route whose prefix is not longer does not count; `nil` when all do.
  package var suppressedPrefixLength: Int?
  /// Whether the rule matches the packets that do not fit (`not`).
  package var isInverted = false

  /// A rule for all packets.
  package init(family: IPAddress.Family, priority: UInt32, action: Action) {
    (self.family, self.priority, self.action) = (family, priority, action)
  }

  /// The table that the rule asks; `nil` when it asks none.
  package var table: UInt32? {
    if case .lookup(let table) = action { table } else { nil }
  }

  /// Whether the rule looks at the source of packets. Source: `src_len`, which is 0 for `from all`.
  package var namesSource: Bool { (source?.length ?? 0) > 0 }

  /// The packets of an ordinary TCP socket, as rules see them: without a mark, from this machine.
  package struct Flow: Hashable, Sendable {
    /// The destination.
    package var destination: IPAddress
    /// The source; `nil` while none has been chosen.
    package var source: IPAddress?
    /// The owner of the socket.
    package var user: UInt32

    /// The packets to a destination.
    package init(to destination: IPAddress, from source: IPAddress? = nil, user: UInt32) {
      (self.destination, self.source, self.user) = (destination, source, user)
    }
  }

  /// Whether the rule matches the packets. Source: `fib_rule_match` in Linux's `net/core/fib_rules.c`, and the
  /// matches of both families.
  package func matches(_ flow: Flow) -> Bool { fits(flow) != isInverted }

  private func fits(_ flow: Flow) -> Bool {
    guard flow.destination.family == family, !isForRoutingDomains, !looksAtPacket, outputInterface == nil else {
      return false
    }
    if let inputInterface, inputInterface != "lo" { return false }
    if let mark, mark.value & mark.mask != 0 { return false }
    if let users, !users.contains(flow.user) { return false }
    if let protocolNumber, protocolNumber != 6 { return false }
    if let destination, !flow.destination.matches(destination.address, prefixLength: destination.length) {
      return false
    }
    guard let source, namesSource else { return true }
    return flow.source?.matches(source.address, prefixLength: source.length) == true
  }

  /// The rules that the kernel asks about the packets, in order, up to one that refuses them.
  ///
  /// - Parameter rules: The rules in the order in which the kernel lists those of a family, which is that of asking.
  package static func asked(by flow: Flow, among rules: [PolicyRule]) -> [PolicyRule] {
    var asked: [PolicyRule] = []
    _ = firstIndex(askedBy: flow, among: rules) { index in
      asked.append(rules[index])
      return false
    }
    return asked
  }

  /// The index of the first of these rules whose index the condition accepts.
  static func firstIndex(
    askedBy flow: Flow, among rules: [PolicyRule], where condition: (Int) -> Bool
  ) -> Int? {
    var least: UInt32 = 0
    // A copy of a rule counts four references, so none is copied (row `fresh`).
    for index in rules.indices
    where rules[index].family == flow.destination.family && rules[index].priority >= least && rules[index].matches(flow)
    {
      switch rules[index].action {
      case .none: continue
      case .goTo(let priority): least = max(least, priority)
      case .lookup, .blackhole, .unreachable, .prohibit:
        if condition(index) { return index }
        if rules[index].table == nil { return nil }
      }
    }
    return nil
  }

  /// The selector as `ip rule` prints it, such as `from 192.0.2.0/24 fwmark 0x1`.
  package var selector: String {
    var words = isInverted ? ["not"] : []
    words.append("from \(source.map(Self.text) ?? "all")")
    if let destination { words.append("to \(Self.text(destination))") }
    if let mark {
      let value = "0x" + String(mark.value, radix: 16)
      words.append("fwmark \(mark.mask == .max ? value : "\(value)/0x" + String(mark.mask, radix: 16))")
    }
    if let inputInterface { words.append("iif \(inputInterface)") }
    if let outputInterface { words.append("oif \(outputInterface)") }
    if isForRoutingDomains { words.append("l3mdev") }
    if let users { words.append("uidrange \(users.lowerBound)-\(users.upperBound)") }
    if let protocolNumber { words.append("ipproto \(protocolNumber)") }
    return words.joined(separator: " ")
  }

  private static func text(_ prefix: Prefix) -> String {
    prefix.length == prefix.address.family.bitWidth ? "\(prefix.address)" : "\(prefix.address)/\(prefix.length)"
  }
}
