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
  /// Wi-Fi carries the traffic.
  public static let wifi = PathRequirement(.wifi)
  /// A mobile network carries the traffic.
  public static let cellular = PathRequirement(.cellular)
  /// A cable carries the traffic.
  public static let ethernet = PathRequirement(.ethernet)
  /// A tunnel carries the traffic.
  public static let vpn = PathRequirement(.vpn)
  /// IPv4 destinations can be reached.
  public static let ipv4 = PathRequirement(.ipv4)
  /// IPv6 destinations can be reached.
  public static let ipv6 = PathRequirement(.ipv6)
  /// There is a path and a name server.
  public static let dns = PathRequirement(.dns)

  /// An interface of the type carries the traffic.
  public static func type(_ type: InterfaceType) -> PathRequirement { PathRequirement(terms: [.type(type)]) }

  /// Both requirements at once.
  public static func && (left: PathRequirement, right: PathRequirement) -> PathRequirement {
    PathRequirement(terms: left.terms + right.terms.filter { !left.terms.contains($0) })
  }
}
