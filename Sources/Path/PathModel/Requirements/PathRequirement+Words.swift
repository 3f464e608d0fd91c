/// The requirements that need no text.
extension PathRequirement {
  private init(_ word: Word) { self.init(terms: [.word(word, isNegated: false)]) }

  /// There is a path.
  public static let connected = PathRequirement(.connected)
  /// There is no path.
  public static let offline = PathRequirement(.offline)
  /// There is a path, and as far as is known it costs nothing.
  public static let unmetered = PathRequirement(.unmetered)
  /// There is a path, and it is known to cost nothing.
  public static let unmeteredKnown = PathRequirement(.unmeteredKnown)
  /// There is a path, and the user did not ask programs to use little data.
  public static let unconstrained = PathRequirement(.unconstrained)
  /// The path uses Wi-Fi, also below a VPN.
  public static let wifi = PathRequirement(.wifi)
  /// The path uses a mobile network, also below a VPN.
  public static let cellular = PathRequirement(.cellular)
  /// The path uses a cable, also below a VPN.
  public static let ethernet = PathRequirement(.ethernet)
  /// A tunnel carries the traffic.
  public static let vpn = PathRequirement(.vpn)
  /// IPv4 destinations can be reached.
  public static let ipv4 = PathRequirement(.ipv4)
  /// IPv6 destinations can be reached.
  public static let ipv6 = PathRequirement(.ipv6)
  /// There is a path and a name server.
  public static let dns = PathRequirement(.dns)
  /// There is a path, and the Internet answers; see ``PathValidation``.
  public static let validated = PathRequirement(.validated)
  /// There is a path, and the network wants a sign-in. Its opposite also holds while nothing is known of a portal.
  public static let portal = PathRequirement(.portal)

  /// The path uses interfaces of the type; see ``NetworkPath/usesInterfaceType(_:)``.
  public static func type(_ type: InterfaceType) -> PathRequirement { PathRequirement(terms: [.type(type)]) }

  /// The interface of the name carries the traffic.
  ///
  /// - Parameter name: The kernel's name of the interface, such as `eth0`.
  public static func interface(_ name: String) -> PathRequirement { PathRequirement(terms: [.interface(name.exact)]) }

  /// A usable path leads through the interface, for a socket bound to it; other requirements are judged on that path.
  ///
  /// - Parameter name: The kernel's name of the interface. The name of a type stands for the type, too.
  public static func via(_ name: String) -> PathRequirement { PathRequirement(terms: [.via(name.exact)]) }

  /// A usable path leads through an interface that uses the type, for a socket bound to it; other requirements are
  /// judged on that path.
  public static func via(_ type: InterfaceType) -> PathRequirement { via(type.rawValue) }

  /// There is a path that is not as required.
  ///
  /// It still demands a path: `!.wifi` is "connected, and not over Wi-Fi". Only `!.connected` is ``offline``.
  public static prefix func ! (requirement: PathRequirement) -> PathRequirement {
    PathRequirement(terms: Term.negation(of: requirement.terms))
  }

  /// Both requirements at once.
  public static func && (left: PathRequirement, right: PathRequirement) -> PathRequirement {
    PathRequirement(terms: left.terms + right.terms.filter { !left.terms.contains($0) })
  }

  /// One of the requirements, or both.
  public static func || (left: PathRequirement, right: PathRequirement) -> PathRequirement {
    any(of: [left, right])
  }

  /// One of the requirements, in the simplest form that there is.
  static func any(of requirements: [PathRequirement]) -> PathRequirement {
    var alternatives: [PathRequirement] = []
    for requirement in requirements.flatMap(\.alternatives) where !alternatives.contains(requirement) {
      alternatives.append(requirement)
    }
    return alternatives.count == 1 ? alternatives[0] : PathRequirement(terms: [.any(alternatives)])
  }

  /// The requirements one of which must hold: mostly this one alone.
  var alternatives: [PathRequirement] {
    if terms.count == 1, case .any(let alternatives) = terms[0] { alternatives } else { [self] }
  }
}

extension PathRequirement.Term {
  /// The terms of the opposite, in the simplest form that there is.
  static func negation(of terms: [Self]) -> [Self] {
    guard terms.count == 1, let term = terms.first else { return [.not(terms)] }
    switch term {
    case .word(.connected, _): return [.word(.offline, isNegated: false)]
    case .word(.offline, _): return [.word(.connected, isNegated: false)]
    case .word(let word, let isNegated): return [.word(word, isNegated: !isNegated)]
    case .not(let terms): return terms
    case .interface, .type, .via, .any: return [.not(terms)]
    }
  }
}
