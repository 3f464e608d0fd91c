package import PathDecisions

extension Kernel: KernelView {
  /// The facts of the resolver configuration.
  package var resolver: ResolverFacts { resolverConfiguration.facts }

  /// The facts in sysfs about the device behind a link.
  package func device(of link: LinkFacts) -> DeviceFacts? { devices.device(of: link) }

  /// The kernel's routing decisions.
  package func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    try answers(in: try replies(to: queries), to: queries)
  }
}

extension Kernel {
  /// Decodes replies to the questions.
  package func answers(
    in replies: RouteReplies, to queries: [RouteQuery]
  ) throws(KernelPathError) -> [RouteAnswer] {
    do throws(NetlinkDecodingError) {
      return try replies.answers(to: queries)
    } catch {
      throw KernelPathError(.malformedMessage, error.description)
    }
  }

  /// The kernel's replies to the questions.
  package func replies(to queries: [RouteQuery]) throws(KernelPathError) -> RouteReplies {
    // Without events, no message marks outdated replies.
    if events == nil { answerCache.outdate(.all) }
    if queries.count <= AnswerCache.batchSize { return try replies(toBatch: queries) }
    var replies = RouteReplies()
    for start in stride(from: 0, to: queries.count, by: AnswerCache.batchSize) {
      let end = min(start + AnswerCache.batchSize, queries.count)
      replies.append(try self.replies(toBatch: Array(queries[start..<end])))
    }
    return replies
  }

  private func replies(toBatch queries: [RouteQuery]) throws(KernelPathError) -> RouteReplies {
    if queries.isEmpty { return RouteReplies() }
    let batch = answerCache.batch(of: queries)
    if !batch.outdated.isEmpty { try self.queries.ask(batch) }
    return batch.replies
  }

  /// Marks the answers of the families as outdated: the next evaluation asks for them again. To be called when
  /// something may have changed without a message.
  package func askAnew(_ families: AddressFamilies = .all) {
    answerCache.outdate(families)
    // Without events, no message reports a change of the rules.
    if events == nil { noteRuleChange() }
  }
}
