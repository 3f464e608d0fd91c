import Connectivity
import ConnectivityTesting
import Foundation
import Glibc
import Testing

/// The snippets of "Getting started" and of the README, with the functions that they call.
private struct GettingStarted: Sendable {
  let spoken = SpokenLines()

  func print(_ item: Any) { spoken.say(item) }
  func show(_ text: String) { spoken.say(text) }
  func pauseDownloads() { spoken.say("paused") }

  func follow() async {
    // guide: begin
    let monitor = PathMonitor()
    for await path in monitor {
      print(path)  // connected over eth0 (wired Ethernet) via 192.0.2.1
    }
    // guide: end
  }

  func handle(with monitor: PathMonitor) {
    // guide: begin
    monitor.pathUpdateHandler = { path in if path.isExpensive { pauseDownloads() } }
    monitor.start(queue: .main)
    // guide: end
  }

  func askOnce() async throws {
    // guide: begin
    let path = try await PathMonitor.shared.firstPath
    // guide: end
    print(path)
  }

  func observeMessages() -> NotificationCenter.ObservationToken {
    // guide: begin
    let token = NotificationCenter.default.addObserver(of: PathMonitor.shared, for: .pathDidChange) { message in
      print(message.path)
    }
    PathMonitor.shared.postsNotifications = true
    // guide: end
    return token
  }

  func observeNames() -> any NSObjectProtocol {
    // guide: begin
    let token = NotificationCenter.default.addObserver(
      forName: .connectivityStatus, object: nil, queue: nil
    ) { notification in
      if let path = notification.networkPath { print(path) }
    }
    // guide: end
    return token
  }

  func showPhases(of monitor: PathMonitor) async {
    // guide: begin
    for await phase in monitor.phases() {
      switch phase {
      case .checking: show("Connecting")
      case .online: show("The news")
      case .offline(let reason): show("Offline: \(reason.words)")
      case .degraded: show("The news, perhaps not up to date")
      }
    }
    // guide: end
  }
}

@Suite("The guide to getting started")
struct GettingStartedTests {
  @Test func `iterating delivers the path`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "ethernet", 1)
      let guide = GettingStarted()
      let following = Task { await guide.follow() }
      let line = await guide.spoken.next()
      precondition(line == "connected over eth0 (wired Ethernet) via 192.0.2.1", "\(line as Any)")
      following.cancel()
      await following.value
    }
  }

  @Test func `the handler is called when the path becomes expensive`() async {
    let (script, guide) = (PathScript(.online()), GettingStarted())
    let monitor = PathMonitor(source: .scripted(script))
    guide.handle(with: monitor)
    script.send(.online(over: .cellular))
    #expect(await guide.spoken.next() == "paused")
    monitor.cancel()
  }

  @Test func `the first path is known`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let guide = GettingStarted()
      try await guide.askOnce()
      let line = await guide.spoken.next()
      precondition(line == "connected over wlan0 (Wi-Fi) via 192.0.2.1", "\(line as Any)")
    }
  }

  @Test func `observers of the name and of the message are notified`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let guide = GettingStarted()
      let nameToken = guide.observeNames()
      let messageToken = guide.observeMessages()
      for _ in 0..<2 {
        let line = await guide.spoken.next()
        precondition(line == "connected over wlan0 (Wi-Fi) via 192.0.2.1", "\(line as Any)")
      }
      NotificationCenter.default.removeObserver(nameToken)
      NotificationCenter.default.removeObserver(messageToken)
    }
  }

  @Test func `each phase shows its page`() async {
    let (script, guide) = (PathScript(), GettingStarted())
    let monitor = PathMonitor(source: .scripted(script))
    let showing = Task { await guide.showPhases(of: monitor) }
    #expect(await guide.spoken.next() == "Connecting")
    script.send(.offline(because: .noCarrier))
    #expect(await guide.spoken.next() == "Offline: \(UnsatisfiedReason.noCarrier.words)")
    showing.cancel()
    await showing.value
  }
}
