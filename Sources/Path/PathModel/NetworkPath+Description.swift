extension NetworkPath: CustomStringConvertible {
  /// The path in words, such as `connected over eth0 (wired Ethernet) via 192.0.2.1` or
  /// `offline: no carrier …`. For people; programs read the properties.
  public var description: String {
    switch (knowledge, status) {
    case (.unknown, _): return "not known yet"
    case (.stale, _): return "not known now; before: " + statusInWords
    default: return statusInWords
    }
  }

  private var statusInWords: String {
    switch status {
    case .satisfied:
      guard let first = interfaces.first else { return "connected" }
      let gateway = carryingGateway.map { " via \($0.description.inOneLine)" } ?? ""
      return "connected over \(first.name.inOneLine) (\(kindInWords(of: first)))\(gateway)"
        + (isExpensive ? ", metered" : isExpenseUndetermined ? ", of unknown cost" : "")
        + (isConstrained ? ", constrained" : "")
        + (validation.state.words.map { ", \($0)" } ?? "")
    case .unsatisfied: return "offline: \(reasonInWords)\(kindNotRequired)"
    case .requiresConnection: return "not connected yet"
    }
  }

  /// Whether nothing is known of the cost: the path counts as unmetered, and nothing says so.
  package var isMeteringUnknown: Bool { !isExpensive && cost?.confidence == .unknown }

  /// The kind of a path that is not as required, after a colon; empty for other paths. The path itself has no cost any
  /// more, but its interface has.
  private var kindNotRequired: String {
    guard unsatisfiedReason == .requirementNotMet, let first = interfaces.first else { return "" }
    return ": over \(first.name.inOneLine) (\(kindInWords(of: first)))"
      + (first.isExpensive ? ", metered" : first.isExpenseUndetermined ? ", of unknown cost" : "")
      + (first.isConstrained ? ", constrained" : "")
  }

  /// The router of the interface that carries the traffic; `nil` for a tunnel, for the machine itself, and for an
  /// address on the link. A path lists the routers of its interfaces in order, also those of sockets that are bound.
  package var carryingGateway: IPAddress? {
    guard let first = interfaces.first, first.type != .loopback, !usesTunnel else { return nil }
    return gateways.first { gateway in
      first.isOnLink(gateway) || !interfaces.dropFirst().contains { $0.isOnLink(gateway) }
    }
  }

  /// The type of an interface, or "tunnel" for the one that carries the traffic of a tunnelled path.
  package func kindInWords(of interface: NetworkInterface) -> String {
    usesTunnel && interface.index == interfaces.first?.index ? "tunnel" : interface.type.words
  }
}
