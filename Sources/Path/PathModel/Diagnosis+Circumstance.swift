extension Diagnosis {
  /// A fact beside the cause that changes the next step. New ones may be added: ignore an unknown one.
  public struct Circumstance: RawRepresentable, Hashable, Sendable {
    /// The name of the circumstance, as in JSON.
    public var rawValue: String

    /// A circumstance by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Another interface is usable. Only the preference of the route over the subject keeps traffic from it.
    public static let othersAreUsable = Circumstance(rawValue: "othersAreUsable")
    /// The subject is one end of a pair (veth or netkit), whose other end is in a network namespace. It has no cable
    /// and no switch.
    public static let isPair = Circumstance(rawValue: "isPair")
    /// The subject is a bridge, an access point, or the pair of a container: others get their way out from this machine
    /// by it.
    public static let servesOthers = Circumstance(rawValue: "servesOthers")
    /// Each address of the subject has a prefix of its own (/32 or /128), so that any router is beyond it.
    public static let routerIsBeyondPrefix = Circumstance(rawValue: "routerIsBeyondPrefix")
    /// The kernel still asks whether another host has the address.
    public static let isTentative = Circumstance(rawValue: "isTentative")
    /// The machine forwards packets, and so the kernel ignores router advertisements at the subject.
    public static let ignoresAdvertisements = Circumstance(rawValue: "ignoresAdvertisements")
    /// The ports of the bridge have a carrier, and it does not forward at any of them yet.
    public static let portsDoNotForward = Circumstance(rawValue: "portsDoNotForward")
    /// The subject is a multicast or broadcast address, to which no connection is made.
    public static let isManyHosts = Circumstance(rawValue: "isManyHosts")
    /// There is a default route for packets that a policy rule selects.
    public static let isRouteOfRule = Circumstance(rawValue: "isRouteOfRule")
  }
}
