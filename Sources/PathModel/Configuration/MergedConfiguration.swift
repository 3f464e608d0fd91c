/// All configuration files together: each adds to what those before it said, or changes it.
package struct MergedConfiguration: Sendable {
  /// What holds for the whole machine.
  package private(set) var monitor = MonitorConfiguration()
  /// The files that were taken, in their order.
  package private(set) var files: [ConfigurationFile] = []

  /// Nothing is configured.
  package init() {}

  /// Takes over a file.
  ///
  /// - Throws: ``ConfigurationProblem`` when it does not go together with those before it; then nothing has changed.
  package mutating func add(_ file: ConfigurationFile) throws(ConfigurationProblem) {
    var changed = monitor
    for (change, line) in file.changes { try changed.apply(change, line: line) }
    monitor = changed
    files.append(file)
  }

  /// The rules of all files, in their order.
  package var rules: InterfaceRules { InterfaceRules(files.compactMap(\.rule)) }

  /// The lines of `[Monitor]` that count, by file and line: not those that later ones have taken back or replaced.
  package var monitorSettings: [(setting: ConfigurationFile.Setting, path: String)] {
    var kept: [(setting: ConfigurationFile.Setting, path: String)] = []
    for file in files {
      for setting in file.settings where setting.key.section == .monitor {
        if setting.value.isEmpty || setting.key.effect != .probe { kept.removeAll { $0.setting.key == setting.key } }
        if !setting.value.isEmpty { kept.append((setting, file.path)) }
      }
    }
    return kept
  }
}
