package import PathModel

extension NetworkPath {
  package struct WayError: Error {
    package var word: String
  }

  /// A satisfied path from a text such as `eth0 192.0.2.2/24 via 192.0.2.1, wlan0 metered`: interfaces in their order
  /// with their addresses. The first address of each family of the first interface is the source, unless `from` and
  /// sources stand there. `metered` and `doubtful` say what the traffic costs, and `offline` is a lost path. The index
  /// of an interface follows from its name, unless it stands behind a `#`.
  package static func way(_ text: String) throws -> NetworkPath {
    guard text != "offline" else { return NetworkPath(status: .unsatisfied, knowledge: .known) }
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    var sources: [IPAddress] = []
    for part in text.split(separator: ",") {
      var words = part.split(separator: " ")[...]
      let name = words.removeFirst().split(separator: "#")
      var interface = NetworkInterface(
        name: String(name[0]), index: name.count > 1 ? Int(name[1]) ?? 0 : name[0].utf8.reduce(0) { $0 + Int($1) },
        type: .wiredEthernet)
      var target = ""
      for word in words {
        switch word {
        case "via", "from": target = String(word)
        case "metered": (path.isExpensive, interface.isExpensive) = (true, true)
        case "doubtful":
          path.cost = Cost(
            isExpensive: false, isConstrained: false, confidence: .unknown,
            evidence: [Evidence(source: .lease, verdict: .undetermined, confidence: .unknown, text: "not read")])
        default:
          if let address = NetworkInterface.Address(String(word)) {
            interface.addresses.append(address)
          } else if let address = IPAddress(String(word)) {
            if target == "via" { path.gateways.append(address) } else { sources.append(address) }
          } else {
            throw WayError(word: String(word))
          }
        }
      }
      path.interfaces.append(interface)
    }
    let addresses = path.interfaces.first?.addresses.map(\.address) ?? []
    if sources.isEmpty {
      sources = IPAddress.Family.allCases.compactMap { family in addresses.first { $0.family == family } }
    }
    path.sourceAddresses = sources
    path.supportsIPv4 = sources.contains { $0.family == .ipv4 }
    path.supportsIPv6 = sources.contains { $0.family == .ipv6 }
    return path
  }
}
