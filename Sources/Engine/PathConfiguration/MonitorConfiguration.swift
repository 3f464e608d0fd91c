package import PathModel

/// The settings that an administrator makes for everyone: the section `[Monitor]` of all files.
package struct MonitorConfiguration: Hashable, Sendable {
  /// The destinations that stand for the Internet; `nil` for the standard ones.
  package var probes: ProbeAddresses? { addresses.isEmpty ? nil : ProbeAddresses(addresses) }
  /// The settle time for subscribers that name none; `nil` for the standard times.
  package private(set) var settle: SettleTimes?
  /// The most connections to the service; `nil` for the standard number.
  package private(set) var connections: Int?
  /// The most connections of a user other than root; `nil` for the standard number.
  package private(set) var connectionsPerUser: Int?

  private var addresses: [IPAddress] = []

  /// The range of both limits of connections.
  package static let connectionNumbers = 1...65_536

  /// A configuration without settings.
  package init() {}

  /// The change that a line makes.
  enum Change: Hashable, Sendable {
    /// Adds probes; an empty list removes the ones listed before, as in systemd.
    case probes([IPAddress])
    case settle(SettleTimes?)
    case connections(Int?)
    case connectionsPerUser(Int?)
  }

  /// Applies a change.
  ///
  /// - Throws: ``ConfigurationProblem`` when a family would have too many sample addresses.
  mutating func apply(_ change: Change, line: Int) throws(ConfigurationProblem) {
    switch change {
    case .probes([]): addresses = []
    case .probes(let more):
      addresses += more
      for family in IPAddress.Family.allCases
      where addresses.count(where: { $0.family == family }) > ProbeAddresses.limit {
        throw ConfigurationProblem(
          line: line, message: "there are more than \(ProbeAddresses.limit) addresses of a family for SampleAddress=")
      }
    case .settle(let times): settle = times
    case .connections(let number): connections = number
    case .connectionsPerUser(let number): connectionsPerUser = number
    }
  }
}
