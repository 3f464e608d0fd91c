import Connectivity
import Dispatch
import Glibc
import KernelTestSupport
import Testing

@Suite("Path monitor in this process", .serialized)
struct InProcessMonitorTests {
  @Test func `the first path is the true one, also for iterations without a start`() async throws {
    let monitor = await Task.detached { PathMonitor(source: .inProcess) }.value
    let path = try #require(await monitor.first { _ in true })
    #expect(path.knowledge == .known)
    #expect(path.changed.isEmpty)
    #expect(monitor.currentPath.interfaces == path.interfaces)
    #expect(monitor.currentPath.knowledge == .stale, "nobody follows it any more")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to make network namespaces"))
  func `changes arrive in order, each once, and the handler gets the true path`() async throws {
    let paths = try await TestNamespace.run { namespace -> [NetworkPath] in
      let collector = PathRecorder()
      // Probes of its own, so that this monitor's thread is made here, in the namespace.
      let monitor = PathMonitor(source: .inProcess, settle: .zero, probes: [IPAddress(ipv4: 0xcb00_7101)])
      monitor.pathUpdateHandler = { collector.add($0) }
      monitor.start(queue: DispatchQueue(label: "test"))
      func expect(_ status: NetworkPath.Status) {
        while let path = collector.next() { if path.status == status { return } }
      }
      expect(.unsatisfied)
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      try namespace.ip("route add default via 192.0.2.1")
      expect(.satisfied)
      try namespace.ip("link set eth0 down")
      expect(.unsatisfied)
      monitor.cancel()
      return collector.all
    }
    #expect(paths.first?.status == .unsatisfied)
    #expect(paths.last?.status == .unsatisfied)
    #expect(paths.contains { $0.status == .satisfied && $0.interfaces.first?.name == "eth0" })
    for (path, next) in zip(paths, paths.dropFirst()) {
      #expect(path != next)
      #expect(path.sequence < next.sequence)
    }
  }
}
