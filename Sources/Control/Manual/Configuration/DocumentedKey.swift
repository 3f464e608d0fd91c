internal import PathConfiguration
internal import PathModel
internal import PathService

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
  /// The default, in the syntax of the file, empty if that has no syntax for it; `nil` for a key of a rule, because the
  /// shipped file contains no rule.
  package var standard: String?
  /// The default in words; `nil` for a key of a rule.
  package var standardInWords: String?

  /// All keys, in the order of the table.
  package static let all = ConfigurationKey.all.map { key in
    DocumentedKey(
      section: key.section.rawValue, name: key.name, meaning: key.meaning, allowed: key.allowed, example: key.example,
      standard: standard(of: key), standardInWords: standardInWords(of: key))
  }

  private static func standard(of key: ConfigurationKey) -> String? {
    guard case .monitor(let effect) = key.effect else { return nil }
    switch effect {
    case .probe:
      let probes = ProbeAddresses.standard
      return (probes.ipv4 + probes.ipv6).map(\.description).joined(separator: " ")
    case .settle: return ""
    case .connections: return String(PathService.Configuration.standardConnections)
    case .connectionsPerUser: return String(PathService.Configuration.standardConnectionsPerUser)
    }
  }

  private static func milliseconds(_ time: Duration) -> String { "\(Int(time / .milliseconds(1)))ms" }

  private static func standardInWords(of key: ConfigurationKey) -> String? {
    guard key.effect == .monitor(.settle) else { return standard(of: key) }
    let times = SettleTimes.standard
    let (gain, loss) = (milliseconds(times.gain), milliseconds(times.loss))
    return "\(gain) for a change that only adds something, \(loss) for any other"
  }
}
