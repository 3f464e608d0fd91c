package import PathEngine
package import PathModel

/// What an engine of a program works with: what the program says, then the administrator's files, then the
/// standard.
package struct EngineSettings {
  /// What is asked.
  package var configuration = PathInquiry.Configuration()
  /// How long a change must rest.
  package var times: SettleTimes

  /// Reads the administrator's files.
  ///
  /// - Parameters:
  ///   - probes: The probes that the program names; `nil` when it does not.
  ///   - settle: How long a change must rest, if the program says.
  ///   - configurationPath: The file that counts instead of the usual ones; `nil` for those.
  ///   - complain: Told of each mistake in a file, which then counts for nothing.
  package init(
    probes: ProbeAddresses?, settle: Duration?, configurationPath: String? = nil,
    complain: (String) -> Void = { _ in }
  ) {
    var files = MergedConfiguration()
    do throws(ConfigurationFiles.Problem) {
      let reading = try ConfigurationFiles.read(configurationPath)
      for problem in reading.problems { complain(problem.description) }
      files = reading.configuration
    } catch {
      complain(error.description)
    }
    configuration.apply(files)
    if let probes { configuration.probes = probes }
    times = settle.map { SettleTimes($0) } ?? files.monitor.settle ?? .standard
  }

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
