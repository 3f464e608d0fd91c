/// Manual pages and the configuration file as it is shipped, made of the tables of the programs, and the functions by
/// which shells complete their command lines.
package enum Manual {
  /// A file of the manual.
  package struct File: Hashable, Sendable {
    /// What it is called, without a folder, such as `pathctl.1`. No two have the same name.
    package var name: String
    /// What is in it; ends with a newline.
    package var text: String
  }

  /// The manual pages.
  package static var pages: [File] {
    [
      File(name: "pathctl.1", text: ControlPage.text),
      File(name: "pathmonitord.8", text: DaemonPage.text),
      File(name: "pathmonitor.conf.5", text: ConfigurationPage.text),
    ]
  }

  /// The completions, one file for each program and shell.
  package static var completions: [File] {
    ["pathctl", "pathmonitord"].flatMap { name in
      [
        File(name: "\(name).bash", text: ShellFunctions.bash(name)),
        File(name: "\(name).zsh", text: ShellFunctions.zsh(name)),
        File(name: "\(name).fish", text: ShellFunctions.fish(name)),
      ]
    }
  }

  /// All files.
  package static var files: [File] {
    pages + completions + [File(name: "pathmonitord.conf", text: ConfigurationExample.text)]
  }

  /// The file with the name.
  package static func file(named name: String) -> File? { files.first { $0.name == name } }
}
