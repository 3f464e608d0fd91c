package import PathConfiguration
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The settings of the program: the section `[Connections]` of its files.
package struct ConnectionConfiguration: SectionConfiguration, Hashable {
  /// The time for which an address must be away, and the path satisfied.
  package private(set) var grace = Duration.seconds(5)
  /// The same time for an address that a tunnel had.
  package private(set) var tunnelGrace = Duration.seconds(30)
  /// The connections that are never ended.
  package private(set) var exceptions: [ConnectionException] = []
  /// Whether connections are only named, and not ended.
  package private(set) var isDryRun = false
  /// Whether the journal names each connection.
  package private(set) var namesConnections = false

  package init() {}

  package static let mainName = "connections.conf"
  package static let section = "Connections"
  package static let unit = "pathmonitor-connections.service"

  /// All keys, in the order of the manual.
  package static let keys: [SectionKey<ConnectionConfiguration>] = [
    SectionKey("Grace", allowed: "a time span from 1s to 1h, such as 5s", standard: "5s") { $0.set(\.grace, $1) },
    SectionKey("TunnelGrace", allowed: "a time span from 1s to 1h, such as 30s", standard: "30s") {
      $0.set(\.tunnelGrace, $1)
    },
    SectionKey(
      "Except",
      allowed: """
        addresses, networks such as 10.0.0.0/8, user:NAME for users of this machine, and port:NUMBER, with spaces \
        between
        """, standard: ""
    ) { $0.addExceptions($1) },
    SectionKey("DryRun", allowed: "yes or no", standard: "no") { $0.set(\.isDryRun, $1) },
    SectionKey("LogConnections", allowed: "yes or no", standard: "no") { $0.set(\.namesConnections, $1) },
  ]

  /// The most exceptions. Each connection that would end is compared with all of them.
  private static let limit = 256

  private mutating func set(_ grace: WritableKeyPath<Self, Duration>, _ value: String) -> Bool {
    guard let span = try? TimeSpan.parse(value), (.seconds(1) ... .seconds(3_600)).contains(span) else { return false }
    self[keyPath: grace] = span
    return true
  }

  /// Adds exceptions; an empty value removes those before, as in systemd's files.
  private mutating func addExceptions(_ value: String) -> Bool {
    if value.isEmpty {
      exceptions = []
      return true
    }
    for word in value.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
      guard let exception = ConnectionException(String(Substring(word)), user: { UserDatabase.user(named: $0) }),
        exceptions.count < Self.limit
      else { return false }
      exceptions.append(exception)
    }
    return true
  }

  private mutating func set(_ flag: WritableKeyPath<Self, Bool>, _ value: String) -> Bool {
    guard let isSet = ConfigurationValue.boolean(value) else { return false }
    self[keyPath: flag] = isSet
    return true
  }
}
