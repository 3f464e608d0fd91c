package import PathModel

/// A path in a few words for people, as status bars show it.
package struct PathSummary: Hashable, Sendable {
  /// The words, by the names that templates have for them.
  package enum Name: String, CaseIterable, Sendable {
    /// `Ethernet eth0`, `offline` or `not known`.
    case summary
    /// `Ethernet`, `Wi-Fi`, `cellular`, `tunnel` or `other`; empty unless connected.
    case kind
    /// `connected`, `offline` or `not known`.
    case connection
    /// `metered` or `unmetered`; empty unless connected, and where the cost is not known.
    case metering
    /// `connected over wwan0, metered`, `offline: no carrier …` or `not known`.
    case brief
    /// The path as a sentence.
    case sentence
    /// `eth0 has no carrier: …`, or the doubt about a path that is connected; empty if nothing is to be said.
    case diagnosis
    /// The next step for an administrator, or empty.
    case advice
  }

  private let path: NetworkPath

  /// The summary of a path.
  package init(_ path: NetworkPath) {
    self.path = path
  }

  private var isConnected: Bool { path.knowledge == .known && path.status == .satisfied }

  /// The words of the name.
  package subscript(name: Name) -> String {
    switch name {
    case .summary: isConnected ? "\(kind) \(path.interfaces.first?.name.inOneLine ?? "")" : connection
    case .kind: kind
    case .connection: connection
    case .metering: isConnected && !path.isMeteringUnknown ? (path.isExpensive ? "metered" : "unmetered") : ""
    case .brief: brief
    case .sentence: path.description
    case .diagnosis: cause?.sentence.inOneLine ?? ""
    case .advice: cause?.advice?.inOneLine ?? ""
    }
  }

  /// The cause of the path's state, or the doubt about it; `nil` if nothing is to be said.
  private var cause: Diagnosis? {
    guard path.knowledge == .known, let cause = path.diagnosis, cause.code != .connected else { return nil }
    return cause
  }

  private var connection: String {
    guard path.knowledge == .known else { return "not known" }
    return isConnected ? "connected" : "offline"
  }

  private var brief: String {
    guard isConnected else { return path.knowledge == .known ? path.description : connection }
    let carrier = path.interfaces.first.map { " over \($0.name.inOneLine)" } ?? ""
    return connection + carrier
      + (path.isExpensive ? ", metered" : path.isExpenseUndetermined ? ", of unknown cost" : "")
      + (path.isConstrained ? ", constrained" : "") + (fault?.words.map { ", \($0)" } ?? "")
  }

  /// The verdict on the answers of the Internet if traffic fails, as far as is known.
  private var fault: PathValidation.State? {
    isConnected && path.validation.state.isFault ? path.validation.state : nil
  }

  private var kind: String {
    guard isConnected else { return "" }
    if path.usesTunnel { return "tunnel" }
    // The word for a cable in a place that has room for few.
    return path.interfaceType == .wiredEthernet ? "Ethernet" : path.interfaceType?.words ?? ""
  }

  // MARK: Waybar

  /// The line for a module of Waybar with `"return-type": "json"`, without its newline (waybar-custom(5)).
  ///
  /// `alt` chooses an icon, and `class` a style. Waybar reads `text` and `tooltip` as markup of Pango, so the special
  /// characters of the markup are escaped.
  package var waybar: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("text")
    writer.string(self[.summary].inMarkup)
    writer.key("alt")
    writer.string(symbol)
    writer.key("tooltip")
    writer.string(tooltip)
    writer.key("class")
    writer.beginArray()
    for word in [symbol, self[.metering], fault?.rawValue ?? ""] where !word.isEmpty { writer.string(word) }
    if path.isConstrained, isConnected { writer.string("constrained") }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The sentence, and the name of the wireless network on a line of its own.
  private var tooltip: String {
    let network = isConnected ? path.interfaces.first?.networkName.map { "network: \($0)" } : nil
    return [path.doubtInWords ?? self[.sentence], network].compactMap { $0?.inMarkup }.joined(separator: "\n")
  }

  /// The kind of the path as a requirement spells it, for icons and styles.
  private var symbol: String {
    guard isConnected else { return path.knowledge == .known ? "offline" : "unknown" }
    if path.usesTunnel { return "vpn" }
    return switch path.interfaceType {
    case .wiredEthernet: "ethernet"
    case .wifi: "wifi"
    case .cellular: "cellular"
    case .loopback, .other, nil: "other"
    }
  }
}
