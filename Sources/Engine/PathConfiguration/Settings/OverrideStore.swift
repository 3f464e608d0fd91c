internal import Glibc
package import PathModel
package import SystemIO

/// The file that keeps overrides across restarts of the service. Everybody may read it.
package enum OverrideStore {
  /// The reason why the overrides in the file are not used.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, the mistake and the remedy, in one sentence or two.
    package let description: String
    /// Whether the file could not be read at all, so that another attempt may succeed without a change of it.
    package let isFailedReading: Bool
  }

  /// The file of the service when it runs under systemd: systemd-tmpfiles makes the directory.
  private static let usualPath = "/run/pathmonitord/overrides.json"

  /// The file in which the service that listens at the path keeps its overrides.
  ///
  /// - Parameter socket: The path that was named; `nil` for the usual socket.
  package static func path(forSocket socket: String?) -> String {
    // The usual socket is that of the usual service, named or not.
    guard let socket, socket != PathMonitorInterface.socketPath else { return usualPath }
    return "\(socket).overrides"
  }

  /// The overrides in the file; none if there is no file, or if it is from another boot.
  ///
  /// - Parameter consequence: The result of a file that cannot be read, for the message.
  package static func read(
    _ path: String, otherwise consequence: String = "nothing is overridden"
  ) throws(Problem) -> OverrideTable {
    let contents: [UInt8]
    do throws(SystemError) {
      contents = try Files.read(path, trust: trust(in: path))
    } catch {
      if error.errorNumber == ENOENT || error.errorNumber == ENOTDIR { return OverrideTable() }
      throw Problem(description: "\(error.description), so that \(consequence).", isFailedReading: true)
    }
    do {
      let file = try OverrideFile(json: try JSONValue(parsing: contents))
      if let bootID = file.bootID, let present = Self.bootID, bootID != present { return OverrideTable() }
      var table = file.table
      _ = table.removeExpired(at: boottimeMicroseconds())
      return table
    } catch {
      throw Problem(
        description: "\(path) cannot be read, so that \(consequence): \(error). Remove it.", isFailedReading: false)
    }
  }

  /// In the usual place the administrator decides who may put files there: the service, whose user may differ after
  /// each start. Anywhere else a file may be planted.
  private static func trust(in path: String) -> RegularFile.Trust { path == usualPath ? .directory : .ownFiles }

  /// Replaces the file.
  package static func write(_ table: OverrideTable, to path: String) throws(SystemError) {
    var writer = JSONWriter()
    OverrideFile(bootID: bootID, table: table).write(to: &writer)
    writer.appendRaw(UInt8(ascii: "\n"))
    if path == usualPath { try? Files.makeDirectory(Files.directory(of: path)) }
    try Files.replace(path, with: writer.bytes, mode: 0o644)
  }

  /// The number of this boot; `nil` where procfs does not report it.
  private static var bootID: String? {
    guard let contents = try? Files.read("/proc/sys/kernel/random/boot_id") else { return nil }
    return String(decoding: contents.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
