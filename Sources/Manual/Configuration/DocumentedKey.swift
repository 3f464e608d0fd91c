internal import PathModel

/// A key of the configuration files, as the manual tells of it and the shipped file shows it.
package struct DocumentedKey: Hashable, Sendable {
  /// The section it stands in, without brackets.
  package var section: String
  /// What is written before the equals sign.
  package var name: String
  /// What it does, in sentences.
  package var meaning: String
  /// Which values it can have, in words without a full stop.
  package var allowed: String
  /// A value that it can have.
  package var example: String
  /// What counts when it is not there, as it would be written; `nil` for a key of a rule, which the shipped file has
  /// none of.
  package var standard: String?

  /// All keys, in the order of the table.
  package static let all = ConfigurationKey.all.map { key in
    DocumentedKey(
      section: key.section.rawValue, name: key.name, meaning: key.meaning, allowed: key.allowed, example: key.example,
      standard: standard(of: key))
  }

  private static func standard(of key: ConfigurationKey) -> String? {
    guard key.section == .monitor else { return nil }
    if key.effect != .probe { return "" }
    let probes = ProbeAddresses.standard
    return (probes.ipv4 + probes.ipv6).map(\.description).joined(separator: " ")
  }
}
