package import PathModel

/// The facts and answers that an evaluation needs. The kernel is a parameter: the real one, or a test's.
package protocol KernelView {
  /// The error if a question could not be put at all. A missing route is an answer, not a failure.
  associatedtype Failure: Error

  /// All that is known besides the answers.
  var situation: Situation { get }
  /// The administrator's rules, with the cached rulings and costs.
  var judgements: JudgementMemory { get }
  /// Reads the policy rules if the situation does not have them.
  mutating func readRules() throws(Failure)
  /// The next hops of the routes over the given links that lead to a router, or to hosts beyond a point-to-point link;
  /// a few for each link.
  mutating func routesToRouters(over links: [Int32]) throws(Failure) -> [RouteLeg]
  /// The lookups that the kernel makes for a tunnel's own packets: one for each server to which packets for the
  /// destinations go. Without such a server there are none. `nil` when the servers are not known beyond
  /// ``LinkFacts/serverAddress``.
  mutating func serverQueries(of tunnel: LinkFacts, for destinations: [IPAddress]) -> [RouteQuery]?
  /// Whether a program may serve names at an address of this machine; `nil` if that cannot be read.
  mutating func servesNames(at address: IPAddress) -> Bool?
  /// Answers all questions, in their order.
  mutating func answers(to queries: [RouteQuery]) throws(Failure) -> [RouteAnswer]
}
