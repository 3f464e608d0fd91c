import KernelTestSupport
import PathDecisions
import PathModel
import Testing

@testable import KernelPath

/// Policy rules for ranges of users.
@Suite("Rules for users", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelRuleTests {
  @Test func `rules for users of both families appear and vanish, and earlier ones are known`() async throws {
    try await TestNamespace.run { namespace in
      for command in [
        "rule add pref 100 uidrange 5-5 lookup main", "-6 rule add pref 100 uidrange 5-5 lookup main",
        "rule add pref 101 uidrange 0-4294967294 lookup main",
      ] {
        try namespace.ip(command)
      }
      let kernel = try Kernel(probes: .standard)
      #expect(try kernel.rules().userRanges == [5...5], "the same range once, and all users not at all")
      try namespace.ip("-6 rule add pref 200 uidrange 3000-3999 lookup main")
      try namespace.ip("rule add pref 90 uidrange 0-4 lookup main")
      try namespace.ip("rule add pref 102 lookup main")
      // The old answer stands until the messages are read. They have arrived when the command ends.
      #expect(try kernel.rules().userRanges == [5...5])
      _ = try kernel.drain()
      #expect(kernel.situation.rules == nil)
      #expect(try kernel.rules().userRanges == [0...4, 5...5, 3_000...3_999])
      for (command, ranges) in [("rule delete pref 90", [5...5, 3_000...3_999]), ("-6 rule delete pref 200", [5...5])]
        as [(String, [ClosedRange<UInt32>])]
      {
        try namespace.ip(command)
        _ = try kernel.drain()
        #expect(try kernel.rules().userRanges == ranges)
      }
    }
  }

  @Test func `a rule whose message was lost is known after the overrun`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      let kernel = try Kernel(probes: .standard, receiveBuffer: 4_096)
      #expect(try kernel.rules().userRanges.isEmpty)
      _ = try kernel.drain()
      try namespace.batch((0..<200).map { "address add 198.51.100.\($0)/32 dev eth0" })
      // After a lost message the kernel drops all messages until the waiting ones are read.
      try namespace.ip("rule add pref 100 uidrange 1000-1999 lookup main")
      #expect(try kernel.drain().overran)
      #expect(kernel.situation.rules == nil)
      #expect(try kernel.rules().userRanges == [1_000...1_999])
    }
  }

  @Test func `rules are read only after a message about rules, or after a failed reading`() async throws {
    try await TestNamespace.run { namespace in
      let kernel = try Kernel(probes: .standard)
      let sockets = try #require(NetlinkSockets())
      try namespace.ip("rule add pref 100 uidrange 1000-1999 lookup main")
      _ = try kernel.drain()
      do {
        let broken = BrokenDescriptor(sockets.queryDescriptor)
        #expect(throws: KernelPathError.self) { try kernel.rules().userRanges }
        _ = consume broken
      }
      #expect(try kernel.rules().userRanges == [1_000...1_999])
      try namespace.ip("address add 192.0.2.2/32 dev lo")
      _ = try kernel.drain()
      let broken = BrokenDescriptor(sockets.queryDescriptor)
      #expect(try kernel.rules().userRanges == [1_000...1_999])
      _ = consume broken
    }
  }

  @Test func `a family that the kernel does not know has no rules, unless it is one that has to be there`()
    async throws
  {
    try await TestNamespace.run { _ in
      let queries = try QuerySocket()
      let request = NetlinkRequest.allRules(of: 200)
      var count = 0
      #expect(try queries.dump(request, of: "policy rules", isOptional: true) { _ in count += 1 })
      #expect(count == 0)
      let error = try #require(throws: KernelPathError.self) {
        _ = try queries.dump(request, of: "policy rules") { _ in }
      }
      #expect(error.message == "cannot list policy rules: Address family not supported by protocol")
    }
  }
}
