import ConnectivityTesting
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
      (ENETUNREACH, Kind.offline, "no route is offline"), (ENETDOWN, .offline, "a device that is down"),
      (EADDRNOTAVAIL, .offline, "the address of this machine is gone"),
      (EHOSTUNREACH, .transient, "the neighbour does not answer"),
      (ECONNREFUSED, .transient, "a server that restarts refuses for a moment"),
      (EAGAIN, .transient, "recv(2) has it, too: the request may have been sent"),
      (EMFILE, .transient, "a descriptor may be free soon"),
      (ECONNRESET, .transient, "the server may have worked before the reset"),
      (EPIPE, .transient, "so it may before it closed"), (ETIMEDOUT, .timedOut, "what was sent may have come"),
      (EACCES, .permanent, "a packet filter does not change its mind"), (ECANCELED, .cancelled, "cancelled"),
      (ENOENT, .unknown, "not an errno of a connection"), (0, .unknown, "no errno"),
    ])
  func errno(_ errno: Int32, _ kind: FailureTraits.Kind, _ why: String) {
    // A refusal is the only answer among them.
    let traits = FailureTraits(kind, isAnswer: errno == ECONNREFUSED)
    #expect(FailureTraits(errno: errno) == traits, "\(why)")
    let unconnected = FailureTraits(errno: errno, whileConnecting: true)
    #expect(unconnected == FailureTraits(kind, isUnsent: true, isAnswer: errno == ECONNREFUSED), "\(why)")
  }

  @Test func `work whose connection dies is not repeated, whatever errno the connection dies of`() {
    for errno in [EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ECONNREFUSED, EMFILE, EACCES] {
      let failed = FailedAttempt(
        failure: TestFailure.transient, traits: FailureTraits(errno: errno), attempt: RetryAttempt(number: 1),
        path: .offline, isPathUnmet: true)
      #expect(RetryDecision.standard(for: failed) == .fail, "\(errno)")
    }
  }

  @Test func `an error of Foundation for an errno has the traits of the errno`() {
    let unreachable = NSError(domain: NSPOSIXErrorDomain, code: Int(ENETUNREACH))
    #expect(FailureTraits(of: unreachable) == FailureTraits(.offline))
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
