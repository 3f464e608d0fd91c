package import PathEngine
internal import PathModel
package import Programs

/// The table of `pathctl interfaces`.
package enum InterfaceList {
  /// The lines, without newlines.
  package static func lines(_ interfaces: [ListedInterface], _ style: Style) -> [String] {
    if interfaces.isEmpty { return ["no interface but loopback"] }
    var table = Table(header: ["INDEX", "INTERFACE", "TYPE", "USE", "METERED", "ADDRESSES", "ON", "DRIVER", "MTU"])
    for listed in interfaces {
      let interface = listed.interface.escaped
      table.add([
        String(interface.index), interface.name, interface.type.words, listed.role.words.inOneLine,
        interface.isExpensive ? "yes" : interface.isExpenseUndetermined ? "unknown" : "",
        interface.addresses.map(\.description).joined(separator: " "), interface.underlying.joined(separator: " "),
        interface.driver ?? "", interface.mtu.map(String.init) ?? "",
      ])
    }
    return table.lines(style)
  }
}

extension ListedInterface.Role {
  /// The role in JSON.
  var key: String {
    switch self {
    case .primary: "primary"
    case .available: "available"
    case .unusable: "unusable"
    }
  }

  /// The role for people.
  var words: String {
    switch self {
    case .primary: "carries the traffic"
    case .available: "usable when bound to"
    case .unusable(let why): why
    }
  }

  /// The reason why it carries no traffic.
  var reason: String? {
    guard case .unusable(let why) = self else { return nil }
    return why
  }
}
