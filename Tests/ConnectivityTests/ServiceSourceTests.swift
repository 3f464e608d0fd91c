import Connectivity
import Dispatch
import Foundation
import KernelTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// Monitors that ask a real service, in a namespace whose only interface is `uplink0`. This process lives in another
/// namespace, so that a path shows its source.
@Suite("Service source", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ServiceSourceTests {
  private func started(_ monitor: PathMonitor) -> PathRecorder {
    let recorder = PathRecorder()
    monitor.pathUpdateHandler = { recorder.add($0) }
    monitor.start(queue: DispatchQueue(label: "handler"))
    return recorder
  }

  private func isOverUplink(_ path: NetworkPath) -> Bool { path.interfaces.first?.name == "uplink0" }

  @Test func `probes that only the service cannot use are not ignored in silence`() async throws {
    let daemon = try await TestDaemon()
    let monitor = PathMonitor(
      source: .service(socketPath: daemon.socket), probes: [try #require(IPAddress("192.0.2.1"))])
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next()?.knowledge == .known)
    #expect(monitor.sourceError?.code == .probesNotUsed)
    #expect(monitor.sourceError?.advice != nil)
    withExtendedLifetime(iterator) {}
    try await daemon.stop()
  }

  @Test func `automatic asks the service where it runs, and the kernel where not`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let daemon = try await TestDaemon(namespace: network.near)
      let served = PathMonitor(source: automatic(at: daemon.socket))
      #expect(isOverUplink(try await served.firstPath))
      let own = PathMonitor(source: automatic(at: "\(daemon.socket)-nobody"))
      #expect(!isOverUplink(try await own.firstPath))
      #expect(own.sourceError == nil, "that there is no service is nothing wrong")
      try await daemon.stop()
    }
  }

  @Test func `automatic moves over when the service appears, goes, and comes back`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      // The directory of the socket does not exist yet either.
      let socket = directory("run/socket")
      let monitor = PathMonitor(source: automatic(at: socket))
      let recorder = started(monitor)
      _ = try await recorder.path { $0.knowledge == .known && $0.interfaces.first?.name != "uplink0" }
      try FileManager.default.createDirectory(atPath: directory("run"), withIntermediateDirectories: true)
      for _ in 0..<2 {
        let daemon = try await TestDaemon(socket: socket, namespace: network.near)
        _ = try await recorder.path { $0.interfaces.first?.name == "uplink0" }
        try await daemon.program.killAndWait()
        _ = try await recorder.path { $0.knowledge == .known && $0.interfaces.first?.name != "uplink0" }
      }
      #expect(recorder.all.allSatisfy { $0.knowledge == .known }, "our own comings and goings are no updates")
      monitor.cancel()
    }
  }

  @Test func `moving over is silent when the path is the same`() async throws {
    let directory = try ScratchDirectory()
    let monitor = PathMonitor(source: automatic(at: directory("socket")))
    let recorder = started(monitor)
    let first = try await recorder.path { $0.knowledge == .known }
    for _ in 0..<2 {
      let daemon = try await TestDaemon(socket: directory("socket"))
      try await daemon.waitForSubscribers(1)
      try await daemon.program.killAndWait()
      #expect(await becomes(monitor) { $0 == first })
    }
    #expect(recorder.all == [first])
    monitor.cancel()
  }

  @Test func `the loss of a service is reported, and so is its path when it is back`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      let lost = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let monitor = PathMonitor(source: .service(socketPath: directory("socket")))
      let recorder = started(monitor)
      _ = try await recorder.path { $0.status == .satisfied }
      try await lost.program.killAndWait()
      let stale = try await recorder.path { $0.knowledge == .stale }
      #expect(stale.status == .satisfied)
      #expect(stale.changed == ["knowledge"])
      #expect(monitor.sourceError != nil)
      try await network.ip("route delete default")
      let daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let back = try await recorder.path { $0.knowledge == .known }
      #expect(back.status == .unsatisfied && monitor.sourceError == nil)
      monitor.cancel()
      try await daemon.stop()
    }
  }

  @Test func `without a service nothing is made up, and there is still a first update`() async throws {
    let directory = try ScratchDirectory()
    let monitor = PathMonitor(source: .service(socketPath: directory("socket")))
    let recorder = started(monitor)
    #expect(try await recorder.path { _ in true } == .unknown)
    #expect(monitor.sourceError?.code == .serviceNotRunning)
    #expect(monitor.sourceError?.advice != nil)
    let daemon = try await TestDaemon(socket: directory("socket"))
    #expect(try await recorder.path { _ in true }.knowledge == .known)
    monitor.cancel()
    try await daemon.stop()
  }

  /// Waits until the current path is as it should be.
  private func becomes(_ monitor: PathMonitor, _ condition: @escaping (NetworkPath) -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition(monitor.currentPath) {
      if ContinuousClock.now > deadline { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
