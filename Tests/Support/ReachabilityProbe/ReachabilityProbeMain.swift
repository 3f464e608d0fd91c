import Foundation
import Reachability

/// Follows a host, in the way in which programs use that library: with its names alone, and with closures that come on
/// the main queue. It prints `asked CONNECTION` before the notifier starts, then `reachable CONNECTION` or
/// `unreachable CONNECTION` for each closure.
///
///     reachability-probe HOST
@main
enum ReachabilityProbe {
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func main() throws {
    guard CommandLine.arguments.count == 2 else { exit(64) }
    let reachability = try Reachability(hostname: CommandLine.arguments[1])
    say("asked \(reachability.connection)")
    reachability.whenReachable = { say("reachable \($0.connection)") }
    reachability.whenUnreachable = { say("unreachable \($0.connection)") }
    try reachability.startNotifier()
    while RunLoop.main.run(mode: .default, before: .distantFuture) {}
    withExtendedLifetime(reachability) {}
  }
}
