internal import Glibc
package import PathModel
internal import SystemIO

/// Where the administrator's configuration is, and how it is read.
package enum ConfigurationFiles {
  /// The file that is read unless another is named.
  package static let defaultPath = "/etc/pathmonitor/pathmonitord.conf"

  /// Why there is no configuration.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, the line, what is wrong and what helps, in one sentence or two.
    package let description: String
  }

  /// The longest file that is read, in bytes.
  private static let limit = 1 << 20

  /// Reads a configuration file.
  ///
  /// - Parameter path: The file; `nil` for the usual one, which need not exist.
  package static func read(_ path: String?) throws(Problem) -> MonitorConfiguration {
    let contents: [UInt8]
    do throws(SystemError) {
      contents = try Files.read(path ?? defaultPath, limit: limit)
    } catch {
      if path == nil, error.errorNumber == ENOENT { return MonitorConfiguration() }
      throw Problem(description: "\(error.description). Name a file that can be read, or leave --config out.")
    }
    guard contents.count < limit else {
      throw Problem(description: "\(path ?? defaultPath) has more than \(limit) bytes. Shorten it.")
    }
    do throws(MonitorConfiguration.Problem) {
      return try MonitorConfiguration(parsing: String(decoding: contents, as: UTF8.self))
    } catch {
      throw Problem(
        description: """
          \(path ?? defaultPath), \(error.description). The file is not used; mend the line, then reload.
          """)
    }
  }
}
