internal import PathModel

/// A key of the configuration files, as the manual and the shipped file show it.
package struct DocumentedKey: Hashable, Sendable {
  /// The name of its section, without brackets.
  package var section: String
  /// The word before the equals sign.
  package var name: String
  /// Its effect, in sentences.
  package var meaning: String
  /// The allowed values, as a phrase without a full stop.
  package var allowed: String
  /// An allowed value.
  package var example: String
  /// The default, in the syntax of the file; `nil` for a key of a rule, because the shipped file contains no rule.
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
