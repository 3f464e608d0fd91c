/// The cause of a path's state: the interface, router, route, policy rule or file that decides.
public struct Diagnosis: Hashable, Sendable {
  /// A cause. New ones may be added: treat an unknown one by its sentence alone.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the cause, as in JSON.
    public var rawValue: String

    /// A cause by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// There is a path, and nothing speaks against it as far as the kernel knows.
    public static let connected = Code(rawValue: "connected")

    /// An administrator has taken the path or its interface out of use. The subject is the interface, if there is one.
    public static let overridden = Code(rawValue: "overridden")
    /// A rule in the configuration leaves the interface out that carries the traffic. The subject is the file and line.
    public static let ignored = Code(rawValue: "ignored")

    /// No interface leads out of the machine.
    public static let noInterface = Code(rawValue: "noInterface")
    /// The interface is switched off.
    public static let switchedOff = Code(rawValue: "switchedOff")
    /// The interface has no carrier: a cable is out, or the other end is off.
    public static let noCarrier = Code(rawValue: "noCarrier")
    /// The interface is a bond or a team without ports.
    public static let bondWithoutPorts = Code(rawValue: "bondWithoutPorts")
    /// The Wi-Fi interface is not associated with an access point.
    public static let notAssociated = Code(rawValue: "notAssociated")
    /// The interface waits for authentication.
    public static let waitsForAuthentication = Code(rawValue: "waitsForAuthentication")

    /// The interface has no address, or only one that is valid on its link.
    public static let noAddress = Code(rawValue: "noAddress")
    /// The interface has only an address of 169.254.0.0/16, which hosts give themselves when no DHCP server answers.
    public static let selfAssignedAddress = Code(rawValue: "selfAssignedAddress")
    /// Another host on the link has the only address of the interface.
    public static let duplicateAddress = Code(rawValue: "duplicateAddress")

    /// A policy rule refuses the traffic. The subject is the rule.
    public static let refusedByRule = Code(rawValue: "refusedByRule")
    /// A route of the type `unreachable`, `prohibit` or `blackhole` refuses the traffic. The subject is its table.
    public static let refusedByRoute = Code(rawValue: "refusedByRoute")
    /// No policy rule leads to table main, although that has a default route.
    public static let noRuleForMainTable = Code(rawValue: "noRuleForMainTable")
    /// The route leads to a device that discards packets, such as the one of a VPN's kill switch.
    public static let sinkInterface = Code(rawValue: "sinkInterface")
    /// The route leads into a tunnel whose other end nobody serves.
    public static let deadTunnel = Code(rawValue: "deadTunnel")
    /// No route leads to the server of the tunnel that carries the traffic, or only a server on the link can be
    /// reached. The subject is the tunnel.
    public static let tunnelWithoutWay = Code(rawValue: "tunnelWithoutWay")
    /// A family or a part of the Internet leaves beside the tunnel that carries the other traffic. The subject is the
    /// tunnel.
    public static let outsideTunnel = Code(rawValue: "outsideTunnel")
    /// The kernel prefers a route over an interface that is down, although another one is usable.
    public static let linkDownRoute = Code(rawValue: "linkDownRoute")
    /// As ``linkDownRoute``, over a point-to-point interface, which may be a VPN.
    public static let pointToPointDownRoute = Code(rawValue: "pointToPointDownRoute")
    /// Part of the connections leaves over an interface that is down, because it is a leg of the route. The rest works.
    public static let linkDownLeg = Code(rawValue: "linkDownLeg")
    /// As ``linkDownLeg``, over a tunnel or a point-to-point interface, which may be a VPN.
    public static let deadTunnelLeg = Code(rawValue: "deadTunnelLeg")
    /// The interface has an address, but there is no default route.
    public static let noDefaultRoute = Code(rawValue: "noDefaultRoute")
    /// The default route is in the table of a VRF, which serves only programs that are bound to it. The subject is the
    /// VRF.
    public static let routeInVRF = Code(rawValue: "routeInVRF")
    /// No route leads to the address that was asked for. The subject is the address.
    public static let noRouteToAddress = Code(rawValue: "noRouteToAddress")

    /// The interface is a bridge without ports.
    public static let bridgeWithoutPorts = Code(rawValue: "bridgeWithoutPorts")
    /// The interface that carries the traffic is the port of a bridge or bond, which takes what arrives there.
    public static let addressOnPort = Code(rawValue: "addressOnPort")
    /// The router does not answer to the kernel's question for its hardware address. The subject is the router.
    public static let routerSilent = Code(rawValue: "routerSilent")
    /// No name server is configured. The subject is the file that names none.
    public static let noNameServer = Code(rawValue: "noNameServer")
    /// Names cannot be looked up although name servers are configured: none of them can be reached. The subject is the
    /// first server.
    public static let nameServerUnreachable = Code(rawValue: "nameServerUnreachable")
    /// The MTU of the interface is below the 1280 bytes that IPv6 requires.
    public static let smallMTU = Code(rawValue: "smallMTU")
    /// The other address family works. This one has an address, and no way out. The subject is the interface.
    public static let familyWithoutRoute = Code(rawValue: "familyWithoutRoute")
  }

  /// The cause.
  public var code: Code
  /// The name of the interface, router, route table, policy rule or file that decides; `nil` when there is none.
  public var subject: String?
  /// The cause as people read it in any program, without a full stop, such as `eth0, the only interface, is switched
  /// off`.
  ///
  /// The sentence names no option, no setting and no command: a program adds the advice that its own users can follow.
  public var sentence: String
  /// The facts beside the cause that change the next step; mostly empty.
  public var circumstances: [Circumstance] = []

  /// A diagnosis without circumstances.
  public init(code: Code, subject: String? = nil, sentence: String) {
    self.code = code
    self.subject = subject
    self.sentence = sentence
  }
}

extension Diagnosis: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}

extension Diagnosis.Code: CustomStringConvertible {
  /// The name of the cause.
  public var description: String { rawValue }
}

extension Diagnosis.Circumstance: CustomStringConvertible {
  /// The name of the circumstance.
  public var description: String { rawValue }
}
