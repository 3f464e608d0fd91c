import Connectivity
import Dispatch
import Glibc
import KernelTestSupport
import SystemIO
import Testing

@Suite("Path monitor in this process", .serialized)
struct InProcessMonitorTests {
  @Test func `before its first evaluation a monitor reports an unknown path`() {
    let monitor = PathMonitor(source: .inProcess)
    #expect(monitor.currentPath.knowledge == .unknown)
    #expect(monitor.currentPath.status != .unsatisfied)
  }

  @Test func `the first path is the true one, also for iterations without a start`() async throws {
    let expected = await Task.detached { PathMonitor(source: .inProcess) }.value
    var first: NetworkPath?
    for await path in expected {
      first = path
      break
    }
    let path = try #require(first)
    #expect(path.knowledge == .known)
    #expect(path.changed.isEmpty)
    #expect(expected.currentPath.interfaces == path.interfaces)
    #expect(expected.currentPath.knowledge == .stale, "nobody follows it any more")
  }

  @Test func `iterations are independent of each other`() async throws {
    let monitor = PathMonitor(source: .inProcess)
    async let one = monitor.first { _ in true }
    async let two = monitor.first { _ in true }
    let paths = await [one, two]
    #expect(paths[0] != nil)
    #expect(paths[0] == paths[1])
  }

  @Test func `an iteration keeps its monitor alive`() async {
    let path = await PathMonitor(source: .inProcess).first { _ in true }
    #expect(path?.knowledge == .known)
  }

  @Test func `cancel ends iterations`() async {
    let monitor = PathMonitor(source: .inProcess)
    var count = 0
    for await _ in monitor {
      count += 1
      monitor.cancel()
    }
    #expect(count == 1)
  }

  @Test func `a cancelled task ends its iteration`() async {
    let monitor = PathMonitor(source: .inProcess)
    let task = Task {
      var count = 0
      for await _ in monitor { count += 1 }
      return count
    }
    _ = await monitor.first { _ in true }
    task.cancel()
    #expect(await task.value <= 1)
  }

  @Test func `the handler is called on its queue, and not after cancel has returned`() async throws {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let collector = PathRecorder()
    let wasOnQueue = Guarded(false)
    let monitor = PathMonitor(source: .inProcess)
    monitor.pathUpdateHandler = { path in
      wasOnQueue.withLock { $0 = DispatchQueue.getSpecific(key: key) == true }
      collector.add(path)
    }
    monitor.start(queue: queue)
    #expect(collector.next()?.knowledge == .known)
    #expect(wasOnQueue.withLock { $0 })
    monitor.cancel()
    let count = collector.all.count
    queue.sync {}
    #expect(collector.all.count == count)
  }

  @Test func `a handler may cancel its monitor, and start after cancel starts afresh`() {
    let collector = PathRecorder()
    let monitor = PathMonitor(source: .inProcess)
    monitor.pathUpdateHandler = { [weak monitor] path in
      monitor?.cancel()
      collector.add(path)
    }
    for _ in 0..<3 {
      monitor.start(queue: .global())
      #expect(collector.next()?.knowledge == .known)
    }
  }

  @Test func `releasing the monitor stops it`() {
    let collector = PathRecorder()
    weak var released: PathMonitor?
    do {
      let monitor = PathMonitor(source: .inProcess)
      monitor.pathUpdateHandler = { collector.add($0) }
      monitor.start(queue: .global())
      #expect(collector.next() != nil)
      released = monitor
    }
    #expect(released == nil)
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
