package import JSON
package import PathConfiguration
internal import PathModel

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
  package static func write(_ reading: ConfigurationFiles.Reading, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("settings")
    writer.beginArray()
    for (setting, path) in reading.configuration.monitorSettings { write(setting, path, to: &writer) }
    for file in reading.configuration.files where file.rule != nil {
      for setting in file.settings where setting.key.section != .monitor { write(setting, file.path, to: &writer) }
    }
    writer.endArray()
    writer.key("files")
    writer.beginArray()
    for (path, outcome) in reading.files {
      writer.beginObject()
      writer.key("path")
      writer.string(path)
      writer.key("counts")
      writer.boolean(outcome == .used)
      writer.key("note")
      if let words = words(outcome) { writer.string(words) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    writer.key("problems")
    writer.beginArray()
    for problem in reading.problems { writer.string(problem.description) }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ setting: ConfigurationFile.Setting, _ path: String, to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [
      ("section", setting.key.section.rawValue), ("key", setting.key.name), ("value", setting.value), ("file", path),
    ] {
      writer.key(key)
      writer.string(value)
    }
    writer.key("line")
    writer.integer(setting.line)
    writer.endObject()
  }
}
