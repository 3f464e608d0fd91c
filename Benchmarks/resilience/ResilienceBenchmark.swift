import ConnectivityTesting
import Foundation
import FoundationNetworking
import Glibc
import RequestsOnPath
import SystemIO

/// Measures the cost of retries. The first argument names the measurement, which prints one number with its unit.
///
/// - `judge COUNT`: judges an error of `URLSession` together with the path, and decides about a retry.
/// - `retry COUNT`: retries an operation that succeeds at once.
/// - `call COUNT`: calls that operation without a retry, for comparison.
/// - `waiters COUNT`: the memory of so many retries that wait for a path.
/// - `tasks COUNT`: the memory of so many tasks that wait for a continuation, for comparison.
@main
enum ResilienceBenchmark {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2, let count = words.last.flatMap({ Int($0) }), count > 0 else {
      print("usage: resilience-benchmark judge|retry|call|waiters|tasks COUNT")
      exit(64)
    }
    switch words.first {
    case "judge": judge(count)
    case "retry":
      await measure(count) { value in try await retry(.standard) { _ in value &+ 1 } }
    case "call":
      await measure(count) { value in try await called { value &+ 1 } }
    case "waiters": await wait(count)
    case "tasks": await suspend(count)
    default: exit(64)
    }
  }

  @inline(never)
  private static func called(_ operation: () async throws -> Int) async throws -> Int { try await operation() }

  private static func report(_ total: Int64, _ count: Int, _ unit: String) {
    let tenths = total * 10 / Int64(count)
    print("\(tenths / 10).\(tenths % 10) \(unit)")
  }

  private static func judge(_ count: Int) {
    let error = URLError(
      .unknown,
      userInfo: [NSLocalizedDescriptionKey: "Failed to connect to 192.0.2.9 port 80: Couldn't connect to server"])
    let path = NetworkPath.offline
    var retries = 0
    let start = MonotonicInstant.now.nanoseconds
    for number in 1...count {
      let failure = RequestFailure(judging: error, pathBefore: path, path: path)
      let failed = FailedAttempt(
        failure: failure, traits: failure.failureTraits, attempt: RetryAttempt(number: number), path: path,
        isPathUnmet: true, isIdempotent: true)
      if RetryDecision.standard(for: failed) == .retry { retries += 1 }
    }
    let nanoseconds = MonotonicInstant.now.nanoseconds - start
    precondition(retries == count)
    report(nanoseconds, count, "ns")
  }

  private static func measure(_ count: Int, _ operation: (Int) async throws -> Int) async {
    var value = 0
    let start = MonotonicInstant.now.nanoseconds
    for _ in 0..<count { value = (try? await operation(value)) ?? 0 }
    let nanoseconds = MonotonicInstant.now.nanoseconds - start
    precondition(value == count)
    report(nanoseconds, count, "ns")
  }

  // MARK: Memory

  private static func residentBytes() -> Int64 {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static func wait(_ count: Int) async {
    let monitor = PathMonitor(source: .scripted(PathScript(.offline)))
    let waiting = Guarded(0)
    let before = residentBytes()
    for _ in 0..<count {
      Task {
        try await retry(.idempotent, on: monitor) { _ in
          waiting.withLock { $0 += 1 }
        } operation: { _ in
        }
      }
    }
    while waiting.copy < count { await Task.yield() }
    for _ in 0..<1_000 { await Task.yield() }
    report(residentBytes() - before, count, "bytes")
    // Their ends are not measured.
    exit(0)
  }

  private static func suspend(_ count: Int) async {
    let continuations = Guarded<[CheckedContinuation<Void, Never>]>([])
    let before = residentBytes()
    let tasks = (0..<count).map { _ in
      Task { await withCheckedContinuation { continuation in continuations.withLock { $0.append(continuation) } } }
    }
    while continuations.withLock({ $0.count }) < count { await Task.yield() }
    report(residentBytes() - before, count, "bytes")
    for continuation in continuations.exchange(\.self, for: []) { continuation.resume() }
    for task in tasks { await task.value }
  }
}
