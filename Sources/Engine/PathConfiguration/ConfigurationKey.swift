internal import PathDecisions
internal import PathModel

/// A key of the configuration files. The parser, its messages and `pathctl config` share this one table; a test holds
/// that the manual and the shipped file have each key.
package struct ConfigurationKey: Hashable, Sendable {
  /// A section, in the order of the manual.
  package enum Section: String, Hashable, Sendable, CaseIterable {
    case monitor = "Monitor"
    case match = "Match"
    case path = "Path"

    /// The section as it is written.
    package var header: String { "[\(rawValue)]" }
  }

  /// The effects of the keys in `[Monitor]`.
  package enum MonitorEffect: Hashable, Sendable, CaseIterable {
    case probe, settle, connections, connectionsPerUser
  }

  /// The effects of the keys in `[Match]`.
  package enum MatchEffect: Hashable, Sendable, CaseIterable {
    case name, type, driver, networkName, hardwareAddress, gateway
  }

  /// The effects of the keys in `[Path]`.
  package enum PathEffect: Hashable, Sendable, CaseIterable {
    case expensive, constrained, ignore, type, preference
  }

  /// The effect of a key, for the parser: it switches over the effects of each section.
  package enum Effect: Hashable, Sendable, CaseIterable {
    case monitor(MonitorEffect)
    case match(MatchEffect)
    case path(PathEffect)

    package static var allCases: [Effect] {
      MonitorEffect.allCases.map(Effect.monitor) + MatchEffect.allCases.map(Effect.match)
        + PathEffect.allCases.map(Effect.path)
    }
  }

  /// The effect of the key.
  package let effect: Effect
  /// The name before the equals sign.
  package let name: String
  /// The name that it had in an earlier version, which is understood, too; `nil` if it had no other.
  var formerName: String?
  /// The values that the key accepts, in words without a full stop.
  package let allowed: String
  /// A value that the key accepts.
  package let example: String

  /// The section of the key.
  package var section: Section {
    switch effect {
    case .monitor: .monitor
    case .match: .match
    case .path: .path
    }
  }

  /// The key as messages show it.
  package var shown: String { "\(name)=" }

  /// All keys, in the order of the manual.
  package static let all: [ConfigurationKey] = [
    ConfigurationKey(
      effect: .monitor(.probe), name: "SampleAddress", formerName: "Probe",
      allowed: "IPv4 and IPv6 addresses in numbers, with spaces between; at most \(ProbeAddresses.limit) of a family",
      example: "10.0.0.1 fd00::1"),
    ConfigurationKey(
      effect: .monitor(.settle), name: "Settle", allowed: "a time span such as 0, 50ms or 1s", example: "200ms"),
    ConfigurationKey(
      effect: .monitor(.connections), name: "Connections",
      allowed: "a number from 1 to \(MonitorConfiguration.connectionNumbers.upperBound)", example: "16384"),
    ConfigurationKey(
      effect: .monitor(.connectionsPerUser), name: "ConnectionsPerUser",
      allowed: "a number from 1 to \(MonitorConfiguration.connectionNumbers.upperBound)", example: "1024"),
    ConfigurationKey(effect: .match(.name), name: "Name", allowed: patterns, example: "wlan* wlp*"),
    ConfigurationKey(
      effect: .match(.type), name: "Type",
      allowed: "one or more of \(typeNames) with spaces between; a '!' before them negates the match",
      example: "wifi cellular"),
    ConfigurationKey(effect: .match(.driver), name: "Driver", allowed: patterns, example: "rndis_host cdc_*"),
    ConfigurationKey(
      effect: .match(.networkName), name: "SSID",
      allowed: patterns + "; names with spaces stand in quotation marks", example: "\"My phone\" Hotel-*"),
    ConfigurationKey(
      effect: .match(.hardwareAddress), name: "HardwareAddress", allowed: patterns, example: "02:1a:11:*"),
    ConfigurationKey(
      effect: .match(.gateway), name: "Gateway",
      allowed: "addresses, networks such as 192.168.43.0/24, and " + patterns, example: "192.168.43.0/24 172.20.10.1"),
    ConfigurationKey(effect: .path(.expensive), name: "Expensive", allowed: booleans, example: "yes"),
    ConfigurationKey(effect: .path(.constrained), name: "Constrained", allowed: booleans, example: "yes"),
    ConfigurationKey(effect: .path(.ignore), name: "Ignore", allowed: booleans, example: "yes"),
    ConfigurationKey(effect: .path(.type), name: "Type", allowed: "one of \(typeNames)", example: "cellular"),
    ConfigurationKey(
      effect: .path(.preference), name: "Preference",
      allowed: """
        a whole number from \(InterfaceRuling.preferences.lowerBound) to \(InterfaceRuling.preferences.upperBound); \
        0 by default
        """, example: "10"),
  ]

  private static let patterns = """
    patterns as for file names (*, ?, [a-z]) with spaces between; a '!' before them negates the match
    """
  static let booleans = "yes or no (also true, on, 1, false, off, 0)"
  private static let typeNames = InterfaceType.requirementNames.joined(separator: ", ")

  /// The key with the name; `nil` when the section has no such key.
  package static func named(_ name: String, in section: Section) -> ConfigurationKey? {
    all.first { $0.section == section && ($0.name == name || $0.formerName == name) }
  }

  /// The names of the section's keys, for messages.
  static func names(in section: Section) -> [String] { all.filter { $0.section == section }.map(\.name) }
}
