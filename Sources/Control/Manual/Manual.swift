internal import PathConfiguration

/// The manual pages and the shipped configuration file, generated from the tables of the programs, and the completion
/// functions of the shells.
package enum Manual {
  /// A file of the manual.
  package struct File: Hashable, Sendable {
    /// The name without a folder, such as `pathctl.1`; unique among all files.
    package var name: String
    /// The content, with a newline at the end.
    package var text: String
  }

  /// The manual pages.
  package static var pages: [File] {
    [
      File(name: "pathctl.1", text: ControlPage.text),
      File(name: "pathmonitord.8", text: DaemonPage.text),
      File(name: "pathmonitor-targets.service.8", text: TargetPages.service),
      File(name: "pathmonitor.conf.5", text: ConfigurationPage.text),
      File(name: "pathmonitor-history.conf.5", text: HistoryConfigurationPage.text),
      File(name: "path-online.target.7", text: TargetPages.targets),
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
    pages + completions + [
      File(name: "pathmonitord.conf", text: ConfigurationExample.text),
      File(name: HistoryConfiguration.mainName, text: ConfigurationExample.history),
    ]
  }

  /// The file with the name.
  package static func file(named name: String) -> File? { files.first { $0.name == name } }
}
