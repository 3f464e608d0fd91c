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
  package private(set) var settings: [Setting] = []
  /// The rule for interfaces; `nil` when the file has no rule.
  package private(set) var rule: InterfaceRule?
  /// The changes to the settings of the whole machine, with their lines.
  private(set) var changes: [(change: MonitorConfiguration.Change, line: Int)] = []

  /// Parses the text of a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The location of the file, for messages.
  /// - Throws: ``ConfigurationProblem`` with the first mistake.
  package init(parsing text: String, path: String) throws(ConfigurationProblem) {
    self.path = path
    var section: ConfigurationKey.Section?
    var headers: [ConfigurationKey.Section: Int] = [:]
    var match = InterfaceMatch()
    var ruling = InterfaceRuling()
    for (number, line) in ConfigurationText.lines(of: text) {
      switch line {
      case .section(let name):
        section = try Self.section(name, line: number, &headers)
      case .assignment(let name, let value):
        let key = try Self.key(name, in: section, line: number)
        settings.append(Setting(key: key, value: value, line: number))
        let value = ConfigurationValue(key: key, text: value, line: number)
        switch key.section {
        case .monitor: changes.append((try Self.change(value), number))
        case .match: try match.apply(value)
        case .path: try ruling.apply(value, origin: "\(path):\(number)")
        }
      case .tooLong:
        throw ConfigurationProblem(
          line: number, message: "the line has more than \(ConfigurationText.longestLine) bytes; write several")
      case .nonsense:
        throw ConfigurationProblem(
          line: number, message: "this is neither a section, Key=value, nor a comment that starts with '#' or ';'")
      }
    }
    rule = try Self.rule(match, ruling, headers)
  }

  private static func section(
    _ name: String, line: Int, _ headers: inout [ConfigurationKey.Section: Int]
  ) throws(ConfigurationProblem) -> ConfigurationKey.Section {
    guard let section = ConfigurationKey.Section(rawValue: name) else {
      let names = ConfigurationKey.Section.allCases
      throw ConfigurationProblem(
        line: line,
        message: """
          there is no section \("[\(name)]".quotedInLine)\
          \(Suggestion.text(for: name, among: names.map(\.rawValue))); allowed: \
          \(names.map(\.header).joined(separator: ", "))
          """)
    }
    if section != .monitor, headers[section] != nil {
      throw ConfigurationProblem(
        line: line,
        message: "there is a second \(section.header); a file holds one rule, so write the other into a file of its own"
      )
    }
    headers[section] = line
    return section
  }

  private static func key(
    _ name: String, in section: ConfigurationKey.Section?, line: Int
  ) throws(ConfigurationProblem) -> ConfigurationKey {
    guard let section else {
      let home = ConfigurationKey.all.first { $0.name == name }?.section ?? .monitor
      throw ConfigurationProblem(
        line: line, message: "\("\(name)=".quotedInLine) stands before any section; write \(home.header) above it")
    }
    if let key = ConfigurationKey.named(name, in: section) { return key }
    let names = ConfigurationKey.names(in: section)
    throw ConfigurationProblem(
      line: line,
      message: """
        there is no key \(name.quotedInLine) in \(section.header)\(Suggestion.text(for: name, among: names)); \
        allowed: \(names.map { "\($0)=" }.joined(separator: ", "))
        """)
  }

  private static func change(_ value: ConfigurationValue) throws(ConfigurationProblem) -> MonitorConfiguration.Change {
    let numbers = MonitorConfiguration.connectionNumbers
    return switch value.key.effect {
    case .settle: .settle(try value.settleTimes())
    case .connections: .connections(try value.number(in: numbers))
    case .connectionsPerUser: .connectionsPerUser(try value.number(in: numbers))
    default: .probes(try value.addresses())
    }
  }

  private static func rule(
    _ match: InterfaceMatch, _ ruling: InterfaceRuling, _ headers: [ConfigurationKey.Section: Int]
  ) throws(ConfigurationProblem) -> InterfaceRule? {
    switch (headers[.match], headers[.path]) {
    case (nil, nil): return nil
    case (let line?, nil):
      throw ConfigurationProblem(line: line, message: "[Match] without [Path] has no effect; write [Path] below it")
    case (nil, let line?):
      throw ConfigurationProblem(
        line: line, message: "[Path] without [Match] means no interface; write [Match] with for example Name=* above it"
      )
    case (let matchLine?, let pathLine?):
      guard match != InterfaceMatch() else {
        throw ConfigurationProblem(
          line: matchLine, message: "nothing in [Match] says which interfaces; write Name=* for all of them")
      }
      guard ruling != .silent else {
        throw ConfigurationProblem(
          line: pathLine, message: "nothing is said in [Path]; write for example Expensive=yes")
      }
      return InterfaceRule(match: match, ruling: ruling)
    }
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

extension InterfaceMatch {
  /// Applies a line of `[Match]`.
  fileprivate mutating func apply(_ value: ConfigurationValue) throws(ConfigurationProblem) {
    switch value.key.effect {
    case .name: names = try value.globs(addedTo: names)
    case .matchedType: types = try value.types(addedTo: types)
    case .driver: drivers = try value.globs(addedTo: drivers)
    case .networkName: networkNames = try value.globs(addedTo: networkNames)
    case .hardwareAddress: hardwareAddresses = try value.globs(addedTo: hardwareAddresses, foldingCase: true)
    case .gateway: gateways = try value.gateways(addedTo: gateways)
    default: break
    }
  }
}

extension InterfaceRuling {
  /// Applies a line of `[Path]`.
  fileprivate mutating func apply(_ value: ConfigurationValue, origin: String) throws(ConfigurationProblem) {
    switch value.key.effect {
    case .expensive: isExpensive = try value.boolean().map { Word($0, origin: origin) }
    case .constrained: isConstrained = try value.boolean().map { Word($0, origin: origin) }
    case .ignore: isIgnored = try value.boolean().map { Word($0, origin: origin) }
    case .type: type = try value.interfaceType().map { Word($0, origin: origin) }
    case .preference: preference = try value.number(in: Self.preferences).map { Word($0, origin: origin) }
    default: break
    }
  }
}
