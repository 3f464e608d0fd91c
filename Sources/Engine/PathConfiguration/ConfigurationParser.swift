internal import PathDecisions
internal import PathModel

/// Makes a ``ConfigurationFile`` of lines, and collects their mistakes.
///
/// A mistake that only follows from an earlier one is not reported: a section that is misspelt has no keys, and a
/// section whose only line is rejected is not empty.
struct ConfigurationParser {
  /// The place of a line.
  private enum Place {
    case beforeSections
    case section(ConfigurationKey.Section)
    /// Below a section that was rejected.
    case nowhere
  }

  /// The most mistakes that are collected: a file of another kind has one in each line.
  private static let mostProblems = 100

  private let path: String
  private var settings: [ConfigurationFile.Setting] = []
  private var changes: [(change: MonitorConfiguration.Change, line: Int)] = []
  private var match = InterfaceMatch()
  private var ruling = InterfaceRuling()
  private var place = Place.beforeSections
  /// The line of each section's header.
  private var headers: [ConfigurationKey.Section: Int] = [:]
  private var problems: [ConfigurationProblem] = []
  private var hasRejectedSection = false
  /// The sections with a line that was rejected.
  private var incomplete: Set<ConfigurationKey.Section> = []

  /// A parser for the file at the path.
  init(path: String) {
    self.path = path
  }

  /// Whether further mistakes are collected.
  var wantsMore: Bool { problems.count < Self.mostProblems }

  /// Parses the next line of the file.
  mutating func parse(_ line: ConfigurationText.Line, at number: Int) {
    do throws(ConfigurationProblem) {
      switch line {
      case .section(let name): try begin(name, number)
      case .assignment(let name, let value): try assign(value, to: name, number)
      case .openSection(let name):
        throw reject(number, "\("[\(name)".quotedInLine) lacks the closing bracket of a section, ']'")
      case .sectionWithText:
        throw reject(number, "there is text behind the closing bracket; a section has its line for itself")
      case .tooLong:
        throw ConfigurationProblem(
          line: number, message: "the line has more than \(ConfigurationText.longestLine) bytes; write several")
      case .nonsense:
        throw ConfigurationProblem(
          line: number, message: "this is neither a section, Key=value, nor a comment that starts with '#' or ';'")
      }
    } catch {
      problems.append(error)
      if case .section(let section) = place { incomplete.insert(section) }
    }
  }

  /// The file, after its last line.
  ///
  /// - Throws: ``ConfigurationProblem`` with the first mistake, and with the others in its `further`.
  func file() throws(ConfigurationProblem) -> ConfigurationFile {
    var problems = problems
    var rule: InterfaceRule?
    do throws(ConfigurationProblem) {
      rule = try self.rule()
    } catch {
      problems.append(error)
    }
    try ConfigurationProblem.throwFirst(of: problems)
    return ConfigurationFile(path: path, settings: settings, rule: rule, changes: changes)
  }

  // MARK: Sections

  /// The error for a line that was to begin a section; what follows belongs to no section.
  private mutating func reject(_ line: Int, _ message: String) -> ConfigurationProblem {
    place = .nowhere
    hasRejectedSection = true
    return ConfigurationProblem(line: line, message: message)
  }

  private mutating func begin(_ name: String, _ line: Int) throws(ConfigurationProblem) {
    guard let section = ConfigurationKey.Section(rawValue: name) else {
      let names = ConfigurationKey.Section.allCases
      throw reject(
        line,
        """
        there is no section \("[\(name)]".quotedInLine)\
        \(Suggestion.text(for: name, among: names.map(\.rawValue))); allowed: \
        \(names.map(\.header).joined(separator: ", "))
        """)
    }
    if section != .monitor, headers[section] != nil {
      throw reject(
        line,
        "there is a second \(section.header); a file holds one rule, so write the other into a file of its own")
    }
    headers[section] = line
    place = .section(section)
  }

  // MARK: Keys

  private mutating func assign(_ text: String, to name: String, _ line: Int) throws(ConfigurationProblem) {
    let section: ConfigurationKey.Section
    switch place {
    case .nowhere: return
    case .section(let present): section = present
    case .beforeSections:
      // Reported once: the lines below it have the same fault.
      place = .nowhere
      let home = ConfigurationKey.all.first { $0.name == name || $0.formerName == name }?.section ?? .monitor
      throw ConfigurationProblem(
        line: line, message: "\("\(name)=".quotedInLine) stands before any section; write \(home.header) above it")
    }
    let key = try Self.key(name, in: section, line: line)
    settings.append(ConfigurationFile.Setting(key: key, value: text, line: line))
    let value = ConfigurationValue(key: key, text: text, line: line)
    switch key.effect {
    case .monitor(let effect): changes.append((try Self.change(effect, value), line))
    case .match(let effect): try match.apply(effect, value)
    case .path(let effect): try ruling.apply(effect, value, origin: "\(path):\(line)")
    }
  }

  private static func key(
    _ name: String, in section: ConfigurationKey.Section, line: Int
  ) throws(ConfigurationProblem) -> ConfigurationKey {
    if let key = ConfigurationKey.named(name, in: section) { return key }
    let names = ConfigurationKey.names(in: section)
    throw ConfigurationProblem(
      line: line,
      message: """
        there is no key \(name.quotedInLine) in \(section.header)\(Suggestion.text(for: name, among: names)); \
        allowed: \(names.map { "\($0)=" }.joined(separator: ", "))
        """)
  }

  private static func change(
    _ effect: ConfigurationKey.MonitorEffect, _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> MonitorConfiguration.Change {
    let numbers = MonitorConfiguration.connectionNumbers
    return switch effect {
    case .probe: .probes(try value.addresses())
    case .settle: .settle(try value.settleTimes())
    case .connections: .connections(try value.number(in: numbers))
    case .connectionsPerUser: .connectionsPerUser(try value.number(in: numbers))
    }
  }

  // MARK: The rule

  private func rule() throws(ConfigurationProblem) -> InterfaceRule? {
    switch (headers[.match], headers[.path]) {
    case (nil, nil): return nil
    // The other section may be the one that was rejected.
    case (_?, nil) where hasRejectedSection, (nil, _?) where hasRejectedSection: return nil
    case (let line?, nil):
      throw ConfigurationProblem(line: line, message: "[Match] without [Path] has no effect; write [Path] below it")
    case (nil, let line?):
      throw ConfigurationProblem(
        line: line, message: "[Path] without [Match] means no interface; write [Match] with for example Name=* above it"
      )
    case (let matchLine?, let pathLine?):
      if match == InterfaceMatch(), !incomplete.contains(.match) {
        throw ConfigurationProblem(
          line: matchLine, message: "nothing in [Match] says which interfaces; write Name=* for all of them")
      }
      if ruling == .silent, !incomplete.contains(.path) {
        throw ConfigurationProblem(
          line: pathLine, message: "nothing is said in [Path]; write for example Expensive=yes")
      }
      return InterfaceRule(match: match, ruling: ruling)
    }
  }
}

extension InterfaceMatch {
  /// Applies a line of `[Match]`.
  fileprivate mutating func apply(
    _ effect: ConfigurationKey.MatchEffect, _ value: ConfigurationValue
  ) throws(ConfigurationProblem) {
    switch effect {
    case .name: names = try value.globs(addedTo: names)
    case .type: types = try value.types(addedTo: types)
    case .driver: drivers = try value.globs(addedTo: drivers)
    case .networkName: networkNames = try value.globs(addedTo: networkNames)
    case .hardwareAddress: hardwareAddresses = try value.globs(addedTo: hardwareAddresses, foldingCase: true)
    case .gateway: gateways = try value.gateways(addedTo: gateways)
    }
  }
}

extension InterfaceRuling {
  /// Applies a line of `[Path]`.
  fileprivate mutating func apply(
    _ effect: ConfigurationKey.PathEffect, _ value: ConfigurationValue, origin: String
  ) throws(ConfigurationProblem) {
    switch effect {
    case .expensive: isExpensive = try value.boolean().map { Word($0, origin: origin) }
    case .constrained: isConstrained = try value.boolean().map { Word($0, origin: origin) }
    case .ignore: isIgnored = try value.boolean().map { Word($0, origin: origin) }
    case .type: type = try value.interfaceType().map { Word($0, origin: origin) }
    case .preference: preference = try value.number(in: Self.preferences).map { Word($0, origin: origin) }
    }
  }
}
