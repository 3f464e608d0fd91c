/// What an administrator configures for everyone: the section `[Monitor]` of all files.
package struct MonitorConfiguration: Hashable, Sendable {
  /// The destinations that stand for the Internet; `nil` for the standard ones.
  package var probes: ProbeAddresses? { addresses.isEmpty ? nil : ProbeAddresses(addresses) }
  /// How long a change must rest for those who do not say; `nil` for the standard times.
  package private(set) var settle: SettleTimes?
  /// How many connections to the service there can be; `nil` for the standard number.
  package private(set) var connections: Int?
  /// How many connections a user other than root can have; `nil` for the standard number.
  package private(set) var connectionsPerUser: Int?

  private var addresses: [IPAddress] = []

  /// What numbers of connections can be.
  package static let connectionNumbers = 1...65_536

  /// Nothing is configured.
  package init() {}

  /// What a line changes.
  enum Change: Hashable, Sendable {
    /// Adds probes; none takes back what was listed before, as in systemd.
    case probes([IPAddress])
    case settle(SettleTimes?)
    case connections(Int?)
    case connectionsPerUser(Int?)
  }

  /// Takes over a change.
  ///
  /// - Throws: When there would be too many probes.
  mutating func apply(_ change: Change, line: Int) throws(ConfigurationProblem) {
    switch change {
    case .probes([]): addresses = []
    case .probes(let more):
      addresses += more
      for family in IPAddress.Family.allCases
      where addresses.count(where: { $0.family == family }) > ProbeAddresses.limit {
        throw ConfigurationProblem(
          line: line, message: "there are more than \(ProbeAddresses.limit) probes of a family for Probe=")
      }
    case .settle(let times): settle = times
    case .connections(let number): connections = number
    case .connectionsPerUser(let number): connectionsPerUser = number
    }
  }
}
