internal import PathDecisions
package import PathEngine
package import PathModel
package import Programs

/// All that is known of one interface, for `pathctl interfaces NAME`.
package struct InterfacePicture: Hashable, Sendable {
  private let listed: ListedInterface
  private let master: String?

  /// The picture of an interface.
  ///
  /// - Parameter master: The bridge, bond or team of which it is a port; `nil` if it is a port of none.
  package init(_ listed: ListedInterface, portOf master: String?) {
    self.listed = listed
    self.master = master
  }

  private static func costWords(_ interface: NetworkInterface) -> String {
    (interface.isExpensive ? "metered" : interface.isExpenseUndetermined ? "unknown" : "unmetered")
      + (interface.isConstrained ? ", constrained" : "")
  }

  /// The lines, without newlines. A value that is not known has no line.
  package func lines(_ style: Style) -> [String] {
    let interface = listed.interface.escaped
    let link = listed.facts?.link
    let addresses = self.addresses.map { $0.state.isEmpty ? $0.address : "\($0.address) (\($0.state))" }
    let rows: [(name: String, values: [String])] = [
      ("use", [use]),
      ("state", [state]),
      ("type", [interface.type.words]),
      ("kind", [link?.kind ?? ""]),
      ("driver", [interface.driver ?? ""]),
      ("cost", [Self.costWords(interface)]),
      ("addresses", addresses),
      ("hardware", [interface.hardwareAddress ?? ""]),
      ("MTU", [interface.mtu.map(String.init) ?? ""]),
      ("also called", link?.alternativeNames ?? []),
      ("port of", [master ?? ""]),
      ("on", interface.underlying),
    ]
    let shown = rows.map { ($0.name, $0.values.filter { !$0.isEmpty }) }.filter { !$0.1.isEmpty }
    let width = shown.map { LineFolding.columns(of: $0.0) }.max() ?? 0
    let room = style.width.map { $0 - width - 4 }
    let lines = shown.flatMap { name, values in
      values.flatMap { Self.folded($0.inOneLine, to: room) }.enumerated().map { index, value in
        let name = index == 0 ? name : ""
        return "  \(LineFolding.padded(style.dim(name), to: width))  \(value)"
      }
    }
    return ["\(style.bold(interface.name)) (index \(interface.index))"] + lines
  }

  /// The interface as one JSON object, with the words of this picture beside it.
  package func write(to writer: inout JSONWriter) {
    let link = listed.facts?.link
    writer.beginObject()
    writer.key("interface")
    listed.interface.write(to: &writer)
    writer.members(of: [
      "use": .string(listed.role.key), "reason": .text(listed.role.reason),
      "operationalState": .text(link?.operationalState.name), "kind": .text(link?.kind), "portOf": .text(master),
      "isUp": .flag(link.map { $0.flags.contains(.up) }), "hasCarrier": .flag(link?.hasCarrier),
      "alternativeNames": .texts(link?.alternativeNames ?? []),
      "allAddresses": .array(
        addresses.map { .object(["address": .string($0.address), "state": .string($0.state)]) }),
    ])
    writer.endObject()
  }

  /// The text in lines that fit the width, unless a word is longer than that. Lines after the first are indented.
  private static func folded(_ text: String, to width: Int?) -> [String] {
    guard let width else { return [text] }
    let words = text.unicodeScalars.split(separator: " ").map(Substring.init)
    return LineFolding.filled(words, first: "", rest: "  ", width)
  }

  // MARK: Parts

  private var use: String {
    guard let reason = listed.role.reason, reason != "not usable" else { return listed.role.words }
    return "not usable: \(reason)"
  }

  /// The state of the link: up or down, its carrier, and the state of RFC 2863.
  private var state: String {
    guard let link = listed.facts?.link else { return "" }
    let carrier = link.hasCarrier.map { $0 ? ", carrier" : ", no carrier" } ?? ""
    return "\(link.flags.contains(.up) ? "up" : "down")\(carrier), operational state \(link.operationalState.name)"
  }

  /// Every address with its state in words; those that a program can use if the others are not known.
  private var addresses: [(address: String, state: String)] {
    guard let facts = listed.facts else { return listed.interface.addresses.map { ($0.description, "") } }
    return facts.addresses.map { ($0.text, $0.stateInWords) }
  }
}

extension AddressFacts {
  /// The state of the address in words; empty for an ordinary one.
  fileprivate var stateInWords: String {
    var words: [String] = []
    if address.isLinkLocal { words.append("link-local") }
    if scope == 254 { words.append("this host only") }
    if flags.contains(.duplicate) {
      words.append("duplicate")
    } else if flags.contains(.tentative) {
      words.append(flags.contains(.optimistic) ? "optimistic" : "tentative")
    }
    if flags.contains(.temporary), address.family == .ipv6 { words.append("temporary") }
    if flags.contains(.deprecated) { words.append("deprecated") }
    if let peer { words.append("peer \(peer)") }
    return words.joined(separator: ", ")
  }
}
