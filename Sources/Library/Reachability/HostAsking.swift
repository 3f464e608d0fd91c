internal import Dispatch
internal import SystemIO

/// The functions by which a ``Reachability`` asks for its host. Tests replace them to need no name servers and no time.
struct HostAsking: Sendable {
  /// Asks for the host, and waits for the answer.
  var answer: @Sendable (_ host: String) -> HostInquiry.Answer
  /// Runs a closure that may wait, and returns at once. It throws when the closure cannot be run.
  var inBackground: @Sendable (@escaping @Sendable () -> Void) throws -> Void
  /// Runs a closure after a time.
  var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// Asks the system. Each question has a thread of its own: if name servers do not answer, it takes ten seconds and
  /// more, and nothing else should wait for it.
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

  /// Asks for the host, and waits for the answer, but for no longer than the limit.
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
