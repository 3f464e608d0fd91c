internal import PathModel

/// The settings of a program with files of its own, which have one section.
package protocol SectionConfiguration: Sendable {
  /// The name of the section.
  static var section: String { get }
  /// The name of the file that is read first.
  static var mainName: String { get }
  /// The unit that reads the files when it starts.
  static var unit: String { get }
  /// The names of all keys, in the order of the manual.
  static var keyNames: [String] { get }

  /// The usual settings.
  init()
  /// Applies the value of a key.
  ///
  /// - Throws: ``ConfigurationProblem`` if the key cannot have the value.
  mutating func set(_ name: String, _ value: String, line: Int) throws(ConfigurationProblem)
}

extension SectionConfiguration {
  /// Applies the text of a file. A file with a mistake changes nothing.
  ///
  /// - Throws: ``ConfigurationProblem`` with the first mistake, and with the others in its `further`.
  package mutating func apply(_ text: String) throws(ConfigurationProblem) {
    var changed = self
    var isInSection = false
    var problems: [ConfigurationProblem] = []
    for (number, line) in ConfigurationText.lines(of: text) where problems.count < 100 {
      do throws(ConfigurationProblem) {
        switch line {
        case .section(let name) where name.exact == Self.section.exact: isInSection = true
        case .assignment(let name, let value):
          try Self.check(name, isInSection: isInSection, line: number)
          try changed.set(name, value, line: number)
        case .section(let name), .openSection(let name):
          throw ConfigurationProblem(
            line: number, message: "there is no section \("[\(name)".quotedInLine); allowed: [\(Self.section)]")
        case .sectionWithText, .nonsense, .tooLong:
          throw ConfigurationProblem(
            line: number,
            message: "this is neither [\(Self.section)], Key=value, nor a comment that starts with '#' or ';'")
        }
      } catch {
        problems.append(error)
      }
    }
    try ConfigurationProblem.throwFirst(of: problems)
    self = changed
  }

  private static func check(_ name: String, isInSection: Bool, line: Int) throws(ConfigurationProblem) {
    guard isInSection else {
      throw ConfigurationProblem(
        line: line,
        message: "\("\(name)=".quotedInLine) stands before any section; write [\(section)] above it")
    }
    guard keyNames.contains(where: { $0.exact == name.exact }) else {
      throw ConfigurationProblem(
        line: line,
        message: """
          there is no key \(name.quotedInLine) in [\(section)]\(Suggestion.text(for: name, among: keyNames)); \
          allowed: \(keyNames.map { "\($0)=" }.joined(separator: ", "))
          """)
    }
  }
}
