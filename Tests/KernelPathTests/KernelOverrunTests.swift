import KernelTestSupport
import PathDecisions
import PathModel
import SystemIO
import Testing

@testable import KernelPath

@Suite("Lost and forged messages", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelOverrunTests {
  /// Runs the body with a kernel in a namespace with a cable `eth0`; one with a small buffer soon loses messages.
  private static func run(
    receiveBuffer: Int32 = 4_096, _ body: @escaping @Sendable (Kernel, TestNamespace) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      let kernel = try Kernel(probes: .standard, receiveBuffer: receiveBuffer)
      #expect(try kernel.difference(fromFreshWithin: .seconds(20)) == nil)
      try body(kernel, namespace)
    }
  }

  @Test func `after an overrun everything is read anew, and following goes on`() async throws {
    try await Self.run { kernel, namespace in
      for round in 0..<3 {
        #expect(try Self.flood(kernel, namespace, round))
        let difference = try kernel.difference(fromFreshWithin: .seconds(20))
        #expect(difference == nil, "round \(round)")
      }
      try namespace.ip("route add default via 192.0.2.1")
      #expect(isReadable(kernel.eventDescriptor, within: .seconds(20)))
      #expect(try kernel.drain().messages > 0)
      #expect(try kernel.evaluatedPath().status == .satisfied)
    }
  }

  @Test func `messages count as lost until the receive buffer has been emptied`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      let events = try EventSocket(probes: .standard, receiveBuffer: 4_096)
      try namespace.batch((0..<100).map { "address add 198.51.100.\($0)/32 dev eth0" })
      // The kernel says once that it has dropped messages, and then drops more without a word while any wait.
      let past = MonotonicInstant.now
      #expect(try events.drain(until: past) { _ in }.overran)
      try namespace.ip("address add 203.0.113.1/32 dev eth0")
      #expect(try events.drain(until: .now.advanced(by: .seconds(20))) { _ in }.overran)
      #expect(try !events.drain(until: .now.advanced(by: .seconds(20))) { _ in }.overran)
    }
  }

  @Test func `a reading that fails after an overrun is repeated`() async throws {
    try await Self.run { kernel, namespace in
      let sockets = try #require(NetlinkSockets())
      try namespace.batch((0..<200).map { "address add 198.51.100.\($0)/32 dev eth0" })
      do {
        let broken = BrokenDescriptor(sockets.queryDescriptor)
        #expect(throws: KernelPathError.self) { try kernel.drain() }
        _ = consume broken
      }
      let difference = try kernel.difference(fromFreshWithin: .seconds(2))
      #expect(difference == nil, "the links and addresses stay as they were when the reading failed")
    }
  }

  @Test func `a message that a process forged is ignored`() async throws {
    try await Self.run(receiveBuffer: 2 << 20) { kernel, namespace in
      let port = NetlinkSockets.port(ofDescriptor: try #require(kernel.eventDescriptor))
      #expect(port != 0)
      let before = kernel.state
      let eth0 = try #require(before.interfaces.last).link.index
      let removal = MessageBuilder.message(17, MessageBuilder.linkHeader(index: eth0, flags: 0))
      for forged in [CapturedMessage.vethUp.bytes, CapturedMessage.addressIPv4.bytes, removal] {
        #expect(NetlinkSockets.forge(forged, to: port))
      }
      #expect(isReadable(kernel.eventDescriptor, within: .seconds(20)))
      #expect(try kernel.drain().messages == 0)
      #expect(kernel.state == before)
      // Messages of the kernel itself still arrive.
      try namespace.ip("link set eth0 mtu 1400")
      #expect(isReadable(kernel.eventDescriptor, within: .seconds(20)))
      #expect(try kernel.drain().messages > 0)
    }
  }

  @Test func `an answer that a process forged is not believed`() async throws {
    try await Self.run(receiveBuffer: 2 << 20) { kernel, _ in
      let sockets = try #require(NetlinkSockets())
      let query = RouteQuery(destination: IPAddress(ipv4: 0xc100_0e81), kind: .match)
      let truth = try kernel.answers(to: [query])
      // There is a forged answer for each number that the next question may have.
      let payload = MessageBuilder.routeHeader(family: 2, prefixLength: 0) + attribute(4, UInt32(1))
      for sequence in UInt32(1)...200 {
        #expect(NetlinkSockets.forge(MessageBuilder.message(24, sequence: sequence, payload), to: sockets.queryPort))
      }
      #expect(try kernel.answers(to: [query]) == truth)
    }
  }

  @Test func `a full receive buffer is drained without a loss, in as many pieces as its time allows`() async throws {
    try await Self.run(receiveBuffer: 2 << 20) { kernel, namespace in
      // The end of duplicate address detection would be announced a second or two later: in the middle of this, on a
      // slow machine.
      try namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      _ = try kernel.drain()
      try namespace.batch((0..<240).map { "address add 198.51.100.\($0)/32 dev eth0" })
      // Clients are served between the pieces. Each has at least one message, so that the last one comes.
      var messages = 0
      while isReadable(kernel.eventDescriptor, within: .zero) {
        let piece = try kernel.drain()
        #expect(piece.messages > 0 && !piece.overran)
        messages += piece.messages
      }
      #expect(messages >= 240)
      #expect(kernel.state.interfaces.last?.addresses.count(where: { $0.address.family == .ipv4 }) == 241)
    }
  }

  /// Changes links and addresses while the kernel under test reads nothing, until it reports lost messages.
  private static func flood(_ kernel: Kernel, _ namespace: TestNamespace, _ round: Int) throws -> Bool {
    try becomesTrue {
      let changes = (0..<60).flatMap {
        ["address add 198.51.\(100 + round).\($0)/32 dev eth0", "link set eth0 mtu \(1_300 + $0)"]
      }
      try namespace.batch(changes + (0..<40).map { "address delete 198.51.\(100 + round).\($0)/32 dev eth0" })
      return try kernel.drain().overran
    }
  }
}
