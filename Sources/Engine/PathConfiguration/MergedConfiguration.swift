package import PathDecisions

/// All configuration files together. Each file adds to the settings of the files before it, or changes them.
package struct MergedConfiguration: Sendable {
  /// The settings for the whole machine.
  package private(set) var monitor = MonitorConfiguration()
  /// The files that were added, in their order.
  package private(set) var files: [ConfigurationFile] = []

  /// A configuration without files.
  package init() {}

  /// Adds a file.
  ///
  /// - Throws: ``ConfigurationProblem`` when the file conflicts with those before it; then nothing has changed.
  package mutating func add(_ file: ConfigurationFile) throws(ConfigurationProblem) {
    var changed = monitor
    for (change, line) in file.changes { try changed.apply(change, line: line) }
    monitor = changed
    files.append(file)
  }

  /// The rules of all files, in their order.
  package var rules: InterfaceRules { InterfaceRules(files.compactMap(\.rule)) }

  /// The lines of `[Monitor]` in effect, by file and line. Lines that later ones reset or replace are left out.
  package var monitorSettings: [(setting: ConfigurationFile.Setting, path: String)] {
    var kept: [(setting: ConfigurationFile.Setting, path: String)] = []
    for file in files {
      for setting in file.settings where setting.key.section == .monitor {
        if setting.value.isEmpty || setting.key.effect != .monitor(.probe) {
          kept.removeAll { $0.setting.key == setting.key }
        }
        if !setting.value.isEmpty { kept.append((setting, file.path)) }
      }
    }
    return kept
  }
}
