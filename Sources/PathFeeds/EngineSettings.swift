package import PathEngine
package import PathModel

/// What an engine of a program works with: what the program says, then the administrator's file, then the standard.
package struct EngineSettings {
  /// What is asked.
  package var configuration = PathInquiry.Configuration()
  /// How long a change must rest.
  package var times: SettleTimes

  /// Reads the administrator's file.
  ///
  /// - Parameters:
  ///   - probes: The probes that the program names; `nil` when it does not.
  ///   - settle: How long a change must rest, if the program says.
  ///   - complain: Told of a mistake in the file, which then counts for nothing.
  package init(probes: ProbeAddresses?, settle: Duration?, complain: (String) -> Void = { _ in }) {
    var file = MonitorConfiguration()
    do throws(ConfigurationFiles.Problem) {
      file = try ConfigurationFiles.read(nil)
    } catch {
      complain(error.description)
    }
    if let probes = probes ?? file.probes { configuration.probes = probes }
    times = settle.map { SettleTimes($0) } ?? file.settle ?? .standard
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
