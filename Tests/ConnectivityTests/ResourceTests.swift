import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

/// The resources that monitors take in a process. Each test has a process of its own, as other tests open and close
/// descriptors too.
@Suite("Resources that monitors leave behind")
struct ResourceTests {
  private static func count(_ directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
  }

  private static func firstPath(_ monitor: PathMonitor, _ queue: DispatchQueue) {
    let arrived = DispatchSemaphore(value: 0)
    monitor.pathUpdateHandler = { _ in arrived.signal() }
    monitor.start(queue: queue)
    arrived.wait()
  }

  @Test func `a thousand starts and cancels leave no descriptor, thread or object behind`() async {
    await #expect(processExitsWith: .success) {
      let daemon = try await TestDaemon()
      let sources = [PathSource.automatic, .inProcess, .service(socketPath: daemon.socket)]
      weak var lastMonitor: PathMonitor?
      weak var lastToken: DispatchSemaphore?
      let queue = DispatchQueue(label: "handlers")
      func cycle(_ source: PathSource) {
        let token = DispatchSemaphore(value: 0)
        let monitor = PathMonitor(source: source)
        monitor.pathUpdateHandler = { _ in token.signal() }
        monitor.start(queue: queue)
        token.wait()
        monitor.cancel()
        (lastMonitor, lastToken) = (monitor, token)
      }
      func isClean(_ descriptors: Int, _ threads: Int) -> Bool {
        ResourceTests.count("/proc/self/fd") <= descriptors && ResourceTests.count("/proc/self/task") <= threads
      }
      for number in 0..<21 { cycle(sources[number % 3]) }
      func names() -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.map { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? "" }
      }
      // The monitors' thread ends on its own, after cancel has returned. The threads of queues and tasks end when they
      // have had nothing to do for five seconds. Sleeps of a task give each of them something in turn, so this blocks.
      func wait(until condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition(), ContinuousClock.now < deadline { usleep(5_000) }
      }
      // The first sleep of a process opens a descriptor for timers, which stays open.
      try await Task.sleep(for: .milliseconds(1))
      wait { !names().contains("pathmonitor\n") }
      let (descriptors, threads) = (ResourceTests.count("/proc/self/fd"), ResourceTests.count("/proc/self/task"))
      for number in 0..<1_000 { cycle(sources[number % 3]) }
      wait { isClean(descriptors, threads + 2) }
      precondition(
        isClean(descriptors, threads + 2),
        """
        \(descriptors) descriptors have become \(ResourceTests.count("/proc/self/fd")), \(threads) threads these: \(names())
        """)
      precondition(lastMonitor == nil && lastToken == nil, "objects are left behind")
      try await daemon.stop()
    }
  }

  @Test func `fifty monitors share one thread and one pair of kernel sockets`() async {
    await #expect(processExitsWith: .success) {
      func netlinkSockets() -> Int {
        let table = (try? String(contentsOfFile: "/proc/self/net/netlink", encoding: .utf8)) ?? ""
        let inodes = Set(table.split(separator: "\n").compactMap { $0.split(separator: " ").last })
        return (0..<1_024).count { descriptor in
          guard let target = Files.linkTarget("/proc/self/fd/\(descriptor)"), target.hasPrefix("socket:[") else {
            return false
          }
          return inodes.contains(target.dropFirst(8).dropLast())
        }
      }
      let queue = DispatchQueue(label: "handlers")
      let before = netlinkSockets()
      let first = PathMonitor(source: .inProcess)
      ResourceTests.firstPath(first, queue)
      let descriptors = ResourceTests.count("/proc/self/fd")
      let sockets = netlinkSockets()
      precondition(sockets > before && sockets - before <= 2, "one monitor has \(sockets - before) sockets")
      let others = (0..<49).map { _ in PathMonitor(source: .inProcess) }
      for monitor in others { ResourceTests.firstPath(monitor, queue) }
      precondition(netlinkSockets() == sockets, "\(netlinkSockets()) sockets of 50 monitors")
      precondition(ResourceTests.count("/proc/self/fd") == descriptors)
      withExtendedLifetime((first, others)) {}
    }
  }

  @Test func `fifty monitors of the service share one connection for each settle time`() async {
    await #expect(processExitsWith: .success) {
      func sockets() -> Int {
        (0..<1_024).count { Files.linkTarget("/proc/self/fd/\($0)")?.hasPrefix("socket:[") == true }
      }
      let daemon = try await TestDaemon()
      let source = PathSource.service(socketPath: daemon.socket)
      let queue = DispatchQueue(label: "handlers")
      let before = sockets()
      let monitors = (0..<50).map { _ in PathMonitor(source: source) }
      for monitor in monitors { ResourceTests.firstPath(monitor, queue) }
      precondition(monitors.allSatisfy { $0.currentPath.knowledge == .known && $0.sourceError == nil })
      precondition(sockets() == before + 1, "\(sockets() - before) sockets of 50 monitors")
      let hasty = (0..<2).map { _ in PathMonitor(source: source, settle: .zero) }
      for monitor in hasty { ResourceTests.firstPath(monitor, queue) }
      precondition(sockets() == before + 2, "\(sockets() - before) sockets for two settle times")
      withExtendedLifetime((monitors, hasty)) {}
      try await daemon.stop()
    }
  }

  /// A sanitizer ends the program when it cannot have as much address space as it wants.
  private static let isSanitized =
    unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

  @Test(.disabled(if: isSanitized, "a sanitizer needs the room that the test takes away"))
  func `a monitor whose thread cannot be created reports it, and begins when the thread can be`() async {
    await #expect(processExitsWith: .success) {
      let monitor = PathMonitor(source: .inProcess)
      // The threads of tasks exist before the memory is limited.
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { usleep(20_000) } }
      }
      // Enough memory for small objects, but not for a stack.
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
      var limit = rlimit()
      let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let used = status.split(separator: " ").first.flatMap { UInt($0) } ?? 0
      _ = unsafe getrlimit(resource, &limit)
      let former = limit.rlim_cur
      limit.rlim_cur = used * UInt(sysconf(Int32(_SC_PAGESIZE))) + 900_000
      _ = unsafe setrlimit(resource, &limit)
      var iterator = monitor.makeAsyncIterator()
      let problem = monitor.sourceError
      limit.rlim_cur = former
      _ = unsafe setrlimit(resource, &limit)
      precondition(problem?.code == .kernelUnavailable, "\(problem as Any)")
      let first = await iterator.next()
      precondition(first == .unknown)
      let second = await iterator.next()
      precondition(second?.knowledge == .known)
      precondition(monitor.sourceError == nil)
    }
  }

  @Test func `monitors in a process without a descriptor left say that nothing is known, and recover`() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "handlers")
      // Descriptors that the first monitor opens once stay open.
      ResourceTests.firstPath(PathMonitor(source: .inProcess), queue)
      var taken: [FileHandle] = []
      while let handle = FileHandle(forReadingAtPath: "/dev/null") { taken.append(handle) }
      let monitor = PathMonitor(source: .inProcess)
      let paths = DispatchSemaphore(value: 0)
      monitor.pathUpdateHandler = { _ in paths.signal() }
      monitor.start(queue: queue)
      paths.wait()
      precondition(monitor.currentPath == .unknown)
      precondition(monitor.sourceError?.code == .kernelUnavailable)
      taken = []
      precondition(paths.wait(timeout: .now() + 20) == .success)
      precondition(monitor.currentPath.knowledge == .known)
      precondition(monitor.sourceError == nil, "\(monitor.sourceError as Any)")
    }
  }
}
