import Connectivity
import Foundation

/// Uses the library hard, in a process of its own, so that a stuck thread stops no other test.
///
///     monitor-load loop KIND SECONDS [URL]
///     monitor-load crowd COUNT
///     monitor-load monitors COUNT SOCKET
///     monitor-load retries COUNT ADDRESS PORT
///     monitor-load follow
///
/// - `loop` repeats something that ends by cancelling, while a script sends flat out; see ``CancellingLoop``. It prints
///   `done COUNT`.
/// - `crowd` makes so many tasks wait at once; see ``WaitingCrowd``.
/// - `monitors` starts so many monitors; see ``MonitorCrowd``.
/// - `retries` has so many retries connect to a server; see ``RetryCrowd``.
/// - `follow` prints each update of the service, as the clients of `Tests/Clients` do.
///
/// A program that makes no progress prints `stuck` and ends with the status 3 (``Watchdog``).
@main
enum MonitorLoad {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("loop", 3...):
      guard let kind = CancellingLoop.Kind(rawValue: words[1]), let seconds = Double(words[2]) else { exit(64) }
      let url = words.count > 3 ? URL(string: words[3]) : nil
      say("done \(await CancellingLoop(kind, url: url).run(for: .seconds(seconds)))")
    case ("crowd", 2):
      guard let count = Int(words[1]) else { exit(64) }
      for kind in WaitingCrowd.Kind.allCases { await WaitingCrowd(kind, count: count).run() }
      say("done")
    case ("monitors", 3):
      guard let count = Int(words[1]) else { exit(64) }
      try await MonitorCrowd(count: count, socket: words[2]).run()
      say("done")
    case ("retries", 4):
      guard let count = Int(words[1]), let port = UInt16(words[3]) else { exit(64) }
      try await RetryCrowd(count: count, address: words[2], port: port).run()
    case ("follow", 1):
      for await path in PathMonitor(source: .service()) {
        say("\(path.knowledge.rawValue) \(path.status.rawValue) \(path.isExpensive)")
      }
    default: exit(64)
    }
  }

  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
