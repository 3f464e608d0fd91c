package import PathEngine
package import PathModel
package import SystemIO

/// What an engine of a program works with: what the program says, then the administrator's files, then the
/// standard.
package struct EngineSettings {
  private let probes: ProbeAddresses?
  private let settle: Duration?
  private let configurationPath: String?
  private let roots: [String]
  private var reading = ConfigurationFiles.Reading()
  /// What is wrong with the administrator's files, one sentence or two for each.
  package private(set) var problems: [String] = []

  /// Reads nothing yet: to be followed by ``read()``.
  ///
  /// - Parameters:
  ///   - probes: The probes that the program names; `nil` when it does not.
  ///   - settle: How long a change must rest, if the program says.
  ///   - configurationPath: The file that counts instead of the usual ones; `nil` for those.
  ///   - roots: The directories of the usual files, the highest rank first.
  package init(
    probes: ProbeAddresses?, settle: Duration?, configurationPath: String? = nil,
    roots: [String] = ConfigurationSelection.roots
  ) {
    self.probes = probes
    self.settle = settle
    self.configurationPath = configurationPath
    self.roots = roots
  }

  /// What is asked.
  package var configuration: PathInquiry.Configuration {
    var configuration = PathInquiry.Configuration()
    configuration.apply(reading.configuration)
    if let probes { configuration.probes = probes }
    return configuration
  }

  /// How long a change must rest.
  package var times: SettleTimes {
    settle.map { SettleTimes($0) } ?? reading.configuration.monitor.settle ?? .standard
  }

  /// Reads the administrator's files. One that was without a mistake before counts as it was then.
  ///
  /// - Returns: Whether anything is said that was not before, or the other way round.
  @discardableResult
  package mutating func read() -> Bool {
    do throws(ConfigurationFiles.Problem) {
      let fresh = try ConfigurationFiles.read(configurationPath, roots: roots, insteadOf: reading)
      problems = fresh.problems.map(\.description)
      defer { reading = fresh }
      return fresh.configuration.files != reading.configuration.files
    } catch {
      problems = [error.description]
      return false
    }
  }

  /// What has to be watched to hear of every change of the files.
  package var places: WatchedPlaces { ConfigurationFiles.places(configurationPath, roots: roots) }

  /// What the service that listens at the path has been told to override.
  ///
  /// - Parameters:
  ///   - socket: The path that was named; `nil` for the usual service.
  ///   - complain: Told when the file cannot be read; then nothing is overridden.
  package static func overrides(forSocket socket: String?, complain: (String) -> Void = { _ in }) -> OverrideTable {
    do throws(OverrideStore.Problem) {
      return try OverrideStore.read(OverrideStore.path(forSocket: socket))
    } catch {
      complain(error.description)
      return OverrideTable()
    }
  }
}
