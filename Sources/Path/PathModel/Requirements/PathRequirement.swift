/// A condition that a program sets for the network path, such as `unmetered,not-vpn`.
///
/// In code, `&&` and `||` join requirements, and `!` negates one:
///
/// ```swift
/// let requirement: PathRequirement = .unmetered && !.vpn && (.wifi || .ethernet)
/// ```
///
/// Files and command lines spell the same `unmetered,not-vpn,(wifi|ethernet)`. This is the grammar of the socket,
/// `pathctl` and Swift:
///
/// ```
/// requirement = term *("," term)  ; all of them must hold
///             | term *("|" term)  ; one of them must hold
/// term        = [negation] (word | "(" requirement ")") | key "=" value
/// negation    = "not-" | "!"
/// word        = "connected" | "offline" | "unmetered" | "unmetered-known" | "unconstrained" | "wifi" | "cellular"
///             | "ethernet" | "vpn" | "ipv4" | "ipv6" | "dns" | "validated" | "portal" | synonym
/// synonym     = "online" | "metered" | "constrained" | "wired" | "lan" | "tunnel"
/// key         = "interface" | "type" | "via"
/// ```
///
/// Commas and bars never stand side by side, so that neither needs to come first: `wifi|ethernet,unmetered` is refused,
/// and `(wifi|ethernet),unmetered` or `wifi|(ethernet,unmetered)` is meant.
///
/// A requirement is a predicate on the path that an unbound socket would take. Every term but `offline` also demands
/// that the path is satisfied: `not-wifi` is "connected, and not over Wi-Fi", and `not-(wifi,unmetered)` is "connected,
/// but not over Wi-Fi or not unmetered".
///
/// The path uses a type of interface when the interface that carries the traffic is of the type or rests on one that
/// is. So a VPN over a mobile network is `cellular`, and not `not-cellular`. See ``NetworkPath/usesInterfaceType(_:)``.
///
/// `interface=` and `via=` also know the alternative names of an interface.
///
/// `via=` takes the name or the type of an interface and asks another question: is a usable path available for a socket
/// bound to it? With a type, any interface that uses the type will do. All other terms are then judged on that path.
/// With several `via=`, the interface must match each of them. `offline,via=wlan0` is "there is no usable path through
/// wlan0". A `via=` applies to the terms that commas join with it, and to those in their parentheses. In
/// `unmetered,(via=wlan0|via=eth0)` the word therefore asks about unbound sockets.
public struct PathRequirement: Hashable, Sendable {
  /// All terms, in the order of the text. Every one of them must hold.
  let terms: [Term]

  init(terms: [Term]) {
    self.terms = terms
  }

  /// One condition.
  enum Term: Hashable, Sendable {
    /// A word or its opposite; never the opposite of `connected` or `offline`, which each are the other's.
    case word(Word, isNegated: Bool)
    /// The interface of this name, which may be an alternative one, carries the traffic.
    case interface(ExactText)
    /// The path uses interfaces of this type.
    case type(InterfaceType)
    /// Only interfaces of this name or type count.
    case via(ExactText)
    /// The path is satisfied, and not all of these hold; never a single word or negation, which have simpler forms.
    indirect case not([Term])
    /// One of these holds: two or more, none of which consists of alternatives alone.
    indirect case any([PathRequirement])
  }

  /// The words: terms without a value.
  package enum Word: String, Hashable, Sendable, CaseIterable {
    case connected, offline, unmetered
    case unmeteredKnown = "unmetered-known"
    case unconstrained, wifi, cellular, ethernet, vpn, ipv4, ipv6, dns, validated, portal
  }

  /// Other words for terms, as they are common elsewhere, with the terms that they stand for.
  package static let synonyms: [(name: String, term: String)] = [
    ("online", "connected"), ("metered", "not-unmetered"), ("constrained", "not-unconstrained"), ("wired", "ethernet"),
    ("lan", "ethernet"), ("tunnel", "vpn"),
  ]

  /// The keys of terms with a value.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case interface, type, via
  }

  /// The verdict of a requirement on a path.
  public enum Verdict: Hashable, Sendable {
    /// The path is as required.
    case met
    /// The path is not as required.
    case notMet
    /// The path is stale, has not been evaluated yet, its cost decides and is undetermined (``Cost/isUndetermined``),
    /// or its validation decides and is not known.
    case unknown
  }

  /// Whether the requirement depends on the cost of the path, which not every source of paths knows.
  package var dependsOnCost: Bool { terms.contains { $0.uses([.unmetered, .unmeteredKnown, .unconstrained]) } }

  /// Whether the requirement depends on whether the Internet answers, which not every source of paths knows.
  package var dependsOnValidation: Bool { terms.contains { $0.uses([.validated, .portal]) } }

  /// A name that is taken for that of an interface: without one of the name, the term never holds.
  package struct NamedInterface: Hashable, Sendable {
    /// The name.
    package var name: ExactText
    /// Whether the name of a type could stand in its place.
    package var isTypePossible: Bool

    /// A name.
    package init(_ name: ExactText, isTypePossible: Bool) {
      (self.name, self.isTypePossible) = (name, isTypePossible)
    }
  }

  /// The names in `interface=` and `via=` that are no types, each once.
  package var namedInterfaces: [NamedInterface] {
    var names: [NamedInterface] = []
    for name in terms.flatMap(\.namedInterfaces) where !names.contains(name) { names.append(name) }
    return names
  }
}

extension PathRequirement.Term {
  fileprivate var namedInterfaces: [PathRequirement.NamedInterface] {
    switch self {
    case .interface(let name): [.init(name, isTypePossible: false)]
    case .via(let name): InterfaceType(requirementValue: name.text) == nil ? [.init(name, isTypePossible: true)] : []
    case .not(let terms): terms.flatMap(\.namedInterfaces)
    case .any(let alternatives): alternatives.flatMap { $0.terms.flatMap(\.namedInterfaces) }
    case .word, .type: []
    }
  }

  /// Whether the term is one of the words, or has one in it.
  fileprivate func uses(_ words: [PathRequirement.Word]) -> Bool {
    switch self {
    case .word(let word, _): words.contains(word)
    case .not(let terms): terms.contains { $0.uses(words) }
    case .any(let alternatives): alternatives.contains { $0.terms.contains { $0.uses(words) } }
    case .interface, .type, .via: false
    }
  }
}

extension PathRequirement: CustomStringConvertible {
  /// The requirement in one of its many possible spellings. Parsing it gives an equal requirement, unless it names an
  /// interface that the grammar cannot spell, such as one with a comma or a bar.
  public var description: String {
    let alternatives = alternatives
    if alternatives.count > 1 { return Term.text(of: alternatives) }
    return terms.map(\.description).joined(separator: ",")
  }
}

extension PathRequirement.Term: CustomStringConvertible {
  var description: String {
    switch self {
    case .word(let word, let isNegated): (isNegated ? "not-" : "") + word.rawValue
    case .interface(let name): "interface=\(name)"
    case .type(let type): "type=" + type.rawValue
    case .via(let name): "via=\(name)"
    case .not(let terms): "not-(\(PathRequirement(terms: terms)))"
    case .any(let alternatives): "(\(Self.text(of: alternatives)))"
    }
  }

  fileprivate static func text(of alternatives: [PathRequirement]) -> String {
    alternatives.map { $0.terms.count == 1 ? "\($0)" : "(\($0))" }.joined(separator: "|")
  }
}

extension InterfaceType {
  /// The type of the name that requirements use: the one of JSON, or `ethernet`.
  package init?(requirementName name: String) {
    switch name {
    case PathRequirement.Word.ethernet.rawValue: self = .wiredEthernet
    default: self.init(rawValue: name)
    }
  }

  /// The type of the name behind `type=` or `via=`, where the synonym `wired` is understood, too.
  init?(requirementValue name: String) {
    self.init(requirementName: name == "wired" ? PathRequirement.Word.ethernet.rawValue : name)
  }

  /// The types as requirements name them.
  package static let requirementNames = ["wifi", "cellular", "wiredEthernet", "loopback", "other", "ethernet"]
}
