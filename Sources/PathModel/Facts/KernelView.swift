/// What an evaluation may ask. The kernel is a parameter: the real one, or a test's.
package protocol KernelView {
  /// Why a question could not be put at all. A missing route is an answer, not a failure.
  associatedtype Failure: Error

  /// Counts whatever may have changed ``state``, ``resolver`` or ``networkFacts``: as long as it stays, they do.
  var revision: Int { get }
  /// The links and addresses.
  var state: KernelState { get }
  /// What the resolver configuration says.
  var resolver: ResolverFacts { get }
  /// What others than the kernel say of the networks behind the links.
  var networkFacts: NetworkFactsTable { get }
  /// The administrator's rules, and what was concluded of the interfaces before.
  var judgements: JudgementMemory { get }
  /// What sysfs says of the device behind a link; `nil` when it cannot be read or shows another device.
  mutating func device(of link: LinkFacts) -> DeviceFacts?
  /// The facts about the policy rules.
  mutating func policy() throws(Failure) -> PolicyFacts
  /// Answers all questions, in their order.
  mutating func answers(to queries: [RouteQuery]) throws(Failure) -> [RouteAnswer]
}
