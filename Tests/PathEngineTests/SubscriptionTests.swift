import KernelTestSupport
import PathDecisions
import PathEngine
import PathModel
import Testing

@Suite("Subscriptions", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct SubscriptionTests {
  private static let cut = "route delete default via 192.0.2.1 dev eth0 metric 100"
  private static let restore = "route add default via 192.0.2.1 dev eth0 metric 100"
  /// Longer than any step of a test, and short enough to wait for.
  private static let slow = SettleTimes(.seconds(2))

  @Test func `the first delivery comes before the call returns, and is the path as it is`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ip(Self.cut)
      let collector = stage.subscribe(.standard)
      #expect(collector.paths.map(\.status) == [.unsatisfied])
      #expect(collector.paths.first?.sequence == 0)
      #expect(collector.paths.first?.changed.isEmpty == true)
      #expect(collector.paths.first?.knowledge == .known)
      #expect(collector.paths.first == stage.engine.freshPath())
    }
  }

  @Test func `subscribers with equal times share the updates and their numbers, others have their own`() async throws {
    try await EngineStage.run { stage in
      let first = stage.subscribe(.immediate)
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { first.paths.count == 2 })
      let second = stage.subscribe(.immediate)
      let other = stage.subscribe(.standard)
      #expect(second.paths.map(\.sequence) == [1])
      #expect(other.paths.map(\.sequence) == [0])
      #expect(first.paths.last == second.paths.last)
      try stage.namespace.ip(Self.restore)
      #expect(try stage.run { first.paths.count == 3 && second.paths.count == 2 && other.paths.count == 2 })
      #expect(first.paths.map(\.sequence) == [0, 1, 2])
      #expect(second.paths.last?.sequence == 2)
      #expect(other.paths.last?.sequence == 1)
      #expect(first.paths.last == other.paths.last)
      #expect(first.paths.map(\.status) == [.satisfied, .unsatisfied, .satisfied])
      for (before, after) in zip(first.paths, first.paths.dropFirst()) {
        #expect(after.changed == after.fieldsChanged(since: before) && after.changed.contains("status"))
        #expect(after.boottimeMicroseconds > before.boottimeMicroseconds)
      }
    }
  }

  @Test func `a change that is undone is delivered only to subscribers that want every change`() async throws {
    try await EngineStage.run { stage in
      let eager = stage.subscribe(.immediate)
      let patient = stage.subscribe(Self.slow)
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { eager.paths.count == 2 })
      try stage.namespace.ip(Self.restore)
      #expect(try stage.run { eager.paths.count == 3 })
      try stage.run(for: .milliseconds(2_300))
      #expect(patient.paths.map(\.status) == [.satisfied])
      #expect(eager.paths.map(\.status) == [.satisfied, .unsatisfied, .satisfied])
    }
  }

  @Test func `an event that changes nothing is not delivered`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      try stage.namespace.ip("route add 193.0.0.0/8 via 192.0.2.1")
      try stage.namespace.ip("route add 203.0.113.0/24 via 192.0.2.1")
      try stage.namespace.ip("rule add pref 100 lookup 100")
      try stage.namespace.ip("link add other0 type veth peer name other1")
      try stage.run(for: .milliseconds(300))
      #expect(collector.paths.count == 1)
    }
  }

  @Test func `a subscription during a pending change gets the present path, and a return of the former`() async throws {
    try await EngineStage.run { stage in
      let early = stage.subscribe(Self.slow)
      try stage.namespace.ip(Self.cut)
      let late = stage.subscribe(Self.slow)
      #expect(early.paths.map(\.status) == [.satisfied])
      #expect(late.paths.map(\.status) == [.unsatisfied])
      try stage.namespace.ip(Self.restore)
      #expect(try stage.run { late.paths.count == 2 })
      #expect(late.paths.last == early.paths.last)
      #expect(late.paths.map(\.sequence) == [0, 1])
      #expect(late.paths.last?.changed == late.paths.last?.fieldsChanged(since: late.paths[0]))
      #expect(early.paths.count == 1)
    }
  }

  @Test func `a subscription during a pending change does not get the same path again when it settles`() async throws {
    try await EngineStage.run { stage in
      let early = stage.subscribe(SettleTimes(.milliseconds(300)))
      try stage.namespace.ip(Self.cut)
      let late = stage.subscribe(SettleTimes(.milliseconds(300)))
      #expect(late.paths.map(\.status) == [.unsatisfied])
      #expect(try stage.run { early.paths.count == 2 })
      #expect(late.repetitions.isEmpty)
      try stage.namespace.ip(Self.restore)
      #expect(try stage.run { early.paths.count == 3 })
      #expect(late.paths.last?.status == .satisfied)
      #expect(late.paths.last?.sequence == early.paths.last?.sequence)
    }
  }

  @Test func `a change of the resolver configuration is delivered`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      #expect(collector.paths.last?.supportsDNS == true)
      try stage.writeResolver("# nobody\n")
      #expect(try stage.run { collector.paths.last?.supportsDNS == false })
      #expect(collector.paths.last?.changed == ["diagnosis", "supportsDNS"])
      try stage.writeResolver("nameserver 192.0.2.54\n")
      #expect(try stage.run { collector.paths.last?.supportsDNS == true })
      #expect(collector.repetitions.isEmpty)
    }
  }

  @Test func `a route that takes the name server away is delivered as a doubt, and its end, too`() async throws {
    try await EngineStage.run { stage in
      try stage.writeResolver("nameserver 198.51.100.53\n")
      let collector = stage.subscribe(.immediate)
      #expect(try stage.run { collector.paths.last?.knownDiagnosis == nil })
      // The route covers no sample address.
      try stage.namespace.ip("route add unreachable 198.51.100.53")
      #expect(try stage.run { collector.paths.last?.knownDiagnosis?.code == .nameServerUnreachable })
      #expect(collector.paths.last?.knownDiagnosis?.subject == "198.51.100.53")
      #expect(collector.paths.last?.status == .satisfied)
      #expect(collector.paths.last?.supportsDNS == false)
      try stage.namespace.ip("route del unreachable 198.51.100.53")
      #expect(try stage.run { collector.paths.last?.knownDiagnosis == nil })
      #expect(collector.paths.last?.changed == ["diagnosis", "supportsDNS"])
    }
  }

  @Test func `a default route that no rule leads to is named while it is there`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      func isCause(_ code: Diagnosis.Code) throws -> Bool {
        try stage.run { collector.paths.last?.knownDiagnosis?.code == code }
      }
      try stage.namespace.ip("rule del pref 32766")
      #expect(try isCause(.noRuleForMainTable))
      // The answers of the kernel stay the same.
      try stage.namespace.ip(Self.cut)
      #expect(try isCause(.noDefaultRoute))
      try stage.namespace.ip("\(Self.restore) onlink")
      #expect(try isCause(.noRuleForMainTable))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a route that ends without a message is noticed, also when asked in its last hundredth of a second`()
    async throws
  {
    try await EngineStage.run { stage in
      try stage.namespace.ip("address add 2001:db8::2/64 dev eth0 nodad")
      try stage.namespace.ip("route add ::/0 via 2001:db8::1 dev eth0 expires 2")
      let collector = stage.subscribe(.immediate)
      // The kernel rounds down: its answer for such a route equals that for one that never ends.
      var hasHundredths = true
      while hasHundredths {
        guard stage.engine.freshPath().supportsIPv6 else {
          // The machine was busy at that moment. The life of every such route has one such moment.
          try stage.namespace.ip("route replace ::/0 via 2001:db8::1 dev eth0 expires 1")
          continue
        }
        hasHundredths = stage.engine.reader.evaluation.lookups.contains { lookup in
          guard case .route(let route) = lookup.answer else { return false }
          return route.expires != nil
        }
        if hasHundredths { try stage.run(for: .milliseconds(1)) }
      }
      #expect(try stage.run(within: .seconds(4)) { collector.paths.last?.supportsIPv6 == false })
      #expect(collector.paths.last?.supportsIPv4 == true)
    }
  }

  // MARK: Ending

  @Test func `cancelling ends the deliveries to one subscriber, and to no other`() async throws {
    try await EngineStage.run { stage in
      let staying = stage.subscribe(.immediate)
      let leaving = stage.subscribe(.immediate)
      let alone = stage.subscribe(SettleTimes(.milliseconds(10)))
      stage.engine.cancel(try #require(leaving.subscription))
      stage.engine.cancel(try #require(alone.subscription))
      stage.engine.cancel(try #require(alone.subscription))
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { staying.paths.count == 2 })
      try stage.run(for: .milliseconds(50))
      #expect(leaving.paths.count == 1)
      #expect(alone.paths.count == 1)
      let again = stage.subscribe(SettleTimes(.milliseconds(10)))
      #expect(again.paths.map(\.sequence) == [0])
    }
  }

  @Test func `a subscriber may cancel itself and others during a delivery, and none of them gets a further one`()
    async throws
  {
    try await EngineStage.run { stage in
      var subscriptions: [PathEngine.Subscription] = []
      var counts = [0, 0]
      subscriptions.append(
        stage.engine.subscribe(.immediate) { path in
          counts[0] += 1
          if path.sequence == 1 { subscriptions.forEach(stage.engine.cancel) }
        })
      subscriptions.append(stage.engine.subscribe(.immediate) { _ in counts[1] += 1 })
      let other = stage.subscribe(.immediate)
      for (command, deliveries) in [(Self.cut, 2), (Self.restore, 3)] {
        try stage.namespace.ip(command)
        #expect(try stage.run { other.paths.count == deliveries })
      }
      #expect(counts == [2, 1])
    }
  }

  @Test func `a subscriber that asks for the path during a delivery leaves no other with an older one`() async throws {
    try await EngineStage.run { stage in
      _ = stage.engine.subscribe(.immediate) { path in
        guard path.status == .unsatisfied else { return }
        try? stage.namespace.ip(Self.restore)
        _ = stage.engine.freshPath()
      }
      let second = stage.subscribe(.immediate)
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { second.paths.count >= 2 })
      try stage.run(for: .milliseconds(100))
      #expect(second.paths.last == stage.engine.freshPath())
      #expect(second.paths.map(\.sequence) == second.paths.map(\.sequence).sorted())
    }
  }
}
