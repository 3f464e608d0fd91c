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
      let use =
        switch listed.role {
        case .primary: "carries the traffic"
        case .available: "usable when bound to"
        case .unusable(let why): why.inOneLine
        }
      table.add([
        String(interface.index), interface.name, interface.type.words, use,
        interface.isExpensive ? "yes" : interface.isExpenseUndetermined ? "unknown" : "",
        interface.addresses.map(\.description).joined(separator: " "), interface.underlying.joined(separator: " "),
        interface.driver ?? "", interface.mtu.map(String.init) ?? "",
      ])
    }
    return table.lines(style)
  }
}
