import Connectivity
import Dispatch
import Glibc
import SystemIO

/// Measures the cost of the library for a program. The first argument names the measurement:
///
/// - `subscribe SOCKET`: follows the service at settle time 0. Prints `ready 1` at the first path; at SIGTERM one line
///   for each call of the handler, `0 ARRIVAL_NS +|-`, as `subscribers.c` does.
/// - `read COUNT THREADS`: reads `currentPath` so often in each of so many threads at once, while the monitor runs;
///   prints the nanoseconds each reading took.
/// - `start`: starts a monitor in this process, waits for the first path, prints it, and ends.
@main
enum LibraryBenchmark {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch (words.first, words.count) {
    case ("subscribe", 2): subscribe(words[2])
    case ("read", 3): read(Int(words[2]) ?? 0, threads: Int(words[3]) ?? 1)
    case ("start", 1):
      let monitor = started(PathMonitor(source: .inProcess))
      say("\(monitor.currentPath)\n")
    default:
      print("usage: library-benchmark subscribe SOCKET | read COUNT THREADS | start")
      exit(64)
    }
  }

  /// Starts a monitor, and waits for its first path.
  private static func started(_ monitor: PathMonitor) -> PathMonitor {
    let isThere = DispatchSemaphore(value: 0)
    monitor.pathUpdateHandler = { _ in isThere.signal() }
    monitor.start(queue: DispatchQueue(label: "handler"))
    isThere.wait()
    return monitor
  }

  private static func subscribe(_ socket: String) {
    signal(SIGTERM, SIG_IGN)
    let calls = Guarded<[(nanoseconds: Int64, isConnected: Bool)]>([])
    calls.withLock { $0.reserveCapacity(1 << 16) }
    let monitor = PathMonitor(source: .service(socketPath: socket), settle: .zero)
    monitor.pathUpdateHandler = { path in
      let now = MonotonicInstant.now.nanoseconds
      if path.knowledge != .known { return }
      let isFirst = calls.withLock { calls in
        calls.append((now, path.status == .satisfied))
        return calls.count == 1
      }
      if isFirst { say("ready 1\n") }
    }
    let end = DispatchSource.makeSignalSource(signal: SIGTERM, queue: DispatchQueue(label: "signals"))
    let isOver = DispatchSemaphore(value: 0)
    end.setEventHandler { isOver.signal() }
    end.resume()
    monitor.start(queue: DispatchQueue(label: "handler"))
    isOver.wait()
    monitor.cancel()
    say(calls.withLock { $0.map { "0 \($0.nanoseconds) \($0.isConnected ? "+" : "-")\n" }.joined() })
  }

  private static func say(_ text: String) {
    try? Output.write(Array(text.utf8), to: 1)
  }

  private static func read(_ count: Int, threads: Int) {
    let monitor = started(PathMonitor(source: .inProcess))
    let all = Guarded(0)
    let start = MonotonicInstant.now.nanoseconds
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      var satisfied = 0
      for _ in 0..<count where monitor.currentPath.status == .satisfied { satisfied += 1 }
      all.withLock { $0 += satisfied }
    }
    let nanoseconds = MonotonicInstant.now.nanoseconds - start
    let tenths = nanoseconds * 10 / Int64(max(count, 1))
    say("\(count * threads) readings, \(all.copy) satisfied: \(tenths / 10).\(tenths % 10) ns each\n")
    monitor.cancel()
  }
}
