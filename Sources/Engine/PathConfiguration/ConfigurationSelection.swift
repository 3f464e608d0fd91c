internal import PathModel

/// The choice among the configuration files of several directories, by systemd's rules. Of files with the same name,
/// the one in the directory of the highest rank masks the others. All files that are not masked are read in the order
/// of their names, whatever their directories.
package struct ConfigurationSelection: Hashable, Sendable {
  /// The directories with configuration, from the highest rank to the lowest: the administrator's, the one that a
  /// reboot empties, and the one of packages.
  package static let roots = ["/etc/pathmonitor", "/run/pathmonitor-config", "/usr/lib/pathmonitor"]
  /// The name of the service's file that is read first.
  package static let mainName = "pathmonitord.conf"

  /// A file that another one masks.
  package struct Masked: Hashable, Sendable {
    /// The file that is not read.
    package let path: String
    /// The file that is read in its place.
    package let by: String
  }

  /// The files that are read, in their order.
  package private(set) var paths: [String] = []
  /// The files that are masked.
  package private(set) var masked: [Masked] = []

  /// Chooses among the files of directories.
  ///
  /// - Parameters:
  ///   - mains: The main files that are there, the highest rank first.
  ///   - directories: The directories of the other files with the names in them, the highest rank first.
  package init(mains: [String], directories: [(path: String, names: [String])]) {
    if let main = mains.first {
      paths.append(main)
      masked += mains.dropFirst().map { Masked(path: $0, by: main) }
    }
    var chosen: [ExactText: String] = [:]
    for (directory, names) in directories {
      for name in names.sorted(by: Self.precedes) where name.hasSuffix(".conf") && !name.hasPrefix(".") {
        let path = "\(directory)/\(name)"
        if let winner = chosen[name.exact] {
          masked.append(Masked(path: path, by: winner))
        } else {
          chosen[name.exact] = path
        }
      }
    }
    paths += chosen.keys.sorted().compactMap { chosen[$0] }
  }

  /// Compares bytes, so that the order is the same in every language.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
