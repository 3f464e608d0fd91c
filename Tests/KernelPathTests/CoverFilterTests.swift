import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

/// The kernel of this machine runs the program.
@Suite("The event filter")
struct CoverFilterTests {
  private static let types: [UInt16] = [24, 25]

  /// A notification of a route to a prefix.
  private static func route(_ type: UInt16, _ prefix: Prefix) -> [UInt8] {
    MessageBuilder.message(
      type,
      MessageBuilder.routeHeader(family: prefix.address.family.rawValue, prefixLength: prefix.length)
        + attribute(15, UInt32(254)) + attribute(1, MessageBuilder.bytes(prefix.address))
        + attribute(4, UInt32(2)))
  }

  private static func filter(_ probes: ProbeAddresses = .standard) throws -> FilteredPair {
    try FilteredPair(CoverFilter.program(for: probes))
  }

  // IPv6 prefixes are compared by their first 32 bits.
  @Test(
    arguments: [
      ("0.0.0.0/0", true), ("0.0.0.0/1", true), ("16.0.0.0/4", true), ("193.0.0.0/8", true), ("193.0.14.0/24", true),
      ("202.12.27.33/32", true), ("::/0", true), ("2000::/3", true), ("2001:7fd::/32", true), ("2001:7fd::1/128", true),
      ("2001:7fd:ffff::/48", true), ("2001:7fc::/31", true), ("2001:7fe::/32", false), ("20.0.0.0/8", false),
      ("193.0.15.0/24", false), ("202.12.27.34/32", false), ("8.8.8.8/32", false), ("10.0.0.0/8", false),
      ("2001:db8::/48", false), ("fe80::/64", false), ("ff00::/8", false),
    ] as [(Prefix, Bool)])
  func `a route whose prefix contains a probe passes, and no other`(prefix: Prefix, passes: Bool) throws {
    let filter = try Self.filter()
    for type in Self.types { #expect(filter.passes(Self.route(type, prefix)) == passes) }
  }

  @Test(arguments: ["203.0.113.7/32", "8.8.8.8/32", "10.0.0.0/8", "2001:db8::7/128", "fe80::/64"] as [Prefix])
  func `a local route passes whatever its prefix, because it makes an address the machine's own`(
    prefix: Prefix
  ) throws {
    let filter = try Self.filter()
    for type in Self.types {
      var bytes = Self.route(type, prefix)
      for routeType in UInt8(0)...11 {
        bytes[23] = routeType
        #expect(filter.passes(bytes) == (routeType == RouteType.local))
      }
    }
  }

  @Test func `everything but routes and neighbours passes`() throws {
    let filter = try Self.filter()
    for captured in CapturedMessage.all where ![24, 25, 28].contains(captured.bytes[4]) {
      #expect(filter.passes(captured.bytes), "\(captured)")
    }
    for type: UInt16 in [32, 33, 80, 81, 104, 105, 68] {
      #expect(filter.passes(MessageBuilder.message(type, MessageBuilder.routeHeader(family: 2, prefixLength: 8))))
    }
    #expect(!filter.passes(CapturedMessage.routeAdded.bytes), "it leads to nowhere near a probe")
  }

  @Test func `a route message without a destination or of another family passes, for it could be any`() throws {
    let filter = try Self.filter()
    let attributes = attribute(15, UInt32(254)) + attribute(4, UInt32(3))
    for (family, length) in [(2, 0), (2, 24), (10, 0), (10, 24), (28, 20)] as [(UInt8, UInt8)] {
      let payload = MessageBuilder.routeHeader(family: family, prefixLength: length)
      #expect(filter.passes(MessageBuilder.message(24, payload + attributes)))
      #expect(filter.passes(MessageBuilder.message(24, payload)))
    }
  }

  @Test func `random prefixes pass exactly if they contain a probe`() throws {
    var random = SeededGenerator(seed: 20_260_131)
    for _ in 0..<60 {
      let probes = ProbeAddresses(
        (0..<random.next(below: 17)).map { _ in IPAddress(ipv4: UInt32(truncatingIfNeeded: random.next())) }
          + (0..<random.next(below: 17)).map { _ in IPAddress(ipv6: random.next(), random.next()) })
      let filter = try Self.filter(probes)
      for _ in 0..<60 {
        let family: IPAddress.Family = random.chance(2) ? .ipv4 : .ipv6
        let destination = random.address(of: family, near: probes)
        let length = random.next(below: family.bitWidth + 1)
        let isCovering = probes[family].contains {
          $0.matches(destination, prefixLength: family == .ipv6 ? min(length, 32) : length)
        }
        let passes = filter.passes(Self.route(24, Prefix(destination, UInt8(length))))
        #expect(passes == (isCovering || length == 0), "\(destination)/\(length) with \(probes)")
      }
    }
  }

  @Test(arguments: [(0, 0), (1, 0), (0, 1), (3, 3), (16, 0), (0, 16), (16, 16)])
  func `the kernel loads the program whatever the number of probes, and it is short`(ipv4: Int, ipv6: Int) throws {
    let probes = ProbeAddresses(
      (0..<ipv4).map { IPAddress(ipv4: UInt32($0) << 24) } + (0..<ipv6).map { IPAddress(ipv6: UInt64($0) << 60, 1) })
    #expect(CoverFilter.program(for: probes).count < 256)
    let filter = try Self.filter(probes)
    #expect(filter.passes(Self.route(24, "0.0.0.0/0")) && filter.passes(Self.route(24, "::/0")))
  }
}

extension SeededGenerator {
  /// Half of the time a probe with one bit changed, so that long prefixes occur; else a random address.
  fileprivate mutating func address(of family: IPAddress.Family, near probes: ProbeAddresses) -> IPAddress {
    guard chance(2), !probes[family].isEmpty else {
      return family == .ipv4
        ? IPAddress(ipv4: UInt32(truncatingIfNeeded: next())) : IPAddress(ipv6: next(), next())
    }
    let probe = pick(probes[family])
    let bit = UInt64(1) << (next() % 64)
    return family == .ipv4
      ? IPAddress(ipv4: UInt32(truncatingIfNeeded: probe.low ^ bit))
      : IPAddress(ipv6: probe.high ^ bit, probe.low)
  }
}
