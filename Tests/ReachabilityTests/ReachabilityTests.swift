import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import SystemIO
import Testing

@testable import Reachability

@Suite("Reachability")
struct ReachabilityTests {
  /// A Reachability of a script, which tells on a queue of its own.
  private final class Stage: Sendable {
    let script: PathScript
    let reachability: Reachability
    let told = Guarded<[String]>([])
    private let work = DispatchQueue(label: "work")
    private let notifications = DispatchQueue(label: "notifications")

    init(_ path: NetworkPath, hostname: String? = nil, hasAddress: @escaping @Sendable (String) -> Bool = { _ in true })
    {
      script = PathScript(path)
      reachability = Reachability(
        hostname: hostname, queueQoS: .default, targetQueue: work, notificationQueue: notifications,
        source: .scripted(script), hasAddress: hasAddress)
      reachability.whenReachable = { [told] reachability in told.withLock { $0.append("\(reachability)") } }
      reachability.whenUnreachable = { [told] reachability in told.withLock { $0.append("\(reachability)") } }
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
      for _ in 0..<3 {
        work.sync {}
        notifications.sync {}
      }
    }

    var all: [String] { told.withLock { $0 } }
  }

  @Test func `the start tells the state, and then each change of the connection is told once`() throws {
    let stage = Stage(.offline)
    try stage.start()
    stage.send(.online())
    stage.send(.online(over: .wifi))
    stage.send(.online(over: .cellular))
    stage.send(.offline(because: .noCarrier))
    stage.send(.offline)
    #expect(stage.all == ["No Connection", "WiFi", "Cellular", "No Connection"])
  }

  @Test func `nothing is told after stop, and a new start tells the state again`() throws {
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

  @Test func `cellular counts only where it is allowed`() throws {
    let stage = Stage(.online(over: .cellular))
    stage.reachability.allowsCellularConnection = false
    try stage.start()
    #expect(stage.reachability.connection == .unavailable)
    #expect(stage.all == ["No Connection"])
  }

  @Test func `a host without an address is unreachable, and is asked for only when there is a path`() throws {
    let asked = Guarded(0)
    let stage = Stage(.offline, hostname: "host.example") { _ in
      asked.withLock { $0 += 1 }
      return false
    }
    try stage.start()
    #expect(asked.withLock { $0 } == 0)
    stage.send(.online())
    #expect(asked.withLock { $0 } == 1)
    #expect(stage.all == ["No Connection"])
    #expect(stage.reachability.connection == .unavailable)
  }

  @Test func `our own failure is not a lost connection`() throws {
    let stage = Stage(.online())
    try stage.start()
    stage.script.lose()
    stage.finish()
    #expect(stage.all == ["WiFi"])
  }

  @Test func `the connection can be asked for without a start`() {
    #expect(Stage(.online()).reachability.connection == .wifi)
    #expect(Stage(.offline).reachability.connection == .unavailable)
  }

  @Test func `a one-shot helper runs now or never`() {
    let stage = Stage(.online())
    let manager = NetworkManager(stage.reachability)
    var runs: [String] = []
    manager.run({ _ in runs.append("reachable") }, if: { $0 != .unavailable })
    manager.run({ _ in runs.append("unreachable") }, if: { $0 == .unavailable })
    stage.send(.offline)
    #expect(runs == ["reachable"])
    var isAnswered = 0
    NetworkManager.isReachable { _ in isAnswered += 1 }
    NetworkManager.isUnreachable { _ in isAnswered += 1 }
    #expect(isAnswered == 1)
  }
}
