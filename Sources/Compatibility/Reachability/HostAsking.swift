internal import Dispatch
internal import SystemIO

/// How a ``Reachability`` asks for its host. Tests do it without name servers and time.
struct HostAsking: Sendable {
  /// Asks, and waits for the answer.
  var answer: @Sendable (_ host: String) -> HostInquiry.Answer
  /// Does something that may wait, and returns at once. It throws when that cannot be.
  var inBackground: @Sendable (@escaping @Sendable () -> Void) throws -> Void
  /// Does something after a time.
  var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// Asks the system. A question has a thread of its own: with name servers that do not answer it takes ten seconds and
  /// more, and nobody else is to wait for it.
  static let system = HostAsking(
    answer: { host in
      do throws(HostLookup.LookupError) {
        return try HostLookup.isRouted(toAnyOf: try HostLookup.addresses(of: host)) ? .reachable : .unreachable
      } catch {
        return error.isOurs ? .unknown : .unreachable
      }
    },
    inBackground: { body in try SystemThread.start("host-lookup", body) },
    after: { pause, body in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1))), execute: body)
    })

  /// Asks, and waits for the answer, but for no longer than the limit.
  func answer(for host: String, within limit: DispatchTimeInterval) -> HostInquiry.Answer {
    let (result, isThere) = (Guarded(HostInquiry.Answer.unknown), DispatchSemaphore(value: 0))
    do {
      try inBackground { [answer] in
        let answer = answer(host)
        result.withLock { $0 = answer }
        isThere.signal()
      }
    } catch {
      return .unknown
    }
    _ = isThere.wait(timeout: .now() + limit)
    return result.copy
  }
}
