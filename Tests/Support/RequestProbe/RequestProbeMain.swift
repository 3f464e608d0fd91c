import Foundation
import FoundationNetworking
import RequestsOnPath
import Synchronization

/// Makes one request on the path of the network namespace it runs in, and prints its result:
/// `waiting REASON`, then `result STATUS BYTES` or `failure MILLISECONDS REASON`.
///
///     request-probe URL REQUIREMENT [refuse] [throughout] [timeout=SECONDS] [foundation|post|post-nothing]
///
/// `foundation` has Foundation make it without us. `post` makes it a POST that may be tried three times, with a body or
/// with none, whose failure also has the number of attempts.
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
    if let word = words.first(where: { $0.hasPrefix("post") }) {
      return await post(url, body: word == "post" ? Data("{}".utf8) : nil, requirement, options)
    }
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

  private static func post(_ url: URL, body: Data?, _ requirement: PathRequirement, _ options: RequestOptions) async {
    var (request, policy) = (URLRequest(url: url), RetryPolicy.standard)
    (request.httpMethod, request.httpBody) = ("POST", body)
    policy.backoff = .none
    let attempts = Attempts()
    policy.onEvent = { if case .attemptBegan(let attempt) = $0 { attempts.count.withLock { $0 = attempt.callCount } } }
    do throws(ValueFailure) {
      let value = try await URLSession.shared.value(
        String.self, for: request, requiring: requirement, retry: policy, options: options)
      say("result \(value)")
    } catch {
      let reason = if case .request(let failure) = error { "\(failure.reason)" } else { "\(error)" }
      say("failure 0 \(reason) attempts \(attempts.count.withLock { $0 })")
    }
  }

  private final class Attempts: Sendable {
    let count = Mutex(0)
  }
}
