import CNetlink
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("The request of a route question")
struct RouteRequestTests {
  @Test(arguments: [
    (RouteQuery(destination: .literal("192.0.2.1"), kind: .resolve, interfaceIndex: 7), Int(RTA_OIF.rawValue)),
    (RouteQuery(destination: .literal("192.0.2.1"), kind: .resolve, user: 7), Int(RTA_UID.rawValue)),
    (RouteQuery(destination: .literal("2001:db8::1"), kind: .resolve, mark: 7), Int(RTA_MARK.rawValue)),
  ])
  func `each condition of the question is an attribute`(query: RouteQuery, type: Int) {
    var request = NetlinkRequest(capacity: 1)
    request.add(query, sequence: 1)
    #expect(request.bytes.suffix(8) == attribute(type, MessageBuilder.bytes(UInt32(7)))[...])
  }
}
