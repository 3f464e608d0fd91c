package import PathModel

/// A command line that has been understood.
package struct Invocation: Hashable, Sendable {
  /// What is to be done.
  package enum Command: Hashable, Sendable {
    /// Show the path.
    case status
    /// Follow the path.
    case watch
    /// Tell how the verdict came about.
    case explain
    /// List the interfaces.
    case interfaces
    /// Show the path to a host.
    case route(host: String)
    /// Show help, of a verb or in general.
    case help(Verb?)
    /// Show the version.
    case version
  }

  /// What is to be done.
  package var command = Command.status
  /// Whether to print JSON.
  package var isJSON = false
  /// How long a change must rest; `nil` for the verb's own.
  package var settle: Duration?
  /// The probes that were named; `nil` for the standard ones.
  package var probes: ProbeAddresses?
  /// Whether the service is not to be asked.
  package var isDirect = false

  /// Understands the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` with what was wrong and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var parser = ArgumentParser(arguments)
    self = try parser.parse()
  }

  fileprivate init() {}
}

/// A command line that was not understood.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong and how it is right, in one sentence or two.
  package var description: String
}

private struct ArgumentParser {
  private var rest: [String]
  private var verb: Verb?
  private var operands: [String] = []
  private var invocation = Invocation()
  private var probes: [IPAddress] = []
  private var wantsHelp = false
  private var wantsVersion = false

  init(_ arguments: [String]) {
    rest = arguments.reversed()
  }

  mutating func parse() throws(UsageError) -> Invocation {
    var acceptsOptions = true
    while let argument = rest.popLast() {
      if acceptsOptions, argument == "--" {
        acceptsOptions = false
      } else if acceptsOptions, argument.hasPrefix("-"), argument != "-" {
        try takeOption(argument)
      } else if verb == nil {
        verb = try Self.findVerb(argument)
      } else {
        operands.append(argument)
      }
    }
    if !probes.isEmpty { invocation.probes = ProbeAddresses(probes) }
    invocation.command = try command()
    return invocation
  }

  // MARK: Verbs

  private static func findVerb(_ name: String) throws(UsageError) -> Verb {
    if let verb = Verb.named(name) { return verb }
    let names = Verb.all.map(\.name)
    throw UsageError(
      description: """
        there is no verb '\(name)'\(suggestion(for: name, among: names)). The verbs are \(names.joined(separator: ", ")); \
        see 'pathctl help'.
        """)
  }

  private func command() throws(UsageError) -> Invocation.Command {
    if wantsVersion { return .version }
    let verb = verb ?? .status
    if wantsHelp { return .help(self.verb) }
    if verb == .help {
      try requireOperands(0...1, verb)
      guard let name = operands.first else { return .help(nil) }
      return .help(try Self.findVerb(name))
    }
    try requireOperands(verb.operands.count...verb.operands.count, verb)
    switch verb {
    case .watch: return .watch
    case .explain: return .explain
    case .interfaces: return .interfaces
    case .route: return .route(host: operands[0])
    default: return .status
    }
  }

  private func requireOperands(_ count: ClosedRange<Int>, _ verb: Verb) throws(UsageError) {
    if operands.count < count.lowerBound {
      throw UsageError(
        description: "\(verb.operands[operands.count]) is missing. Correct use: \(HelpText.usage(of: verb))")
    }
    if operands.count > count.upperBound {
      throw UsageError(
        description: """
          '\(operands[count.upperBound])' is one argument too many for '\(verb.name)'. \
          Correct use: \(HelpText.usage(of: verb))
          """)
    }
  }

  // MARK: Options

  private mutating func takeOption(_ argument: String) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let options = (verb ?? .status).options
    guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
      let names = options.map(\.name)
      throw UsageError(
        description: """
          there is no option '\(parts[0])'\(suggestion(for: parts[0], among: names)). \
          Correct use: \(HelpText.usage(of: verb ?? .status))
          """)
    }
    guard option.value != nil else {
      guard parts.count == 1 else {
        throw UsageError(
          description: "\(option.name) takes no value, but got '\(parts[1])'. Write just \(option.name).")
      }
      apply(option)
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popLast() else {
      throw UsageError(
        description: "\(option.usage) lacks its value. Write for example \(option.name) \(option.example).")
    }
    try apply(option, value)
  }

  private mutating func apply(_ option: Option) {
    switch option.effect {
    case .json: invocation.isJSON = true
    case .direct: invocation.isDirect = true
    case .help: wantsHelp = true
    case .version: wantsVersion = true
    case .settle, .probe: break
    }
  }

  private mutating func apply(_ option: Option, _ value: String) throws(UsageError) {
    switch option.effect {
    case .settle:
      do throws(TimeSpan.ParseError) {
        invocation.settle = try TimeSpan.parse(value)
      } catch {
        throw UsageError(
          description: "'\(value)' is no time for --settle: \(error). Write for example --settle \(option.example).")
      }
    case .probe:
      guard let address = IPAddress(value) else {
        throw UsageError(
          description: """
            '\(value)' is no address for --probe: an IPv4 or IPv6 address in numbers is needed. \
            Write for example --probe \(option.example).
            """)
      }
      probes.append(address)
      guard probes.count(where: { $0.family == address.family }) <= ProbeAddresses.limit else {
        throw UsageError(description: "there are more than \(ProbeAddresses.limit) probes of a family. Leave some out.")
      }
    case .json, .direct, .help, .version: break
    }
  }
}

/// ` (did you mean 'status'?)` when one of the names is near, else nothing.
private func suggestion(for word: String, among names: [String]) -> String {
  let near = names.map { (name: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
  guard let near, near.distance <= max(1, word.count / 3) else { return "" }
  return " (did you mean '\(near.name)'?)"
}

/// How many letters must be changed, added or left out to make one word from the other (Levenshtein).
private func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right)
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let change = diagonal + (letter == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(change, row[column] + 1, diagonal + 1)
    }
  }
  return row[right.count]
}
