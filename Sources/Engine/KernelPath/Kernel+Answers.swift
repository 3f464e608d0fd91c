internal import CNetlink
package import PathDecisions

extension Kernel: KernelView {
  /// The most objects of a group that are read.
  private static let memberLimit = 64

  /// The kernel's routing decisions. It is asked each time: nothing here remembers an answer.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    var answers = try self.queries.answers(to: queries)
    for place in answers.indices {
      guard case .route(let route) = answers[place], let object = route.nextHopObject else { continue }
      var complete = route
      complete.legs = try nextHops(of: object)
      answers[place] = .route(complete)
    }
    return answers
  }

  /// The next hops of an object, or of the objects of a group; none for an object that has gone.
  private func nextHops(of object: UInt32) throws(KernelPathError) -> [RouteLeg] {
    var legs: [RouteLeg] = []
    var members: [UInt32] = []
    try queries.ask([NetlinkRequest.nextHop(object)]) { (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWNEXTHOP else { return }
      let found = try NextHopMessage(message)
      if let leg = found.leg { legs.append(leg) }
      members = found.members
    }
    try queries.ask(members.prefix(Self.memberLimit).map(NetlinkRequest.nextHop)) {
      (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWNEXTHOP, let leg = try NextHopMessage(message).leg else { return }
      legs.append(leg)
    }
    return legs
  }
}
