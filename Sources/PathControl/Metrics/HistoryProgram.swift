internal import SystemIO

/// The program that reads the history of the path.
enum HistoryProgram {
  /// The places where it may be: the folder of an installed tree, then that of this program, as in a build.
  static var places: [String] {
    let folder = Files.linkTarget("/proc/self/exe").map { Files.directory(of: $0) } ?? "/usr/bin"
    let above = Files.directory(of: folder)
    let name = "pathmonitor-history"
    return ["\(above == "/" ? "" : above)/libexec/pathmonitor/\(name)", "\(folder)/\(name)"]
  }
}
