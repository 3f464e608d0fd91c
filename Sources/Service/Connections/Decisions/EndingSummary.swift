package import PathModel
internal import SystemIO

/// The connections that were ended together, or would be, as one entry of the journal. Pure.
///
/// It names no remote address: the journal is kept, and many may read it.
package struct EndingSummary: Hashable, Sendable {
  /// The number of connections of each address.
  private let counts: [IPAddress: Int]

  /// The summary of connections with these local addresses.
  package init(_ addresses: [IPAddress]) { counts = addresses.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

  /// The addresses that the text names: those with the most connections.
  package var named: [IPAddress] {
    counts.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }.prefix(3).map(\.key)
  }

  /// The sentence.
  ///
  /// - Parameters:
  ///   - absence: How long the first of the addresses has been away.
  ///   - interface: The interface that carries the traffic now.
  package func text(isDryRun: Bool, absence: Duration, over interface: String) -> String {
    let (count, others) = (counts.values.reduce(0, +), counts.count - named.count)
    let list = named.map(\.description) + (others > 0 ? ["\(others) other\(others == 1 ? "" : "s")"] : [])
    return """
      \(isDryRun ? "would end" : "ended") \(count) connection\(count == 1 ? "" : "s") of \
      \(list.joined(separator: ", ")), which \(counts.count == 1 ? "was removed" : "were removed up to") \
      \(TimeSpan.text(absence)) ago; the path leads over \(interface)
      """
  }
}
