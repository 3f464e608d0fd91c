package import PathModel

/// The rule of one file: the interfaces that it matches, and the ruling on them.
package struct InterfaceRule: Hashable, Sendable {
  /// The interfaces that it matches: the section `[Match]`.
  package var match: InterfaceMatch
  /// The ruling on them: the section `[Path]`.
  package var ruling: InterfaceRuling

  /// A rule.
  package init(match: InterfaceMatch, ruling: InterfaceRuling) {
    self.match = match
    self.ruling = ruling
  }
}

/// The interfaces that a rule matches: those that fit every list that is given.
package struct InterfaceMatch: Hashable, Sendable {
  /// Alternatives, of which one must fit, or with `!` before them none.
  package struct List<Alternative: Hashable & Sendable>: Hashable, Sendable {
    /// The alternatives; never empty.
    package var alternatives: [Alternative]
    /// Whether the list began with `!`.
    package var isInverted: Bool

    /// A list.
    package init(_ alternatives: [Alternative], isInverted: Bool = false) {
      self.alternatives = alternatives
      self.isInverted = isInverted
    }

    fileprivate func holds(_ fits: (Alternative) -> Bool) -> Bool { alternatives.contains(where: fits) != isInverted }
  }

  /// A router, or a network of routers, or a pattern for their addresses.
  package enum Gateway: Hashable, Sendable {
    case prefix(IPAddress, length: Int)
    case pattern(Glob)

    fileprivate func fits(_ gateway: IPAddress) -> Bool {
      switch self {
      case .prefix(let address, let length): gateway.matches(address, prefixLength: length)
      case .pattern(let glob): glob.matches(gateway.description)
      }
    }
  }

  /// `Name=`.
  package var names: List<Glob>?
  /// `Type=`.
  package var types: List<InterfaceType>?
  /// `Driver=`.
  package var drivers: List<Glob>?
  /// `SSID=`.
  package var networkNames: List<Glob>?
  /// `HardwareAddress=`.
  package var hardwareAddresses: List<Glob>?
  /// `Gateway=`.
  package var gateways: List<Gateway>?

  /// A match without lists.
  package init() {}

  /// Whether the rule matches the interface.
  ///
  /// A property that an interface does not have fits no alternative. But the name of a wireless network that is not
  /// known fits not even `!`: nothing is concluded from an unknown name.
  package func fits(_ traits: InterfaceTraits) -> Bool {
    if let names, !names.holds({ $0.matches(traits.name) || traits.alternativeNames.contains(where: $0.matches) }) {
      return false
    }
    if let types, !types.holds({ $0 == traits.type }) { return false }
    if let drivers, !drivers.holds({ glob in traits.driver.map(glob.matches) ?? false }) { return false }
    if let networkNames {
      guard let name = traits.networkName, networkNames.holds({ $0.matches(name.bytes) }) else { return false }
    }
    if let hardwareAddresses,
      !hardwareAddresses.holds({ glob in traits.hardwareAddress.map(glob.matches) ?? false })
    {
      return false
    }
    if let gateways, !gateways.holds({ traits.gateways.contains(where: $0.fits) }) { return false }
    return true
  }
}

/// The ruling on an interface: the values of `[Path]` that rules set for it.
package struct InterfaceRuling: Hashable, Sendable {
  /// A value, with the file and the line that set it.
  package struct Word<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value itself.
    package var value: Value
    /// The file and the line, such as `/etc/pathmonitor/pathmonitord.conf.d/phone.conf:5`.
    package var origin: String

    /// A word.
    package init(_ value: Value, origin: String) {
      self.value = value
      self.origin = origin
    }
  }

  /// `Expensive=`.
  package var isExpensive: Word<Bool>?
  /// `Constrained=`.
  package var isConstrained: Word<Bool>?
  /// `Ignore=`.
  package var isIgnored: Word<Bool>?
  /// `Type=`.
  package var type: Word<InterfaceType>?
  /// `Preference=`.
  package var preference: Word<Int>?
  /// The fault of a file that is not used, and that may have a rule on the interface; `nil` when there is none.
  package var unusedRule: String?

  /// The ruling without any value.
  package static let silent = InterfaceRuling()

  /// A ruling without any value yet.
  package init() {}

  /// The range of `Preference=`.
  package static let preferences = -1_000...1_000

  /// All values, in words for explanations.
  package var words: [String] {
    func word(_ key: String, _ value: String?, _ origin: String?) -> String? {
      guard let value, let origin else { return nil }
      return "\(key)=\(value) in \(origin)"
    }
    return [
      word("Expensive", isExpensive.map { $0.value ? "yes" : "no" }, isExpensive?.origin),
      word("Constrained", isConstrained.map { $0.value ? "yes" : "no" }, isConstrained?.origin),
      word("Ignore", isIgnored.map { $0.value ? "yes" : "no" }, isIgnored?.origin),
      word("Type", type?.value.rawValue, type?.origin),
      word("Preference", preference.map { String($0.value) }, preference?.origin),
    ].compactMap(\.self)
  }

  /// This ruling with the values of another one, which takes precedence.
  fileprivate func overruled(by other: InterfaceRuling) -> InterfaceRuling {
    var result = self
    if let word = other.isExpensive { result.isExpensive = word }
    if let word = other.isConstrained { result.isConstrained = word }
    if let word = other.isIgnored { result.isIgnored = word }
    if let word = other.type { result.type = word }
    if let word = other.preference { result.preference = word }
    return result
  }
}

/// All rules, in the order of their files.
package struct InterfaceRules: Hashable, Sendable {
  /// The rules. Of those that match an interface and set the same key, the last one decides.
  package var rules: [InterfaceRule]
  /// The fault of a file that is not used, which may have a rule on any interface; `nil` when all files are used.
  package var unusedFile: String?

  /// Rules in their order.
  package init(_ rules: [InterfaceRule] = [], unusedFile: String? = nil) {
    (self.rules, self.unusedFile) = (rules, unusedFile)
  }

  /// Whether there are none.
  package var isEmpty: Bool { rules.isEmpty && unusedFile == nil }

  /// The ruling on an interface.
  package func ruling(on traits: InterfaceTraits) -> InterfaceRuling {
    var silent = InterfaceRuling.silent
    silent.unusedRule = unusedFile
    return rules.reduce(into: silent) { ruling, rule in
      if rule.match.fits(traits) { ruling = ruling.overruled(by: rule.ruling) }
    }
  }
}
