import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Messages about neighbours that the event filter passes")
struct RouterFilterTests {
  /// `RTM_NEWNEIGH` or `RTM_DELNEIGH` about a neighbour in a state, `NUD_…`.
  private static func message(
    _ type: UInt16, _ address: IPAddress, state: UInt16, hardwareAddress: [UInt8]? = nil
  ) -> [UInt8] {
    let header =
      [address.family.rawValue, 0, 0, 0] + MessageBuilder.bytes(UInt32(2)) + MessageBuilder.bytes(state) + [0, 1]
    let hardware = hardwareAddress.map { attribute(2, $0) } ?? []
    return MessageBuilder.message(
      type, header + attribute(1, MessageBuilder.bytes(address)) + hardware)
  }

  private static func filter(
    current: [String] = [], rivals: [String] = [], awaited: [String] = [], tails: [String: UInt32] = [:]
  ) throws -> FilteredPair {
    var routers = RouterWatch()
    routers.current = current.map(IPAddress.literal)
    routers.rivals = rivals.map(IPAddress.literal)
    routers.awaited = awaited.map(IPAddress.literal)
    for (address, tail) in tails { routers.hardwareTails[.literal(address)] = tail }
    return try FilteredPair(CoverFilter.program(for: .standard, routers: routers))
  }

  private static let newNeighbour: UInt16 = 28
  private static let deletedNeighbour: UInt16 = 29
  private static let (reachable, stale, probe, failed): (UInt16, UInt16, UInt16, UInt16) = (0x02, 0x04, 0x10, 0x20)
  private static let states = [UInt16(0x01), reachable, stale, probe, failed]
  /// The states in which the hardware address of a router is known.
  private static let known = [reachable, stale, probe]

  @Test(arguments: ["192.0.2.1", "fe80::1"])
  func `the role of a router decides which of its states pass, and whether its removal does`(address: String) throws {
    // The router answers with the hardware address that ends so.
    let tails: [String: UInt32] = ["198.51.100.1": 7, address: 0x0304_0506]
    let answering = try Self.filter(current: [address], awaited: ["192.0.2.7"], tails: tails)
    let roles: [(String, FilteredPair, hardwareAddress: [UInt8]?, passing: [UInt16], removal: Bool)] = [
      ("none", try Self.filter(), nil, [], false),
      ("a rival", try Self.filter(rivals: ["198.51.100.1", address]), nil, Self.states, true),
      ("the current one", try Self.filter(current: [address]), nil, [Self.failed], true),
      ("an awaited one", try Self.filter(awaited: [address]), nil, Self.known, false),
      (
        "awaited and current", try Self.filter(current: [address], awaited: [address]), nil, Self.known + [Self.failed],
        true
      ),
      ("another", try Self.filter(current: ["192.0.2.9"], awaited: ["192.0.2.7", "fe80::7"]), nil, [], false),
      ("one that answers", answering, [2, 0, 3, 4, 5, 6], [Self.failed], true),
      ("one that answers, without an address", answering, nil, [Self.failed], true),
      ("one that answers, with another address", answering, [2, 0, 3, 4, 5, 7], Self.known + [Self.failed], true),
    ]
    for (role, filter, hardwareAddress, passing, removal) in roles {
      for state in Self.states {
        func passes(_ type: UInt16) -> Bool {
          filter.passes(Self.message(type, .literal(address), state: state, hardwareAddress: hardwareAddress))
        }
        #expect(passes(Self.newNeighbour) == passing.contains(state), "\(role), state \(state)")
        #expect(passes(Self.deletedNeighbour) == removal, "\(role), state \(state)")
      }
    }
  }

  @Test(arguments: ["192.0.2.2", "192.0.3.1", "fe80::2", "fe80::2:1:1"])
  func `messages about other neighbours are dropped`(address: String) throws {
    let filter = try Self.filter(
      current: ["192.0.2.1", "fe80::1"], rivals: ["198.51.100.1", "2001:db8::9"], tails: ["192.0.2.1": 7])
    for type in [Self.newNeighbour, Self.deletedNeighbour] {
      let hardwareAddress: [UInt8] = [2, 0, 3, 4, 5, 7]
      #expect(
        !filter.passes(Self.message(type, .literal(address), state: Self.failed, hardwareAddress: hardwareAddress)))
    }
  }

  @Test func `the kernel loads the program, however many routers there are`() throws {
    let many = (0..<1_000).map { "10.0.\($0 / 256).\($0 % 256)" }
    let tails = Dictionary(uniqueKeysWithValues: many.map { ($0, UInt32(1)) })
    let filter = try Self.filter(current: many, rivals: many, awaited: many, tails: tails)
    #expect(filter.passes(Self.message(Self.newNeighbour, .literal(many[0]), state: Self.stale)))
  }
}
