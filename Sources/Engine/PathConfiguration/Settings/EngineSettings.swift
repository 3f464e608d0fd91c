package import PathEngine
package import PathModel
package import SystemIO

/// The settings of an engine: the program's own values, then the administrator's files, then the defaults.
package struct EngineSettings {
  private let probes: ProbeAddresses?
  private let settle: Duration?
  private let configurationPath: String?
  private let roots: [String]
  private var reading = ConfigurationFiles.Reading()
  /// The faults of the administrator's files, in one or two sentences each.
  package private(set) var problems: [String] = []

  /// Reads nothing yet: ``load()`` or ``read()`` does.
  ///
  /// - Parameters:
  ///   - probes: The probes that the program names; `nil` when it does not.
  ///   - settle: The settle time, if the program chooses one.
  ///   - configurationPath: The file that is read instead of the usual ones; `nil` for those.
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

  /// The configuration of the engine.
  package var configuration: PathReader.Configuration {
    var configuration = PathReader.Configuration()
    configuration.rules = reading.rules
    if let probes = probes ?? monitor.probes { configuration.probes = probes }
    return configuration
  }

  /// The settle times.
  package var times: SettleTimes { settle.map { SettleTimes($0) } ?? monitor.settle ?? .standard }

  /// The configuration of the service in the files.
  package var monitor: MonitorConfiguration { reading.configuration.monitor }

  /// Reads the administrator's files. A file that was correct before is used as it was then.
  ///
  /// - Returns: Whether the contents have changed.
  /// - Throws: `ConfigurationFiles.Problem` when the file that the program names cannot be used, and was not read
  ///   before. The settings then stay as they were.
  @discardableResult
  package mutating func load() throws(ConfigurationFiles.Problem) -> Bool {
    let fresh = try ConfigurationFiles.read(configurationPath, roots: roots, insteadOf: reading)
    problems = fresh.problems.map(\.description)
    defer { reading = fresh }
    return fresh.configuration.files != reading.configuration.files || fresh.rules != reading.rules
  }

  /// Reads the administrator's files as ``load()`` does. A file that cannot be used is one of the ``problems``.
  ///
  /// - Returns: Whether the contents have changed.
  @discardableResult
  package mutating func read() -> Bool {
    do throws(ConfigurationFiles.Problem) {
      return try load()
    } catch {
      problems = [error.description]
      return false
    }
  }

  /// The places to watch for every change of the files.
  package var places: WatchedPlaces { ConfigurationFiles.places(configurationPath, roots: roots) }

  /// The overrides of the service that listens at the socket.
  ///
  /// - Parameter complain: Called when the file cannot be read; then nothing is overridden.
  package static func overrides(forSocket socket: String, complain: (String) -> Void) -> OverrideTable {
    do throws(OverrideStore.Problem) {
      return try OverrideStore.read(OverrideStore.path(forSocket: socket))
    } catch {
      complain(error.description)
      return OverrideTable()
    }
  }
}
