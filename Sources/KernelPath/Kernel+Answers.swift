package import PathModel

extension Kernel: KernelView {
  /// The facts of the resolver configuration.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// The facts in sysfs about the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    // Without events, no message marks outdated answers.
    if events == nil { askAnew() }
    if queries.count <= AnswerCache.batchSize { return try answers(toBatch: queries) }
    var answers: [RouteAnswer] = []
    for start in stride(from: 0, to: queries.count, by: AnswerCache.batchSize) {
      let end = min(start + AnswerCache.batchSize, queries.count)
      answers += try self.answers(toBatch: Array(queries[start..<end]))
    }
    return answers
  }
}

extension Kernel {
  private func answers(toBatch queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    if queries.isEmpty { return [] }
    let batch = answerCache.batch(of: queries)
    if !batch.outdated.isEmpty { try self.queries.ask(batch) }
    return batch.answers
  }

  /// Marks the answers of the families as outdated: the next evaluation asks for them again. To be called when
  /// something may have changed without a message.
  package func askAnew(_ families: AddressFamilies = .all) {
    answerCache.outdate(families)
  }
}
