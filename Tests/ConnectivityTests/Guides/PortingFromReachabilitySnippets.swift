import Foundation
import Glibc
import Reachability
import Testing

/// The snippets of "Porting from Reachability".
private struct PortingFromReachability: Sendable {
  let spoken = SpokenLines()

  func print(_ item: Any) { spoken.say(item) }

  func start() throws -> Reachability {
    // guide: begin
    let reachability = try Reachability()
    reachability.whenReachable = { reachability in
      print("reachable over \(reachability.connection)")
    }
    reachability.whenUnreachable = { _ in
      print("not reachable")
    }
    try reachability.startNotifier()
    // guide: end
    return reachability
  }

  func observe(_ reachability: Reachability) -> any NSObjectProtocol {
    // guide: begin
    let token = NotificationCenter.default.addObserver(
      forName: .reachabilityChanged, object: reachability, queue: nil
    ) { notification in
      guard let reachability = notification.object as? Reachability else { return }
      print(reachability.connection)
    }
    // guide: end
    return token
  }

  func askOnce() {
    // guide: begin
    NetworkManager.isUnreachable { _ in print("not reachable") }
    // guide: end
  }
}

@Suite("The guide to porting from Reachability")
struct PortingFromReachabilityTests {
  @Test func `closures and observers report the connection`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let guide = PortingFromReachability()
      let reachability = try guide.start()
      let first = await guide.spoken.next()
      precondition(first == "reachable over WiFi", "\(first as Any)")
      // On the queue of the notifications both have run for each change: the closure comes before the notification.
      await MainActor.run { reachability.stopNotifier() }
      let token = guide.observe(reachability)
      try reachability.startNotifier()
      let second = await guide.spoken.next()
      let third = await guide.spoken.next()
      precondition([second, third] == ["reachable over WiFi", "WiFi"], "\([second, third])")
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test func `a one-shot question is answered now`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "offline", 1)
      let guide = PortingFromReachability()
      guide.askOnce()
      let line = await guide.spoken.next()
      precondition(line == "not reachable", "\(line as Any)")
    }
  }
}
