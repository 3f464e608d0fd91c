package import PathDecisions
package import PathModel
internal import SystemIO

/// A connection that was ended, or would be.
package struct EndedConnection: Hashable, Sendable {
  /// The connection.
  package let facts: ConnectionFacts
  /// How long its address has been away.
  package let absence: Duration

  /// A connection.
  package init(_ facts: ConnectionFacts, absence: Duration) { (self.facts, self.absence) = (facts, absence) }
}

/// Connections that were ended together, or would be, as one entry of the journal. Pure.
///
/// It names no remote address: the journal is kept, and many may read it.
package struct EndingSummary: Hashable, Sendable {
  /// The most addresses that are named.
  private static let limit = 3

  /// The number of the connections.
  package let count: Int
  /// The addresses, those with the most connections first.
  package let addresses: [IPAddress]
  private let absence: Duration

  /// The summary of connections.
  package init(_ endings: [EndedConnection]) {
    count = endings.count
    addresses = Dictionary(grouping: endings, by: \.facts.local.address)
      .sorted { ($1.value.count, "\($0.key)") < ($0.value.count, "\($1.key)") }.map(\.key)
    absence = endings.map(\.absence).max() ?? .zero
  }

  /// The addresses that the text names.
  package var named: ArraySlice<IPAddress> { addresses.prefix(Self.limit) }

  /// The sentence.
  ///
  /// - Parameter interface: The interface that carries the traffic now.
  package func text(isDryRun: Bool, over interface: String) -> String {
    let others = addresses.count - named.count
    let list = named.map(\.description) + (others > 0 ? ["\(others) other\(others == 1 ? "" : "s")"] : [])
    let time = TimeSpan.text(absence)
    return """
      \(isDryRun ? "would end" : "ended") \(count) connection\(count == 1 ? "" : "s") of \(list.joined(separator: ", ")), \
      which \(addresses.count == 1 ? "was removed \(time)" : "were removed up to \(time)") ago; the path leads over \
      \(interface)
      """
  }
}
