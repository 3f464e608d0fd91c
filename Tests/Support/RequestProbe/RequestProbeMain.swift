import Foundation
import FoundationNetworking
import RequestsOnPath

/// Makes one request on the path of the network namespace it runs in, and prints its result:
/// `waiting REASON`, then `result STATUS BYTES` or `failure MILLISECONDS REASON`.
///
///     request-probe URL REQUIREMENT [refuse] [throughout] [timeout=SECONDS] [foundation]
///
/// `foundation` has Foundation make it without us.
@main
enum RequestProbe {
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let url = URL(string: words[1]) else { exit(64) }
    let requirement = try PathRequirement(words[2])
    var options = RequestOptions()
    if words.contains("refuse") { options.whenUnmet = .refuse }
    options.requiresThroughout = words.contains("throughout")
    options.timeout = words.compactMap { $0.hasPrefix("timeout=") ? Double($0.dropFirst(8)) : nil }.first.map {
      .seconds($0)
    }
    // A request waits only so long for the first path, which may take longer on a busy machine.
    let monitor = PathMonitor(settle: .zero)
    options.monitor = monitor
    for await path in monitor where path.knowledge == .known { break }
    let start = ContinuousClock.now
    func milliseconds() -> Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }
    do {
      let (data, response): (Data, URLResponse)
      if words.contains("foundation") {
        (data, response) = try await URLSession.shared.data(from: url)
      } else {
        (data, response) = try await URLSession.shared.data(from: url, requiring: requirement, options: options) {
          say("waiting \($0.unsatisfiedReason?.rawValue ?? "-")")
        }
      }
      say("result \((response as? HTTPURLResponse)?.statusCode ?? 0) \(data.count)")
    } catch let failure as RequestFailure {
      say("failure \(milliseconds()) \(failure.reason)")
      say(failure.description)
    } catch {
      say("failure \(milliseconds()) \((error as NSError).code)")
    }
  }
}
