package import PathConfiguration
package import PathModel

/// The configuration as `pathctl config` prints it: the settings in effect, each part below a comment that names its
/// source.
package enum ConfigurationPicture {
  /// As text, in the syntax of the files.
  package static func text(_ reading: ConfigurationFiles.Reading) -> String {
    var blocks: [[String]] = []
    let monitor = reading.configuration.monitorSettings
    if !monitor.isEmpty {
      blocks.append(
        ["[Monitor]"]
          + monitor.flatMap { ["# \($0.path):\($0.setting.line)", "\($0.setting.key.shown)\($0.setting.value)"] })
    }
    for file in reading.configuration.files where file.rule != nil {
      var lines = ["# \(file.path)"]
      for section in [ConfigurationKey.Section.match, .path] {
        lines.append(section.header)
        lines += file.settings.filter { $0.key.section == section }.map { "\($0.key.shown)\($0.value)" }
      }
      blocks.append(lines)
    }
    let others = reading.files.compactMap { file in words(file.outcome).map { "# \(file.path) \($0)" } }
    if !others.isEmpty { blocks.append(others) }
    if blocks.isEmpty { blocks = [["# nothing is configured"]] }
    return blocks.map { $0.map { "\($0.inOneLine)\n" }.joined() }.joined(separator: "\n")
  }

  /// The words about a file that is not used as it is; `nil` for a file that is.
  private static func words(_ outcome: ConfigurationFiles.ReadOutcome) -> String? {
    switch outcome {
    case .used: nil
    case .empty: "has no settings"
    case .masked(let winner): "is not used: \(winner) is used instead"
    case .skipped: "is not used: it has a mistake"
    case .kept: "is used as it was before: it has a mistake"
    }
  }

  /// As one JSON object.
  package static func json(_ reading: ConfigurationFiles.Reading) -> JSONObject {
    let monitor = reading.configuration.monitorSettings.map { json($0.setting, $0.path) }
    let rules = reading.configuration.files.filter { $0.rule != nil }.flatMap { file in
      file.settings.filter { $0.key.section != .monitor }.map { json($0, file.path) }
    }
    let files = reading.files.map { path, outcome in
      JSONValue.object(["path": .string(path), "counts": .boolean(outcome == .used), "note": .text(words(outcome))])
    }
    return [
      "settings": .array(monitor + rules), "files": .array(files),
      "problems": .texts(reading.problems.map(\.description)),
    ]
  }

  private static func json(_ setting: ConfigurationFile.Setting, _ path: String) -> JSONValue {
    .object([
      "section": .string(setting.key.section.rawValue), "key": .string(setting.key.name),
      "value": .string(setting.value), "file": .string(path), "line": .integer(Int64(setting.line)),
    ])
  }
}
