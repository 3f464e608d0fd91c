internal import PathDecisions
internal import PathModel

/// A key of the configuration files. The parser, its messages, `pathctl config` and the manual share this one table.
package struct ConfigurationKey: Hashable, Sendable {
  /// A section, in the order of the manual.
  package enum Section: String, Hashable, Sendable, CaseIterable {
    case monitor = "Monitor"
    case match = "Match"
    case path = "Path"

    /// The section as it is written.
    package var header: String { "[\(rawValue)]" }
    /// The purpose of the section, in a sentence without a full stop.
    package var meaning: String {
      switch self {
      case .monitor: "What holds for the whole machine"
      case .match: "Which interfaces a rule means: those that fit every key that is given"
      case .path: "The values of these interfaces; they take precedence over detected ones"
      }
    }
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
  /// The meaning, in sentences.
  package let meaning: String
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
      meaning: """
        The addresses whose routes stand for the Internet; no packet is sent to them. Each line adds to the list, and \
        an empty value empties it. A family without a sample address is never supported. Probe= is the same.
        """,
      allowed: "IPv4 and IPv6 addresses in numbers, with spaces between; at most \(ProbeAddresses.limit) of a family",
      example: "10.0.0.1 fd00::1"),
    ConfigurationKey(
      effect: .monitor(.settle), name: "Settle",
      meaning: "How long a change must last before it is published to clients that set no time.",
      allowed: "a time span such as 0, 50ms or 1s", example: "200ms"),
    ConfigurationKey(
      effect: .monitor(.connections), name: "Connections",
      meaning: "How many connections to the service there can be at a time.",
      allowed: "a number from 1 to \(MonitorConfiguration.connectionNumbers.upperBound)", example: "16384"),
    ConfigurationKey(
      effect: .monitor(.connectionsPerUser), name: "ConnectionsPerUser",
      meaning: "How many connections each user other than root can have at a time.",
      allowed: "a number from 1 to \(MonitorConfiguration.connectionNumbers.upperBound)", example: "1024"),
    ConfigurationKey(
      effect: .match(.name), name: "Name",
      meaning: "The name of the interface, or one of its alternative names.",
      allowed: patterns, example: "wlan* wlp*"),
    ConfigurationKey(
      effect: .match(.type), name: "Type",
      meaning: "The detected type of the interface. A Type= of another rule does not change it.",
      allowed: "one or more of \(typeNames) with spaces between; a '!' before them negates the match",
      example: "wifi cellular"),
    ConfigurationKey(
      effect: .match(.driver), name: "Driver",
      meaning: "The kernel driver, as 'pathctl interfaces' lists it. Virtual interfaces have none.",
      allowed: patterns, example: "rndis_host cdc_*"),
    ConfigurationKey(
      effect: .match(.networkName), name: "SSID",
      meaning: """
        The name of the wireless network that the interface is connected to. As long as it is not known, the rule \
        does not apply.
        """,
      allowed: patterns + "; names with spaces stand in quotation marks", example: "\"My phone\" Hotel-*"),
    ConfigurationKey(
      effect: .match(.hardwareAddress), name: "HardwareAddress",
      meaning: "The link-layer address of the interface, in either case.",
      allowed: patterns, example: "02:1a:11:*"),
    ConfigurationKey(
      effect: .match(.gateway), name: "Gateway",
      meaning: "The address of a router that is reached over the interface.",
      allowed: "addresses, networks such as 192.168.43.0/24, and " + patterns, example: "192.168.43.0/24 172.20.10.1"),
    ConfigurationKey(
      effect: .path(.expensive), name: "Expensive",
      meaning: "Whether traffic costs money or counts against a quota.", allowed: booleans, example: "yes"),
    ConfigurationKey(
      effect: .path(.constrained), name: "Constrained",
      meaning: "Whether programs are asked to use little data.", allowed: booleans, example: "yes"),
    ConfigurationKey(
      effect: .path(.ignore), name: "Ignore",
      meaning: """
        Whether the interface is ignored: no path uses it. If the kernel sends over it all the same, the path is \
        unsatisfied.
        """,
      allowed: booleans, example: "yes"),
    ConfigurationKey(
      effect: .path(.type), name: "Type",
      meaning: "The type of the interface, where it is not detected or detected wrongly.",
      allowed: "one of \(typeNames)", example: "cellular"),
    ConfigurationKey(
      effect: .path(.preference), name: "Preference",
      meaning: """
        Where the interface stands among those that are usable but do not carry the traffic; the greatest comes \
        first. Which one carries the traffic is the kernel's decision.
        """,
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
