import Foundation
import Glibc
import Resilience
import Testing

@Suite("Traits of failures")
struct FailureTraitsTests {
  private typealias Kind = FailureTraits.Kind

  @Test(
    "an errno of a connection has its traits",
    arguments: [
      (ENETUNREACH, Kind.offline, true, "no route is offline"), (ENETDOWN, .offline, true, "a device that is down"),
      (EADDRNOTAVAIL, .offline, true, "the address of this machine is gone"),
      (EHOSTUNREACH, .transient, true, "the neighbour does not answer"),
      (ECONNREFUSED, .transient, true, "a server that restarts refuses for a moment"),
      (EAGAIN, .transient, false, "recv(2) has it, too: the request may have been sent"),
      (EMFILE, .transient, true, "no descriptor, so nothing was sent"),
      (ECONNRESET, .transient, false, "the server may have worked before the reset"),
      (EPIPE, .transient, false, "so it may before it closed"),
      (ETIMEDOUT, .timedOut, false, "what was sent may have come"),
      (EACCES, .permanent, true, "a packet filter does not change its mind"),
      (ECANCELED, .cancelled, false, "cancelled"),
      (ENOENT, .unknown, false, "not an errno of a connection"), (0, .unknown, false, "no errno"),
    ])
  func errno(_ errno: Int32, _ kind: FailureTraits.Kind, _ isUnsent: Bool, _ why: String) {
    // A refusal is the only answer among them.
    let traits = FailureTraits(kind, isUnsent: isUnsent, isAnswer: errno == ECONNREFUSED)
    #expect(FailureTraits(errno: errno) == traits, "\(why)")
  }

  @Test func `an error of Foundation for an errno has the traits of the errno`() {
    let unreachable = NSError(domain: NSPOSIXErrorDomain, code: Int(ENETUNREACH))
    #expect(FailureTraits(of: unreachable) == FailureTraits(.offline, isUnsent: true))
    #expect(FailureTraits(of: NSError(domain: NSURLErrorDomain, code: Int(ENETUNREACH))) == FailureTraits(.unknown))
    #expect(FailureTraits(of: NSError(domain: NSURLErrorDomain, code: -1001)) == FailureTraits(.timedOut))
  }

  @Test func `other errors are unknown, and a cancellation is one`() {
    struct Other: Error {}
    #expect(FailureTraits(of: Other()) == FailureTraits(.unknown))
    #expect(FailureTraits(of: CancellationError()) == FailureTraits(.cancelled))
    #expect(FailureTraits(of: TestFailure(.transient, retryAfter: .seconds(3))).retryAfter == .seconds(3))
    #expect(FailureTraits(of: RetryInterruption(.attemptTimedOut)) == FailureTraits(.timedOut))
    #expect(FailureTraits(of: RetryInterruption(.timedOut, isUnsent: true)) == FailureTraits(.timedOut, isUnsent: true))
  }
}
