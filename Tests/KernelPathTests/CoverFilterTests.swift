import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The event filter")
struct CoverFilterTests {
  private let standard = FilterInterpreter(program: CoverFilter.program(for: .standard))

  @Test(arguments: [
    "0.0.0.0/0", "0.0.0.0/1", "16.0.0.0/4", "193.0.0.0/8", "193.0.14.0/24", "202.12.27.33/32", "::/0", "2000::/3",
    "2001:7fd::/32", "2001:7fd::1/128",
  ])
  func `a route whose prefix contains a probe passes`(prefix: String) throws {
    for type in [UInt16(24), 25] { #expect(try standard.passes(RouteMessage(type, prefix).bytes)) }
  }

  @Test(arguments: [
    "20.0.0.0/8", "193.0.15.0/24", "202.12.27.34/32", "8.8.8.8/32", "10.0.0.0/8", "2001:db8::/48", "fe80::/64",
    "ff00::/8",
  ])
  func `a route whose prefix contains no probe is dropped`(prefix: String) throws {
    for type in [UInt16(24), 25] { #expect(try !standard.passes(RouteMessage(type, prefix).bytes)) }
  }

  @Test(arguments: ["203.0.113.7/32", "8.8.8.8/32", "10.0.0.0/8", "2001:db8::7/128", "fe80::/64"])
  func `a local route passes whatever its prefix, because it makes an address the machine's own`(prefix: String) throws
  {
    for type in [UInt16(24), 25] {
      var bytes = RouteMessage(type, prefix).bytes
      for other in 0...11 where other != Int(RouteType.local) {
        bytes[23] = UInt8(other)
        #expect(try !standard.passes(bytes))
      }
      bytes[23] = RouteType.local
      #expect(try standard.passes(bytes))
    }
  }

  @Test func `IPv6 prefixes are compared by their first 32 bits`() throws {
    #expect(try standard.passes(RouteMessage(24, "2001:7fd:ffff::/48").bytes))
    #expect(try standard.passes(RouteMessage(24, "2001:7fc::/31").bytes))
    #expect(try !standard.passes(RouteMessage(24, "2001:7fe::/32").bytes))
  }

  @Test(arguments: CapturedMessage.links + CapturedMessage.others)
  func `everything but routes and neighbours passes`(captured: CapturedMessage) throws {
    let type = captured.bytes[4]
    if [24, 25, 28].contains(type) { return }
    #expect(try standard.passes(captured.bytes))
  }

  @Test(arguments: [UInt16(32), 33, 80, 81, 104, 105, 68])
  func `rules, settings, next-hop objects and router options pass`(type: UInt16) throws {
    #expect(try standard.passes(MessageBuilder.message(type, MessageBuilder.routeHeader(family: 2, prefixLength: 8))))
  }

  @Test func `the kernel's own notifications of a route to nowhere near a probe are dropped`() throws {
    #expect(try !standard.passes(CapturedMessage.routeAdded.bytes))
    #expect(try !standard.passes(CapturedMessage.routeDeleted.bytes))
  }

  @Test(arguments: [UInt8(2), 10])
  func `a route message without a destination passes, for it could be any`(family: UInt8) throws {
    let attributes = MessageBuilder.attribute(15, UInt32(254)) + MessageBuilder.attribute(4, UInt32(3))
    for length: UInt8 in [0, 24] {
      let payload = MessageBuilder.routeHeader(family: family, prefixLength: length)
      #expect(try standard.passes(MessageBuilder.message(24, payload + attributes)))
      #expect(try standard.passes(MessageBuilder.message(24, payload)))
    }
  }

  @Test func `routes of other families pass`() throws {
    #expect(try standard.passes(MessageBuilder.message(24, MessageBuilder.routeHeader(family: 28, prefixLength: 20))))
  }

  @Test(arguments: ["193.0.14.0/24", "8.8.8.8/32", "2001:7fd::/32", "2001:db8::/48"])
  func `truncated messages do not lead the program astray`(prefix: String) throws {
    let bytes = RouteMessage(24, prefix).bytes
    for length in bytes.indices { _ = try standard.passes(Array(bytes[..<length])) }
  }

  @Test func `random prefixes pass exactly if they contain a probe`() throws {
    var random = SeededGenerator(seed: 20_260_131)
    for _ in 0..<60 {
      let probes = ProbeAddresses(
        (0..<random.next(below: 17)).map { _ in IPAddress(ipv4: UInt32(truncatingIfNeeded: random.next())) }
          + (0..<random.next(below: 17)).map { _ in IPAddress(ipv6: random.next(), random.next()) })
      let filter = FilterInterpreter(program: CoverFilter.program(for: probes))
      for _ in 0..<60 {
        let family: IPAddress.Family = random.chance(2) ? .ipv4 : .ipv6
        let destination = random.address(of: family, near: probes)
        let length = random.next(below: family.bitWidth + 1)
        let expected = probes[family].contains {
          $0.matches(destination, prefixLength: family == .ipv6 ? min(length, 32) : length)
        }
        let passes = try filter.passes(RouteMessage(24, destination, length).bytes)
        #expect(passes == (expected || length == 0), "\(destination)/\(length) with \(probes)")
      }
    }
  }

  @Test(arguments: [(0, 0), (1, 0), (0, 1), (3, 3), (16, 0), (0, 16), (16, 16)])
  func `the program is one that the kernel loads, whatever the number of probes`(ipv4: Int, ipv6: Int) throws {
    let probes = ProbeAddresses(
      (0..<ipv4).map { IPAddress(ipv4: UInt32($0) << 24) } + (0..<ipv6).map { IPAddress(ipv6: UInt64($0) << 60, 1) })
    let program = CoverFilter.program(for: probes)
    #expect(program.count <= FilterInterpreter.greatestLength)
    #expect(program.last?.code == CoverFilter.Operation.return)
    for (position, instruction) in program.enumerated() {
      let targets: [Int] =
        switch instruction.code {
        case CoverFilter.Operation.jump: [Int(instruction.operand)]
        case CoverFilter.Operation.jumpIfEqual, CoverFilter.Operation.jumpIfAtLeast:
          [Int(instruction.ifTrue), Int(instruction.ifFalse)]
        case CoverFilter.Operation.return: []
        default: [0]
        }
      for target in targets { #expect(position + 1 + target < program.count, "jump of instruction \(position)") }
    }
    let filter = FilterInterpreter(program: program)
    #expect(try filter.passes(RouteMessage(24, "0.0.0.0/0").bytes))
    #expect(try filter.passes(RouteMessage(24, "::/0").bytes))
  }

  @Test func `the longest program still fits many times into the kernel's limit`() {
    let probes = ProbeAddresses(
      (0..<16).map { IPAddress(ipv4: UInt32($0)) } + (0..<16).map { IPAddress(ipv6: UInt64($0), 0) })
    #expect(probes.ipv4.count == ProbeAddresses.limit)
    #expect(CoverFilter.program(for: probes).count < 256)
  }
}

/// A route notification about a prefix.
private struct RouteMessage {
  let bytes: [UInt8]

  init(_ type: UInt16, _ text: String) {
    let parts = text.split(separator: "/")
    self.init(type, IPAddress(String(parts[0])) ?? IPAddress(ipv4: 0), Int(parts[1]) ?? 0)
  }

  init(_ type: UInt16, _ destination: IPAddress, _ length: Int) {
    let isIPv4 = destination.family == .ipv4
    let number = isIPv4 ? destination.low << 32 : destination.high
    let network = Self.networkBytes(number, isIPv4 ? 4 : 8) + (isIPv4 ? [] : Self.networkBytes(destination.low, 8))
    bytes = MessageBuilder.message(
      type,
      MessageBuilder.routeHeader(family: destination.family.rawValue, prefixLength: UInt8(length))
        + MessageBuilder.attribute(15, UInt32(254)) + MessageBuilder.attribute(1, network)
        + MessageBuilder.attribute(4, UInt32(2)))
  }

  private static func networkBytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
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
