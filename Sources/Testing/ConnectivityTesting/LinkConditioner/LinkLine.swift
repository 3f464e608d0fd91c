internal import SystemIO

/// One direction of a link, as a value without a clock, input or output: bytes enter, take their time on the wire,
/// travel for the delay, and come out in their order.
///
/// A segment occupies the wire for its bits divided by the rate. A lost one occupies it again, and arrives a round trip
/// later; the segments behind it wait, as in a TCP connection with selective acknowledgements.
struct LinkLine: Sendable {
  /// A part of the stream, or its end.
  enum Item: Hashable, Sendable {
    case bytes([UInt8])
    case end
  }

  private struct Waiting {
    var item: Item
    var due: MonotonicInstant
  }

  /// The bytes of a segment at most: those of TCP on Ethernet.
  static var segmentSize: Int { 1_448 }
  /// The time for which bytes wait before they are sent, at most; then the line accepts no more.
  static var longestQueue: Duration { .milliseconds(100) }
  /// The bytes on a line without a rate, at most.
  static var mostBytes: Int { 4_194_304 }
  /// The bytes on a line with a rate, at most.
  private static var mostBytesOfRate: Double { 1e12 }

  private(set) var direction: LinkProfile.Direction
  private var roundTrip: Duration
  /// The moment when the last segment has been sent.
  private var wireIsFree: MonotonicInstant
  private var waiting: [Waiting] = []
  /// The position of the first waiting item. Items before it have come out.
  private var first = 0
  /// The number of bytes between both ends.
  private(set) var byteCount = 0
  private var isSilent: Bool { direction.loss >= 1 }

  /// A line that accepts its first bytes at a moment.
  ///
  /// - Parameters:
  ///   - direction: The properties of the line.
  ///   - roundTrip: The additional time for a lost segment.
  ///   - opening: The moment when the connection is made.
  init(_ direction: LinkProfile.Direction, roundTrip: Duration, opening: MonotonicInstant) {
    self.direction = direction
    self.roundTrip = roundTrip
    wireIsFree = opening
  }

  /// Gives the line other properties. Bytes that are on their way arrive as before.
  mutating func change(to direction: LinkProfile.Direction, roundTrip: Duration) {
    self.direction = direction
    self.roundTrip = roundTrip
  }

  /// Accepts bytes, or the end.
  mutating func send(_ item: Item, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) {
    // Nothing of a line that loses everything comes out, now or later.
    if isSilent { return }
    switch item {
    case .end: append(.end, sentAt: max(wireIsFree, now), losses: 0)
    case .bytes(let bytes):
      // Without a rate and a loss there is nothing to divide.
      let size = direction.bitsPerSecond == nil && direction.loss == 0 ? max(1, bytes.count) : Self.segmentSize
      for start in stride(from: 0, to: bytes.count, by: size) {
        let segment = Array(bytes[start..<min(start + size, bytes.count)])
        var losses = 0
        while direction.loss > 0, Double.random(in: 0..<1, using: &generator) < direction.loss { losses += 1 }
        wireIsFree = max(wireIsFree, now).advanced(by: time(for: segment.count) * (losses + 1))
        append(.bytes(segment), sentAt: wireIsFree, losses: losses)
      }
    }
  }

  private mutating func append(_ item: Item, sentAt sent: MonotonicInstant, losses: Int) {
    let arrival = sent.advanced(by: direction.delay + roundTrip * losses)
    waiting.append(Waiting(item: item, due: waiting.last.map { max($0.due, arrival) } ?? arrival))
    if case .bytes(let bytes) = item { byteCount += bytes.count }
  }

  private func time(for byteCount: Int) -> Duration {
    direction.bitsPerSecond.map { .nanoseconds(Int64(byteCount) * 8 * 1_000_000_000 / Int64($0)) } ?? .zero
  }

  /// The next item that has arrived; `nil` when there is none.
  mutating func receive(at now: MonotonicInstant) -> Item? {
    guard first < waiting.count, waiting[first].due <= now else { return nil }
    let item = waiting[first].item
    waiting[first].item = .end
    first += 1
    if case .bytes(let bytes) = item { byteCount -= bytes.count }
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 1_024, first * 2 > waiting.count {
      waiting.removeFirst(first)
      first = 0
    }
    return item
  }

  /// The moment when the next item arrives; `nil` when none is on its way.
  var nextArrival: MonotonicInstant? { first < waiting.count ? waiting[first].due : nil }

  /// The moment from which the line accepts bytes; `nil` when this depends on the receiver or the line is silent.
  var acceptsFrom: MonotonicInstant? {
    isSilent || byteCount >= capacity ? nil : wireIsFree.advanced(by: .zero - Self.longestQueue)
  }

  /// The bytes between both ends at most: a receiver that does not read fills the line. Those behind a segment that is
  /// lost several times must not.
  private var capacity: Int {
    guard let rate = direction.bitsPerSecond else { return Self.mostBytes }
    let repetitions = direction.loss > 0 ? 5 : 0
    let time = direction.delay + roundTrip * repetitions + Self.longestQueue * 4
    let bytes = Double(rate) / 8 * (time / .seconds(1))
    return max(65_536, Int(min(bytes, Self.mostBytesOfRate)))
  }
}
