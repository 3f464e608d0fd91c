import Connectivity
import ConnectivityCore
import Foundation
import SystemIO

/// Monitors of a service that comes and goes. Each is used in one of several ways. The line `started` says that every
/// monitor has delivered a connected path. Words on the standard input are commands:
///
/// - `connected`, `offline`, with a number behind it: prints the line once every monitor has this path, and has
///   delivered it.
/// - end of input: ends all of them, and waits until the process has no more threads and descriptors than before.
struct MonitorCrowd: Sendable {
  /// A monitor, with its last delivery.
  private final class Member: Sendable {
    let monitor: PathMonitor
    let delivered = Guarded<NetworkPath?>(nil)
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(_ number: Int, socket: String) {
      monitor = PathMonitor(
        source: PathSource(number % 4 == 3 ? .service(socketPath: socket) : .automatic(socketPath: socket)),
        settle: number % 2 == 0 ? .zero : nil)
      switch number % 3 {
      case 0:
        monitor.pathUpdateHandler = { [delivered] path in delivered.withLock { $0 = path } }
        monitor.start(queue: .global())
      case 1:
        let task = Task { [monitor, delivered] in
          for await path in monitor { delivered.withLock { $0 = path } }
        }
        self.task.withLock { $0 = task }
      default:
        let task = Task { [monitor, delivered] in
          while !Task.isCancelled {
            for requirement in [PathRequirement.connected, .offline] {
              guard let path = try? await monitor.waitUntil(requirement) else { continue }
              delivered.withLock { $0 = path }
            }
          }
        }
        self.task.withLock { $0 = task }
      }
    }

    func isAt(_ status: NetworkPath.Status) -> Bool {
      let (current, delivered) = (monitor.currentPath, delivered.copy)
      return current.knowledge == .known && current.status == status && delivered?.status == status
    }

    func end() async {
      task.copy?.cancel()
      monitor.cancel()
      await task.copy?.value
    }
  }

  private let count: Int
  private let socket: String

  init(count: Int, socket: String) {
    (self.count, self.socket) = (count, socket)
  }

  func run() async throws {
    // The first use of each opens descriptors that stay open: those of timers and of queues.
    await work(count: 12, whileReading: false)
    try await Task.sleep(for: .milliseconds(100))
    let (descriptors, threads) = (Self.descriptors, Self.threads)
    await work(count: count, whileReading: true)
    // Threads end on their own, after the last monitor.
    await Self.wait { Self.threads <= threads && Self.descriptors <= descriptors }
  }

  private func work(count: Int, whileReading: Bool) async {
    let members = (0..<count).map { Member($0, socket: socket) }
    if whileReading {
      // A wait for a connected path that begins while the cable is out has delivered nothing, and is right.
      await Self.wait { members.allSatisfy { $0.isAt(.satisfied) } }
      MonitorLoad.say("started")
    }
    while whileReading, let line = readLine() {
      let status = line.hasPrefix("connected") ? NetworkPath.Status.satisfied : .unsatisfied
      await Self.wait { members.allSatisfy { $0.isAt(status) } }
      MonitorLoad.say(line)
    }
    for member in members { await member.end() }
    await Self.wait { Self.threads == 0 }
  }

  /// Waits for a condition; the watchdog ends the process if it never holds.
  private static func wait(until condition: () -> Bool) async {
    let watchdog = Watchdog()
    while !condition() { try? await Task.sleep(for: .milliseconds(5)) }
    watchdog.end()
  }

  private static var descriptors: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }

  /// The threads of monitors.
  private static var threads: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "pathmonitor\n"
    }
  }
}
