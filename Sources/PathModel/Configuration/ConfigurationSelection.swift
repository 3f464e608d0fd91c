/// Which of the files in several directories count, by systemd's rules: of files with the same name the one in the
/// directory of the highest rank masks the others, and all that are left are read in the order of their names, whatever
/// directory they are in.
package struct ConfigurationSelection: Hashable, Sendable {
  /// The directories with configuration, the highest rank first: the administrator's, one that is gone at reboot, and
  /// the one of packages.
  package static let roots = ["/etc/pathmonitor", "/run/pathmonitor-config", "/usr/lib/pathmonitor"]
  /// The name of the file that is read first.
  package static let mainName = "pathmonitord.conf"
  /// The name of the directory beside it with the files that are read after it.
  package static let dropInName = "pathmonitord.conf.d"

  /// A file that another one masks.
  package struct Masked: Hashable, Sendable {
    /// The file that does not count.
    package let path: String
    /// The one that does instead.
    package let by: String

    /// A file and the one that counts instead.
    package init(path: String, by: String) {
      self.path = path
      self.by = by
    }
  }

  /// The files that count, in the order in which they are read.
  package private(set) var paths: [String] = []
  /// The files that do not.
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
    var chosen: [String: String] = [:]
    for (directory, names) in directories {
      for name in names.sorted(by: Self.precedes) where name.hasSuffix(".conf") && !name.hasPrefix(".") {
        let path = "\(directory)/\(name)"
        if let winner = chosen[name] { masked.append(Masked(path: path, by: winner)) } else { chosen[name] = path }
      }
    }
    paths += chosen.keys.sorted(by: Self.precedes).compactMap { chosen[$0] }
  }

  /// As bytes, so that the order is the same in every language.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
