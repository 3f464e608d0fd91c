/// Why a path is unsatisfied. New reasons may be added: treat an unknown one as "for some reason".
public struct UnsatisfiedReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name of the reason, as in JSON.
  public var rawValue: String

  /// A reason by name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No interface but loopback exists and is up.
  public static let noInterface = UnsatisfiedReason(rawValue: "noInterface")
  /// The link has no carrier: a cable is out, an access point is gone.
  public static let noCarrier = UnsatisfiedReason(rawValue: "noCarrier")
  /// The link waits for authentication, such as 802.1X or the WPA handshake (RFC 2863 *dormant*).
  public static let dormant = UnsatisfiedReason(rawValue: "dormant")
  /// There is no address that reaches beyond the link.
  public static let noAddress = UnsatisfiedReason(rawValue: "noAddress")
  /// There is no route to the sample addresses.
  public static let noRoute = UnsatisfiedReason(rawValue: "noRoute")
  /// The kernel still prefers a route over a link that is down, although another interface is usable.
  public static let linkDownRoute = UnsatisfiedReason(rawValue: "linkDownRoute")
  /// A route or rule forbids it: `unreachable`, `prohibit` or `blackhole`.
  public static let prohibited = UnsatisfiedReason(rawValue: "prohibited")
  /// The route leads to a device that discards packets, such as the one of a VPN's kill switch.
  public static let sinkInterface = UnsatisfiedReason(rawValue: "sinkInterface")
  /// There is a path, but not one of the kind that was asked for.
  public static let requirementNotMet = UnsatisfiedReason(rawValue: "requirementNotMet")
  /// An administrator said so.
  public static let overridden = UnsatisfiedReason(rawValue: "overridden")

  /// The reason as people read it in any program, without a full stop.
  ///
  /// The words name no option and no setting: a program adds the advice that its own users can follow. They end without
  /// a mark, so that they fit into a sentence.
  public var words: String {
    Self.allWords.first { $0.reason == self }?.words ?? rawValue
  }

  /// The ``words``.
  public var description: String { words }

  /// Every reason that this version gives.
  package static let all = allWords.map(\.reason)

  private static let allWords: [(reason: UnsatisfiedReason, words: String)] = [
    (noInterface, "no network interface is up"),
    (noCarrier, "no carrier: the cable is not plugged in, or the access point out of reach"),
    (dormant, "the link waits for authentication"),
    (noAddress, "no address that reaches beyond the link"),
    (noRoute, "no route beyond the local network"),
    (linkDownRoute, "the preferred route leads over a link that is down, though another interface is usable"),
    (prohibited, "a route or rule forbids it"),
    (sinkInterface, "the route leads to a device that discards packets, such as a VPN's kill switch"),
    (requirementNotMet, "there is a path, but not of the kind asked for"),
    (overridden, "an administrator said so"),
  ]
}
