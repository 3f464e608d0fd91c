import PathModel
import PathTestSupport

@testable import Validation

/// A network on which each fifth packet is lost, with a bad name server and two hosts, as a program sees it. Times are
/// milliseconds since midnight.
struct LossyInternet {
  /// The trouble of a host while it is down.
  enum Trouble: CaseIterable, Sendable {
    case silence, refusal, error, maintenancePage, redirect
  }

  /// The hosts that are asked, by HTTP and HTTPS each.
  static let hosts = [
    RoundVerdictTests.http, RoundVerdictTests.https, RoundVerdictTests.other, RoundVerdictTests.otherHTTPS,
  ]
  /// An hour.
  static let hour = 3_600_000
  /// When nothing gets through beyond the router.
  static let outage = 12 * hour..<12 * hour + 600_000
  /// When a portal takes the place of all hosts.
  static let portal = 18 * hour..<18 * hour + 300_000
  /// When the first host is down.
  static let night = 1 * hour..<5 * hour

  private var random: SeededGenerator
  private let trouble: Trouble
  /// The times at which the name server answers nobody: twelve an hour, of up to four seconds.
  private let nameless: [Range<Int>]

  /// The network of a seed.
  init(seed: UInt64, _ trouble: Trouble) {
    var random = SeededGenerator(seed: seed)
    nameless = (0..<24 * 12).map { number in
      let start = number * Self.hour / 12 + Int.random(in: 0..<200_000, using: &random)
      return start..<start + Int.random(in: 1_000..<4_000, using: &random)
    }
    (self.random, self.trouble) = (random, trouble)
  }

  /// Asks a host as the validator does: within ten seconds, with the pauses of the resolver and of TCP.
  ///
  /// - Returns: The reply, and when it was complete.
  mutating func ask(_ host: ValidationHost, at start: Int) -> (reply: HostReply, end: Int) {
    let (result, end) = result(host, start)
    return (HostReply(host: host, family: .ipv4, answer: WebAnswer(result: result)), end)
  }

  private mutating func result(
    _ host: ValidationHost, _ start: Int
  ) -> (Result<WebAnswer.Content, WebAnswer.Failure>, end: Int) {
    let limit = start + 10_000
    // The resolver asks twice, five seconds apart.
    guard let named = tries(from: start, [0, 5_000], until: limit, { $0.answersName(at: $1) }) else {
      return (.failure(.noName), limit)
    }
    let isDown = Self.night.contains(start) && host.name == Self.hosts[0].name
    if isDown, trouble == .silence { return (.failure(.silence), limit) }
    guard let connected = exchange(from: named, [0, 1_000, 3_000, 7_000], until: limit) else {
      return (.failure(.silence), limit)
    }
    if isDown, trouble == .refusal { return (.failure(.reset), connected) }
    var moment = connected
    for _ in 0..<(host.isConfirming ? 3 : 1) {
      guard let next = exchange(from: moment, [0, 250, 750, 1_750, 3_750, 7_750], until: limit) else {
        return (.failure(.silence), limit)
      }
      moment = next
    }
    if Self.portal.contains(start), host.isConfirming { return (.failure(.reset), moment) }
    return (.success(content(of: host, isDown: isDown, isPortal: Self.portal.contains(start))), moment)
  }

  private func content(of host: ValidationHost, isDown: Bool, isPortal: Bool) -> WebAnswer.Content {
    if isPortal { return .init(status: 302, location: "http://hotel.example/") }
    if isDown {
      return switch trouble {
      case .error: .init(status: 503)
      case .redirect: .init(status: 302, location: "https://status.example/")
      default: .init(status: 200, body: Array("Back soon".utf8))
      }
    }
    return switch host.rightAnswer {
    case .status(let status): .init(status: status)
    case .body(let body): .init(status: 200, body: body)
    }
  }

  /// Whether any of twenty programs that ask the hosts at a moment gets the right answer.
  mutating func reachesAnyHost(at start: Int) -> Bool {
    for number in 0..<20 where ask(Self.hosts[number % 4], at: start).reply.isRight { return true }
    return false
  }

  private mutating func answersName(at moment: Int) -> Bool {
    let isBad = Int.random(in: 0..<10, using: &random) == 0
    return passes(at: moment) && !isBad && !nameless.contains { $0.contains(moment) }
  }

  /// Whether a packet and the answer to it get through.
  private mutating func passes(at moment: Int) -> Bool {
    let isLost = (0..<2).contains { _ in Int.random(in: 0..<5, using: &random) == 0 }
    return !isLost && !Self.outage.contains(moment)
  }

  private mutating func exchange(from start: Int, _ pauses: [Int], until limit: Int) -> Int? {
    tries(from: start, pauses, until: limit) { $0.passes(at: $1) }
  }

  /// When the first try after these pauses has its answer; `nil` if none has within the limit.
  private mutating func tries(
    from start: Int, _ pauses: [Int], until limit: Int, _ isAnswered: (inout Self, Int) -> Bool
  ) -> Int? {
    for pause in pauses where start + pause + 50 < limit && isAnswered(&self, start + pause) {
      return start + pause + 50
    }
    return nil
  }
}
