package import PathModel

/// A network situation, the changes made to it, and the path that is right after each.
package struct PathCase: Sendable, CustomStringConvertible {
  package struct Step: Sendable {
    package var items: [CaseBlock.Item] = []
    /// The lines for bash; none for a network that only the kernel in memory has.
    package var commands: [String] = []
    /// The time after the commands within which the path has to be right, in seconds.
    package var wait = 1.8
    /// The most updates that a watch may print during the step; `nil` for any number.
    package var mostUpdates: Int?
    package var expected = JSONObject()
    /// The values that `pathctl status` has to print right after the commands; `nil` when a case does not check that
    /// moment.
    package var expectedAtOnce: JSONObject?
    /// The exit status of `pathctl check` by requirement.
    package var checks: [(requirement: String, status: Int32)] = []
  }

  package var name: String
  /// The text of a configuration file with rules; `nil` for the standard configuration.
  package var configuration: String?
  /// The first one makes the network.
  package var steps: [Step] = []
  package var isBare: Bool
  package var isInMemoryOnly: Bool

  package var description: String { name }

  package static func all(in files: [[UInt8]]) throws -> [PathCase] {
    try files.flatMap { try CaseBlock.all(in: $0) }.map(PathCase.init)
  }

  private init(_ block: CaseBlock) throws(CaseMistake) {
    (name, isBare, isInMemoryOnly) = (block.name, block.isBare, block.isInMemoryOnly)
    var step = Step(commands: block.beginning)
    for item in block.items {
      let (keyword, rest) = item.split
      switch keyword {
      case "bare": break
      case "configuration": configuration = (configuration ?? "") + rest + "\n"
      case "at-once":
        var moment = Step()
        try moment.expect(item)
        step.expectedAtOnce = moment.expected
      case "=":
        try step.expect(item)
        steps.append(step)
        step = Step()
      default:
        step.items.append(item)
        if !isInMemoryOnly { step.commands += try NetworkCommands.lines(of: item) }
      }
    }
    guard !steps.isEmpty, step.items.isEmpty else {
      throw block.beginningLine.mistake("the case does not end with an expected path, '= …'")
    }
  }
}

extension PathCase.Step {
  /// The values that are true or false, by the words behind `+` or `-`.
  private static let flags = [
    "ipv4": "supportsIPv4", "ipv6": "supportsIPv6", "dns": "supportsDNS", "expensive": "isExpensive",
    "tunnel": "usesTunnel", "constrained": "isConstrained",
  ]

  private static let fieldsOfInterfaces = ["underlying": "underlying", "below": "underlyingTypes"]

  /// Takes over what the words of a line say of the path.
  fileprivate mutating func expect(_ item: CaseBlock.Item) throws(CaseMistake) {
    for word in item.split.rest.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let (key, value) = (parts[0], parts.count > 1 ? parts[1] : "")
      let names = JSONValue.array(value.split(separator: ",").map { .string(String($0)) })
      switch key {
      case "satisfied", "unsatisfied": expected["status"] = .string(key)
      case "reason": expected["unsatisfiedReason"] = .string(value)
      case "interface": expected["interface"] = .string(value)
      case "type": expected["interfaceType"] = .string(value)
      case "interfaces", "gateways", "sources": expected[key == "sources" ? "sourceAddresses" : key] = names
      case "cause", "obstacle", "cost": expected[key] = .string(value)
      case "all", "routers", "circumstances", "evidence": expected[key] = names
      case "wait": wait = Double(value) ?? wait
      case "updates": mostUpdates = Int(value)
      default:
        if let colon = key.firstIndex(of: ":"), let field = Self.fieldsOfInterfaces[String(key[..<colon])] {
          var values = expected[field]?.objectValue ?? JSONObject()
          values[String(key[key.index(after: colon)...])] = names
          expected[field] = .object(values)
        } else if word.hasPrefix("passes:") || word.hasPrefix("fails:") {
          let requirement = String(word.drop { $0 != ":" }.dropFirst())
          checks.append((requirement, word.hasPrefix("passes:") ? 0 : 1))
        } else if word.hasPrefix("expensive:") || word.hasPrefix("cheap:") {
          var costs = expected["costs"]?.objectValue ?? JSONObject()
          costs[String(word.drop { $0 != ":" }.dropFirst())] = .boolean(word.hasPrefix("expensive:"))
          expected["costs"] = .object(costs)
        } else if let flag = Self.flags[String(word.dropFirst())], "+-".contains(word.prefix(1)) {
          expected[flag] = .boolean(word.hasPrefix("+"))
        } else {
          throw item.mistake("'\(word)' is no value of a path. The first lines of the file list them")
        }
      }
    }
  }
}

extension JSONValue {
  package var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}
