/// The kernel's decision about one destination.
package struct RouteSummary: Hashable, Sendable {
  /// The destination.
  package var destination: IPAddress
  /// The interface that packets leave by; `nil` when there is no route.
  package var interface: String?
  /// The router; `nil` when the destination is on the link or is this machine.
  package var gateway: IPAddress?
  /// The source address that the kernel chooses.
  package var source: IPAddress?
  /// The name or number of the route table that has the route.
  package var table: String?
  /// The policy rule that leads to the table, such as `32766 (from all)`.
  package var rule: String?

  /// A destination without a route.
  package init(to destination: IPAddress) { self.destination = destination }

  /// The decision in one line.
  package var words: String {
    guard let interface else { return "\(destination): no route" }
    var text = "\(destination): "
    if let gateway { text += "via \(gateway) " }
    text += "over \(interface)"
    if let source { text += ", source \(source)" }
    if let table { text += ", table \(table)" }
    if let rule { text += ", rule \(rule)" }
    return text.inOneLine
  }
}
