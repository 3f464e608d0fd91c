package import PathDecisions

extension Kernel: KernelView {
  /// The facts of the resolver configuration.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// The facts in sysfs about the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions. It is asked each time: nothing here remembers an answer.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    try self.queries.answers(to: queries)
  }
}
