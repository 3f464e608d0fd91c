import Foundation
import Glibc
import Testing

// guide: begin
#if canImport(Network)
  import Network
#else
  import Connectivity
#endif
// guide: end

/// The snippets of "Porting from Apple's Network framework".
private struct PortingFromNetwork: Sendable {
  let spoken = SpokenLines()

  func print(_ item: Any) { spoken.say(item) }

  func handle() -> NWPathMonitor {
    // guide: begin
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { path in
      print(path.status == .satisfied ? "online" : "offline")
    }
    monitor.start(queue: DispatchQueue(label: "network"))
    // guide: end
    return monitor
  }

  func followWireless() async {
    // guide: begin
    for await path in NWPathMonitor(requiredInterfaceType: .wifi) {
      print(path.availableInterfaces.map(\.name))
    }
    // guide: end
  }

  func tellReason(of path: NWPath) {
    // guide: begin
    if let reason = path.networkPath.unsatisfiedReason {
      print(reason.words)
    }
    // guide: end
  }
}

@Suite("The guide to porting from Apple's Network framework")
struct PortingFromNetworkTests {
  @Test func `the handler reports online`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let guide = PortingFromNetwork()
      let monitor = guide.handle()
      let line = await guide.spoken.next()
      precondition(line == "online", "\(line as Any)")
      monitor.cancel()
    }
  }

  @Test func `a monitor of a type reports its interfaces`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let guide = PortingFromNetwork()
      let following = Task { await guide.followWireless() }
      let line = await guide.spoken.next()
      precondition(line == #"["wlan0"]"#, "\(line as Any)")
      following.cancel()
      await following.value
    }
  }

  @Test func `our own reason has words`() async {
    let guide = PortingFromNetwork()
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    guide.tellReason(of: NWPath(path))
    #expect(await guide.spoken.next() == UnsatisfiedReason.noCarrier.words)
  }
}
