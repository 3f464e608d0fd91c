internal import Programs
internal import SystemIO

/// A program beside this one, with a library that this one does without.
package struct CompanionProgram: Sendable {
  private let name: String
  /// The purpose, for the message that it is missing.
  private let purpose: String

  /// The program with everything that needs the database of the history.
  package static let history = CompanionProgram(name: "pathmonitor-history", purpose: "reads the history")
  /// The program that asks hosts whether the Internet answers.
  package static let validation = CompanionProgram(name: "pathmonitor-validation", purpose: "asks the Internet")

  /// The places of the program: its folder of an installed tree, then the folder of this program, as in a build.
  ///
  /// - Parameter own: The path of this program; `nil` if it is not known.
  package func places(besides own: String?) -> [String] {
    let folder = own.map { Files.directory(of: $0) } ?? "/usr/bin"
    let parent = Files.directory(of: folder)
    return ["\(parent == "/" ? "" : parent)/libexec/pathmonitor/\(name)", "\(folder)/\(name)"]
  }

  /// The path of the program; `nil` if it is in none of its places.
  var path: String? { places(besides: ProcessImage.path).first(where: Files.exists) }

  /// Runs the program in place of this one. Returns only if that fails, with the exit status.
  ///
  /// - Parameter words: The arguments of the program.
  func run(_ words: [String]) -> Int32 {
    guard let path else {
      PathControl.complain(
        """
        the program that \(purpose) is not installed: there is no \(places(besides: ProcessImage.path)[0]). \
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
