internal import PathModel

/// The settings of a program with files of its own, which have one section.
package protocol SectionConfiguration: Sendable {
  /// The name of the section.
  static var section: String { get }
  /// The name of the file that is read first.
  static var mainName: String { get }
  /// The unit that reads the files when it starts.
  static var unit: String { get }
  /// All keys, in the order of the manual.
  static var keys: [SectionKey<Self>] { get }

  /// The faults of all files together, in a sentence each.
  var notes: [String] { get }

  /// The usual settings.
  init()
}

extension SectionConfiguration {
  /// None.
  package var notes: [String] { [] }
}

/// A key of a section.
package struct SectionKey<Configuration>: Sendable {
  /// The name before the equals sign.
  package let name: String
  /// The values that the key accepts, in words without a full stop.
  package let allowed: String
  /// The value without a file. An empty value stands for it, as in systemd's files.
  package let standard: String
  /// Applies a value, and returns whether it is allowed.
  let set: @Sendable (inout Configuration, String) -> Bool

  /// A key.
  package init(
    _ name: String, allowed: String, standard: String,
    set: @escaping @Sendable (inout Configuration, String) -> Bool
  ) {
    (self.name, self.allowed, self.standard, self.set) = (name, allowed, standard, set)
  }
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
          try changed.set(name, value, isInSection: isInSection, line: number)
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

  private mutating func set(
    _ name: String, _ value: String, isInSection: Bool, line: Int
  ) throws(ConfigurationProblem) {
    guard isInSection else {
      throw ConfigurationProblem(
        line: line,
        message: "\("\(name)=".quotedInLine) stands before any section; write [\(Self.section)] above it")
    }
    guard let key = Self.keys.first(where: { $0.name.exact == name.exact }) else {
      let names = Self.keys.map(\.name)
      throw ConfigurationProblem(
        line: line,
        message: """
          there is no key \(name.quotedInLine) in [\(Self.section)]\(Suggestion.text(for: name, among: names)); \
          allowed: \(names.map { "\($0)=" }.joined(separator: ", "))
          """)
    }
    guard key.set(&self, value.isEmpty ? key.standard : value) else {
      // A password may stand before the sign.
      let isSecret = value.utf8.contains(UInt8(ascii: "@"))
      let words = isSecret ? "this value, which is not shown because of its '@'" : value.quotedInLine
      throw ConfigurationProblem(line: line, message: "\(name)= cannot be \(words); allowed: \(key.allowed)")
    }
  }
}
