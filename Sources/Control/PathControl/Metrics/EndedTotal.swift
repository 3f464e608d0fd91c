internal import PathModel
internal import SystemIO

/// The total of the connections that pathmonitor-connections has ended since it was started.
package enum EndedTotal {
  /// The folder of the program, which systemd removes when it stops.
  private static let folder = "/run/pathmonitor-connections"

  /// Whether the program runs as a unit.
  static var isRunning: Bool { Files.isThere(folder) }

  /// The total; `nil` while the program does not run.
  ///
  /// - Parameter file: The file that the program writes.
  package static func read(_ file: String = "\(folder)/totals.json") -> Int? {
    guard let bytes = try? Files.read(file, limit: 4_096), let value = try? JSONValue(parsing: bytes) else {
      return nil
    }
    return value["ended"]?.integerValue.map { Int($0) }
  }
}
