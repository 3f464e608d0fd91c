import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import SystemIO
import Testing

@testable import Reachability

@Suite("Reachability")
struct ReachabilityTests {
  /// A Reachability of a script, which delivers on a queue of its own.
  private final class Stage: Sendable {
    let script: PathScript
    let reachability: Reachability
    let received = Guarded<[String]>([])
    /// The hosts that it has looked up.
    let asked = Guarded<[String]>([])
    /// The blocks that it has scheduled for later.
    let postponed = Guarded<[(pause: Duration, body: @Sendable () -> Void)]>([])
    private let work = DispatchQueue(label: "work")
    private let notifications = DispatchQueue(label: "notifications")

    init(
      _ path: NetworkPath?, hostname: String? = nil,
      answer: @escaping @Sendable () -> HostInquiry.Answer = { .reachable }
    ) {
      script = PathScript(path)
      reachability = Reachability(
        hostname: hostname, queueQoS: .default, targetQueue: work, notificationQueue: notifications,
        source: .scripted(script),
        asking: HostAsking(
          answer: { [asked] host in
            asked.withLock { $0.append(host) }
            return answer()
          }, inBackground: { [work] body in work.async { body() } },
          after: { [postponed] pause, body in postponed.withLock { $0.append((pause, body)) } }))
      let note: Reachability.NetworkReachable = { [received] reachability in
        let description = reachability.description
        received.withLock { $0.append(description) }
      }
      reachability.whenReachable = note
      reachability.whenUnreachable = note
    }

    /// Runs all scheduled blocks as if their time had passed; returns how long that was.
    @discardableResult
    func passTime() -> [Duration] {
      let due = postponed.withLock { postponed in
        defer { postponed = [] }
        return postponed
      }
      for (_, body) in due { body() }
      finish()
      return due.map(\.pause)
    }

    func start() throws {
      try reachability.startNotifier()
      finish()
    }

    func send(_ path: NetworkPath) {
      script.send(path)
      finish()
    }

    func finish() {
      // A path, a question, its answer, the delivery.
      for _ in 0..<4 {
        work.sync {}
        notifications.sync {}
      }
    }

    var all: [String] { received.withLock { $0 } }
  }

  @Test func `the start delivers the state, and then each change of the connection once`() throws {
    let stage = Stage(.offline)
    try stage.start()
    stage.send(.online())
    stage.send(.online(over: .wifi))
    stage.send(.online(over: .cellular))
    stage.send(.offline(because: .noCarrier))
    stage.send(.offline)
    #expect(stage.all == ["No Connection", "WiFi", "Cellular", "No Connection"])
  }

  @Test func `there are no deliveries after stop, and a new start delivers the state again`() throws {
    let stage = Stage(.offline)
    try stage.start()
    stage.reachability.stopNotifier()
    stage.send(.online())
    #expect(stage.all == ["No Connection"])
    try stage.start()
    try stage.start()
    #expect(stage.all == ["No Connection", "WiFi"])
  }

  @Test func `a released Reachability stops`() throws {
    let script = PathScript(.offline)
    do {
      let reachability = Reachability(
        hostname: nil, queueQoS: .default, targetQueue: nil, notificationQueue: nil, source: .scripted(script))
      try reachability.startNotifier()
      #expect(script.subscriberCount == 1)
    }
    #expect(script.subscriberCount == 0)
  }

  @Test func `any number of observers is notified, with the Reachability as the object`() throws {
    let stage = Stage(.offline)
    let counts = Guarded([0, 0])
    let tokens = [0, 1].map { number in
      NotificationCenter.default.addObserver(
        forName: .reachabilityChanged, object: stage.reachability, queue: nil
      ) { notification in
        if notification.object is Reachability { counts.withLock { $0[number] += 1 } }
      }
    }
    try stage.start()
    stage.send(.online())
    #expect(counts.withLock { $0 } == [2, 2])
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  @Test(arguments: [[], [InterfaceType.cellular]])
  func `cellular counts only where it is allowed, also below a tunnel`(below: [InterfaceType]) throws {
    var path = NetworkPath.online(over: below.isEmpty ? .cellular : .other)
    path.interfaces[0].underlyingTypes = below
    let stage = Stage(path)
    #expect(stage.reachability.connection == .cellular)
    stage.reachability.allowsCellularConnection = false
    try stage.start()
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.all == ["No Connection"])
  }

  @Test func `our own failure is not a lost connection`() throws {
    let stage = Stage(.online())
    try stage.start()
    stage.script.lose()
    stage.finish()
    #expect(stage.all == ["WiFi"])
  }

  @Test func `an unknown path is not a lost connection`() throws {
    let stage = Stage(.unknown)
    #expect(stage.reachability.connection == .wifi)
    let manager = NetworkManager(stage.reachability)
    var runs: [String] = []
    manager.run({ _ in runs.append("reachable") }, if: { $0 != .unavailable })
    manager.run({ _ in runs.append("unreachable") }, if: { $0 == .unavailable })
    #expect(runs == ["reachable"])
    try stage.start()
    #expect(stage.reachability.connection == .wifi)
    #expect(stage.all.isEmpty)
    stage.send(.offline)
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.all == ["No Connection"])
  }

  @Test func `starts and stops from many threads end in order`() throws {
    for _ in 0..<100 {
      let stage = Stage(.offline)
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for _ in 0..<50 {
          if number % 2 == 0 { try? stage.reachability.startNotifier() } else { stage.reachability.stopNotifier() }
        }
      }
      try stage.reachability.startNotifier()
      stage.finish()
      stage.received.withLock { $0 = [] }
      stage.send(.online())
      #expect(stage.all == ["WiFi"])
      stage.reachability.stopNotifier()
      #expect(stage.script.subscriberCount == 0)
    }
  }

  // MARK: A host

  @Test func `a host is looked up without a start too, when there is a path`() {
    let stage = Stage(.offline, hostname: "host.example") { .unreachable }
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.asked.copy.isEmpty)
    stage.send(.online())
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.asked.copy.count == 1)
    #expect(Stage(.online(), hostname: "host.example").reachability.connection == .wifi)
    #expect(Stage(.online(over: .cellular), hostname: "host.example").reachability.connection == .cellular)
  }

  @Test func `a host that cannot be looked up is not unreachable`() throws {
    let stage = Stage(.online(), hostname: "host.example") { .unknown }
    #expect(stage.reachability.connection == .wifi)
    try stage.start()
    #expect(stage.all == ["WiFi"])
  }

  @Test func `a host without an address is unreachable, and is looked up only when there is a path`() throws {
    let stage = Stage(.offline, hostname: "host.example") { .unreachable }
    try stage.start()
    #expect(stage.asked.copy.isEmpty)
    stage.send(.online())
    #expect(stage.asked.copy == ["host.example"])
    #expect(stage.all == ["No Connection"])
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.asked.copy.count == 1, "what is known already is not asked for again")
  }

  @Test func `no host is looked up after stop`() throws {
    let stage = Stage(.online(), hostname: "host.example") { .unreachable }
    try stage.start()
    stage.reachability.stopNotifier()
    stage.passTime()
    #expect(stage.asked.copy.count == 1)
    try stage.start()
    #expect(stage.asked.copy.count == 2)
    #expect(stage.all == ["No Connection", "No Connection"])
  }

  @Test func `a slow lookup of a host delays neither a loss nor a stop`() throws {
    let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (script, received, work) = (PathScript(.online()), Guarded<[String]>([]), DispatchQueue(label: "work"))
    var asking = HostAsking.system
    asking.answer = { _ in
      isAsked.signal()
      mayAnswer.wait()
      return .reachable
    }
    let reachability = Reachability(
      hostname: "host.example", queueQoS: .default, targetQueue: work, notificationQueue: nil,
      source: .scripted(script), asking: asking)
    reachability.whenUnreachable = { reachability in
      let description = reachability.description
      received.withLock { $0.append(description) }
    }
    reachability.whenReachable = reachability.whenUnreachable
    try reachability.startNotifier()
    isAsked.wait()
    script.send(.offline)
    for _ in 0..<2 { work.sync {} }
    #expect(received.copy == ["No Connection"])
    // A stop waits for blocks that run on the queue. There are none: the lookup runs elsewhere, and is not over.
    work.sync {}
    reachability.stopNotifier()
    mayAnswer.signal()
  }
}
