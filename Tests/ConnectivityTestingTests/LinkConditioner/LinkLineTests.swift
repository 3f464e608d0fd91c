import ProcessTestSupport
import SystemIO
import Testing

@testable import ConnectivityTesting

@Suite("One direction of a link")
struct LinkLineTests {
  private let segment = [UInt8](repeating: 1, count: LinkLine.segmentSize)

  private func line(_ bitsPerSecond: Int? = nil, delay: Duration = .zero, loss: Double = 0, opening: Duration = .zero)
    -> LinkLine
  {
    LinkLine(
      LinkProfile.Direction(bitsPerSecond: bitsPerSecond, delay: delay, loss: loss), roundTrip: delay * 2,
      opening: at(opening))
  }

  private func at(_ offset: Duration) -> MonotonicInstant { MonotonicInstant(0).advanced(by: offset) }

  private func send(_ item: LinkLine.Item, into line: inout LinkLine, at now: Duration = .zero) {
    var generator = SystemRandomNumberGenerator()
    line.send(item, at: at(now), using: &generator)
  }

  /// The moments at which items come out, to the end.
  private func arrivals(of line: LinkLine) -> [(at: Duration, item: LinkLine.Item)] {
    var (line, arrivals): (LinkLine, [(Duration, LinkLine.Item)]) = (line, [])
    while let moment = line.nextArrival {
      #expect(line.receive(at: moment.advanced(by: .nanoseconds(-1))) == nil)
      guard let item = line.receive(at: moment) else {
        Issue.record("nothing has arrived at \(moment)")
        break
      }
      arrivals.append((at(.zero).duration(to: moment), item))
    }
    return arrivals
  }

  @Test func `bytes arrive after the delay, and not before`() {
    var line = line(delay: .milliseconds(100))
    send(.bytes([1, 2]), into: &line, at: .milliseconds(5))
    let found = arrivals(of: line)
    #expect(found.map(\.at) == [.milliseconds(105)])
    #expect(found.map(\.item) == [.bytes([1, 2])])
  }

  @Test func `segments take their turn on the wire`() {
    // A segment of 1448 bytes takes one millisecond.
    var line = line(1_448 * 8 * 1_000, delay: .milliseconds(10))
    send(.bytes(segment + segment + segment), into: &line)
    send(.end, into: &line)
    let found = arrivals(of: line)
    #expect(found.map(\.at) == [11, 12, 13, 13].map { .milliseconds($0) })
    #expect(found.map(\.item) == [.bytes(segment), .bytes(segment), .bytes(segment), .end])
  }

  @Test func `a wire that was idle saves no time up`() {
    var line = line(1_448 * 8 * 1_000)
    send(.bytes(segment), into: &line)
    send(.bytes(segment), into: &line, at: .seconds(5))
    #expect(arrivals(of: line).map(\.at) == [.milliseconds(1), .milliseconds(5_001)])
  }

  @Test func `the first bytes wait for the connection`() {
    var line = line(delay: .milliseconds(10), opening: .seconds(3))
    send(.bytes([1]), into: &line)
    #expect(arrivals(of: line).map(\.at) == [.milliseconds(3_010)])
  }

  /// A generator that gives the numbers in turn: 0 for a loss, all ones for none.
  private struct Numbers: RandomNumberGenerator {
    var rest: [UInt64]
    mutating func next() -> UInt64 { rest.isEmpty ? .max : rest.removeFirst() }
  }

  @Test func `a lost segment takes the wire twice, arrives a round trip later, and holds up those behind it`() {
    var line = line(1_448 * 8 * 1_000, delay: .milliseconds(10), loss: 0.1)
    var numbers = Numbers(rest: [.max, 0, .max, .max])
    line.send(.bytes(segment + segment + segment), at: at(.zero), using: &numbers)
    let found = arrivals(of: line)
    // The second is sent at 3 ms for the second time, and arrives 10 ms and a round trip of 20 ms later.
    #expect(found.map(\.at) == [11, 33, 33].map { .milliseconds($0) })
  }

  @Test(arguments: [0.1, 0.5]) func `the share of lost segments is missing in the rate`(loss: Double) {
    var generator = SystemRandomNumberGenerator()
    var line = line(1_448 * 8 * 1_000, loss: loss)
    let count = 20_000
    for _ in 0..<count { line.send(.bytes(segment), at: at(.zero), using: &generator) }
    // The deviation of the mean of so many is far below one in twenty, which is ten deviations.
    let seconds = (arrivals(of: line).last?.at ?? .zero) / .seconds(1)
    let expected = Double(count) / 1_000 / (1 - loss)
    #expect(abs(seconds / expected - 1) < 0.05)
  }

  @Test func `a line that loses everything accepts nothing, and delivers what was on its way`() {
    var line = line(delay: .milliseconds(10))
    send(.bytes([1]), into: &line)
    line.change(to: LinkProfile.completeLoss.uplink, roundTrip: .zero)
    send(.bytes([2]), into: &line)
    send(.end, into: &line)
    #expect(line.acceptsFrom == nil)
    #expect(arrivals(of: line).map(\.item) == [.bytes([1])])
  }

  @Test func `a wire with a tenth of a second of bytes before it accepts no more until they are sent`() {
    var line = line(1_448 * 8 * 1_000)
    for _ in 0..<100 { send(.bytes(segment), into: &line) }
    #expect(line.acceptsFrom == at(.zero))
    send(.bytes(segment), into: &line)
    #expect(line.acceptsFrom == at(.milliseconds(1)))
  }

  @Test func `a receiver that does not read fills the line`() {
    var line = line()
    send(.bytes([UInt8](repeating: 0, count: LinkLine.mostBytes - 1)), into: &line)
    #expect(line.acceptsFrom != nil)
    send(.bytes([0]), into: &line)
    #expect(line.acceptsFrom == nil)
    _ = line.receive(at: at(.zero))
    #expect(line.acceptsFrom != nil)
    #expect(line.byteCount == 1)
  }

  @Test func `a change of the properties leaves the order`() {
    var line = line(delay: .seconds(1))
    send(.bytes([1]), into: &line)
    line.change(to: LinkProfile.Direction(), roundTrip: .zero)
    send(.bytes([2]), into: &line)
    #expect(arrivals(of: line).map(\.item) == [.bytes([1]), .bytes([2])])
  }
}
