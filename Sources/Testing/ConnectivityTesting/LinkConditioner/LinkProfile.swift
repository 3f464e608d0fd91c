internal import SystemIO

/// The properties of a network link. The profiles with a name follow those of Apple's Network Link Conditioner.
///
/// ``LinkConditioner`` keeps to them on one machine. ``trafficControl(near:far:device:)`` has the commands for network
/// namespaces whose kernel has netem.
public struct LinkProfile: Hashable, Sendable {
  /// One direction of a link.
  public struct Direction: Hashable, Sendable {
    /// The bits in a second, at least 1; `nil` for no limit.
    public var bitsPerSecond: Int? { didSet { bitsPerSecond = bitsPerSecond.map(Self.possible) } }
    /// The time from the end of the sending of a packet to its arrival, from zero to thirty years.
    public var delay: Duration { didSet { delay = max(.zero, delay.countable) } }
    /// The share of the packets that are lost, from 0 to 1.
    public var loss: Double { didSet { loss = Self.possible(loss) } }

    /// A direction with these properties.
    public init(bitsPerSecond: Int? = nil, delay: Duration = .zero, loss: Double = 0) {
      self.bitsPerSecond = bitsPerSecond.map(Self.possible)
      self.delay = max(.zero, delay.countable)
      self.loss = Self.possible(loss)
    }

    private static func possible(_ bitsPerSecond: Int) -> Int { max(1, bitsPerSecond) }
    private static func possible(_ loss: Double) -> Double { min(max(0, loss), 1) }
  }

  /// The name, such as `edge`.
  public var name: String
  /// The direction from the server to the client.
  public var downlink: Direction
  /// The direction from the client to the server.
  public var uplink: Direction
  /// The time that a name server takes to answer, beside the time of the link, from zero to thirty years.
  public var nameLookupDelay: Duration { didSet { nameLookupDelay = max(.zero, nameLookupDelay.countable) } }

  /// A profile with these properties.
  public init(_ name: String, downlink: Direction, uplink: Direction, nameLookupDelay: Duration = .zero) {
    self.name = name
    self.downlink = downlink
    self.uplink = uplink
    self.nameLookupDelay = max(.zero, nameLookupDelay.countable)
  }

  /// The time of a small packet to the server and back, without a loss.
  public var roundTrip: Duration { downlink.delay + uplink.delay }

  /// Whether nothing arrives.
  public var isSevered: Bool { downlink.loss >= 1 || uplink.loss >= 1 }
}

extension LinkProfile {
  /// A link without a limit, a delay or a loss.
  public static let unlimited = LinkProfile("unlimited", downlink: Direction(), uplink: Direction())
  /// Every packet is lost.
  public static let completeLoss = LinkProfile(
    "complete-loss", downlink: Direction(loss: 1), uplink: Direction(loss: 1))
  /// A mobile network of the third generation: 780 and 330 kbit/s, 100 ms each way.
  public static let thirdGeneration = LinkProfile(
    "3g", downlink: Direction(bitsPerSecond: 780_000, delay: .milliseconds(100)),
    uplink: Direction(bitsPerSecond: 330_000, delay: .milliseconds(100)))
  /// A mobile network of the second generation: 240 and 200 kbit/s, 400 ms and 440 ms.
  public static let edge = LinkProfile(
    "edge", downlink: Direction(bitsPerSecond: 240_000, delay: .milliseconds(400)),
    uplink: Direction(bitsPerSecond: 200_000, delay: .milliseconds(440)))
  /// A mobile network of the fourth generation: 50 and 10 Mbit/s, 50 ms and 65 ms.
  public static let longTermEvolution = LinkProfile(
    "lte", downlink: Direction(bitsPerSecond: 50_000_000, delay: .milliseconds(50)),
    uplink: Direction(bitsPerSecond: 10_000_000, delay: .milliseconds(65)))
  /// A telephone line: 2 Mbit/s and 256 kbit/s, 5 ms each way.
  public static let digitalSubscriberLine = LinkProfile(
    "dsl", downlink: Direction(bitsPerSecond: 2_000_000, delay: .milliseconds(5)),
    uplink: Direction(bitsPerSecond: 256_000, delay: .milliseconds(5)))
  /// A wireless network at home: 40 and 33 Mbit/s, 1 ms each way.
  public static let wifi = LinkProfile(
    "wifi", downlink: Direction(bitsPerSecond: 40_000_000, delay: .milliseconds(1)),
    uplink: Direction(bitsPerSecond: 33_000_000, delay: .milliseconds(1)))
  /// A name server that takes three seconds to answer.
  public static let slowNameServer = LinkProfile(
    "high-latency-dns", downlink: Direction(), uplink: Direction(), nameLookupDelay: .seconds(3))
  /// A very bad network: 1 Mbit/s, 500 ms and a loss of 10 % each way.
  public static let veryBad = LinkProfile(
    "very-bad", downlink: Direction(bitsPerSecond: 1_000_000, delay: .milliseconds(500), loss: 0.1),
    uplink: Direction(bitsPerSecond: 1_000_000, delay: .milliseconds(500), loss: 0.1))

  /// The profiles with a name.
  public static let all = [
    unlimited, completeLoss, thirdGeneration, edge, longTermEvolution, digitalSubscriberLine, wifi, slowNameServer,
    veryBad,
  ]

  /// The profile of a name; `nil` when there is none.
  public init?(named name: String) {
    guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
    self = profile
  }
}
