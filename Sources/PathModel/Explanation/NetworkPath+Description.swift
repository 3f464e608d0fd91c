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
      let gateway = usesTunnel ? "" : gateways.first.map { " via \($0.description.inOneLine)" } ?? ""
      return "connected over \(first.name.inOneLine) (\(kindInWords(of: first)))\(gateway)"
        + (isExpensive ? ", metered" : "") + (isConstrained ? ", constrained" : "")
    case .unsatisfied: return "offline: \((unsatisfiedReason ?? .noRoute).words.inOneLine)"
    case .requiresConnection: return "not connected yet"
    }
  }

  /// The type of an interface, or "tunnel" for the one that carries the traffic of a tunnelled path.
  package func kindInWords(of interface: NetworkInterface) -> String {
    usesTunnel && interface.index == interfaces.first?.index ? "tunnel" : interface.type.words
  }
}
