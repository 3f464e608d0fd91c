/// What a program asks of the network path, such as `unmetered,not-vpn`.
///
/// ```
/// requirement = term *("," term)                 ; all of them must hold
/// term        = ["not-" | "!"] word | key "=" value
/// word        = "connected" | "offline" | "unmetered" | "unmetered-known" | "unconstrained" | "wifi" | "cellular"
///             | "ethernet" | "vpn" | "ipv4" | "ipv6" | "dns"
/// key         = "interface" | "type" | "via"
/// ```
///
/// A requirement is a predicate on the path that an unbound socket would take. Every term but `offline` also demands
/// that the path is satisfied: `not-wifi` is "connected, and not over Wi-Fi".
///
/// `via=` takes the name or the type of an interface and asks another question: is a usable path available through it,
/// for a socket bound to it? All other terms are then judged on that path. With several `via=` the interface must match
/// each of them. `offline,via=wlan0` is "there is no usable path through wlan0".
public struct PathRequirement: Hashable, Sendable {
  /// All that must hold, in the order of the text.
  let terms: [Term]

  init(terms: [Term]) {
    self.terms = terms
  }

  /// One condition.
  enum Term: Hashable, Sendable {
    /// A word or its opposite; never the opposite of `connected` or `offline`, which each are the other's.
    case word(Word, isNegated: Bool)
    /// The interface of this name carries the traffic.
    case interface(String)
    /// An interface of this type carries the traffic.
    case type(InterfaceType)
    /// Only interfaces of this name or type count.
    case via(String)
  }

  /// What can be asked without a value.
  package enum Word: String, Hashable, Sendable, CaseIterable {
    case connected, offline, unmetered
    case unmeteredKnown = "unmetered-known"
    case unconstrained, wifi, cellular, ethernet, vpn, ipv4, ipv6, dns
  }

  /// What can be asked with a value.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case interface, type, via
  }

  /// What a requirement says of a path.
  public enum Verdict: Hashable, Sendable {
    /// The path is as required.
    case met
    /// The path is not as required.
    case notMet
    /// What is known of the path is too old to tell, or there is nothing yet.
    case unknown
  }

  /// Whether the requirement asks what the path costs, which not every source of paths can tell.
  package var dependsOnCost: Bool {
    terms.contains { term in
      guard case .word(let word, _) = term else { return false }
      return word == .unmetered || word == .unmeteredKnown || word == .unconstrained
    }
  }
}

extension PathRequirement: CustomStringConvertible {
  /// The requirement in one spelling of the many it may have been written in; parsing it gives an equal requirement.
  public var description: String {
    terms.map(\.description).joined(separator: ",")
  }
}

extension PathRequirement.Term: CustomStringConvertible {
  var description: String {
    switch self {
    case .word(let word, let isNegated): (isNegated ? "not-" : "") + word.rawValue
    case .interface(let name): "interface=" + name
    case .type(let type): "type=" + type.rawValue
    case .via(let text): "via=" + text
    }
  }
}

extension InterfaceType {
  /// The type of the name that requirements use: the one of JSON, or `ethernet`.
  init?(requirementName name: String) {
    if name == PathRequirement.Word.ethernet.rawValue {
      self = .wiredEthernet
    } else {
      self.init(rawValue: name)
    }
  }

  /// The types as requirements name them.
  package static let requirementNames = ["wifi", "cellular", "wiredEthernet", "loopback", "other", "ethernet"]
}
