import XCTest

@testable import Reachability

/// Hosts, in the way in which tests of that library ask: with its names alone, and with expectations.
final class HostTests: XCTestCase {
  func testAHostWithAnAddressIsReachable() throws {
    let reachability = try Reachability(hostname: "localhost")
    let isReachable = expectation(description: "the host is reachable")
    reachability.whenReachable = { _ in isReachable.fulfill() }
    reachability.whenUnreachable = { XCTFail("\($0) is not reachable") }
    try reachability.startNotifier()
    waitForExpectations(timeout: 20)
    reachability.stopNotifier()
  }

  func testAHostWithoutAnAddressIsUnreachable() throws {
    let reachability = try Reachability(hostname: "no-such-host.invalid")
    let isUnreachable = expectation(description: "the host is unreachable")
    reachability.whenReachable = { XCTFail("\($0) is reachable") }
    reachability.whenUnreachable = { _ in isUnreachable.fulfill() }
    try reachability.startNotifier()
    waitForExpectations(timeout: 60)
    reachability.stopNotifier()
  }
}
