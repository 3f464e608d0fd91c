package import PathDecisions

/// The content of one configuration file. A file with a mistake is rejected as a whole.
package struct ConfigurationFile: Hashable, Sendable {
  /// A line of a file, as it was written.
  package struct Setting: Hashable, Sendable {
    /// The key.
    package let key: ConfigurationKey
    /// The text after the equals sign.
    package let value: String
    /// The line, from 1.
    package let line: Int
  }

  /// The location of the file, for messages.
  package let path: String
  /// All settings in their order.
  package let settings: [Setting]
  /// The rule for interfaces; `nil` when the file has no rule.
  package let rule: InterfaceRule?
  /// The changes to the settings of the whole machine, with their lines.
  let changes: [(change: MonitorConfiguration.Change, line: Int)]

  init(
    path: String, settings: [Setting], rule: InterfaceRule?,
    changes: [(change: MonitorConfiguration.Change, line: Int)]
  ) {
    (self.path, self.settings, self.rule, self.changes) = (path, settings, rule, changes)
  }

  /// Parses the text of a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The location of the file, for messages.
  /// - Throws: ``ConfigurationProblem`` with the first mistake, and with the others in its `further`.
  package init(parsing text: String, path: String) throws(ConfigurationProblem) {
    var parser = ConfigurationParser(path: path)
    for (number, line) in ConfigurationText.lines(of: text) where parser.wantsMore { parser.parse(line, at: number) }
    self = try parser.file()
  }

  /// Equality of the paths and the settings; everything else follows from these.
  package static func == (left: ConfigurationFile, right: ConfigurationFile) -> Bool {
    left.path == right.path && left.settings == right.settings
  }

  /// Hashes the properties that `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(settings)
  }
}
