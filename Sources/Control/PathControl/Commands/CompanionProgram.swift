internal import Programs
internal import SystemIO

/// The program `pathmonitor-history`, which has everything that needs the database of the history.
package enum CompanionProgram {
  private static let name = "pathmonitor-history"

  /// The places of the program: its folder of an installed tree, then the folder of this program, as in a build.
  ///
  /// - Parameter own: The path of this program; `nil` if it is not known.
  package static func places(besides own: String?) -> [String] {
    let folder = own.map { Files.directory(of: $0) } ?? "/usr/bin"
    let parent = Files.directory(of: folder)
    return ["\(parent == "/" ? "" : parent)/libexec/pathmonitor/\(name)", "\(folder)/\(name)"]
  }

  /// The path of the program; `nil` if it is in none of its places.
  static var path: String? { places(besides: ProcessImage.path).first(where: Files.exists) }

  /// Runs the program in place of this one. Returns only if that fails, with the exit status.
  ///
  /// - Parameter words: The verb of the program, and its arguments.
  static func run(_ words: [String]) -> Int32 {
    guard let path else {
      PathControl.complain(
        """
        the program that reads the history is not installed: there is no \(places(besides: ProcessImage.path)[0]). \
        Install all of PathMonitor, as 'make install' and the package do.
        """)
      return ExitStatus.cannotKnow
    }
    do throws(SystemError) {
      try ProcessImage.replace(with: path, [name] + words)
    } catch {
      PathControl.complain("\(error.description). Is all of PathMonitor of one version, and for this machine?")
      return ExitStatus.cannotKnow
    }
  }
}
