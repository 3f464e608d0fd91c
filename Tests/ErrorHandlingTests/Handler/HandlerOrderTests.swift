import ErrorHandling
import PathTestSupport
import Testing

/// A rule of a random handler. Its matcher matches errors whose number has the bit.
private struct RandomRule {
  enum Kind: CaseIterable { case matcher, tag, fallback, always }

  var kind: Kind
  var bit: Int
  var policy: MatchingPolicy
  var name: String

  init(_ number: Int, using generator: inout SeededGenerator) {
    kind = Kind.allCases.randomElement(using: &generator) ?? .matcher
    bit = Int.random(in: 0..<4, using: &generator)
    policy = Int.random(in: 0..<4, using: &generator) == 0 ? .stopMatching : .continueMatching
    name = "\(kind) \(number)"
  }

  func added(to handler: ErrorHandler, _ trace: Trace) -> ErrorHandler {
    let (bit, policy, name) = (bit, policy, name)
    let action: ErrorHandler.Action<any Error> = { _ in
      trace.add(name)
      return policy
    }
    let matcher = ErrorMatcher<any Error>.matching { Numbered.has(bit, $0) }
    switch kind {
    case .matcher: return handler.on(matcher, perform: action)
    case .tag: return handler.on(tag: ErrorTag("\(bit)"), perform: action).tag(matcher, with: ErrorTag("\(bit)"))
    case .fallback: return handler.onNoMatch(perform: action)
    case .always: return handler.always { _ in trace.add(name) }
    }
  }
}

private struct Numbered: Error {
  var number: Int

  static func has(_ bit: Int, _ error: any Error) -> Bool {
    (error as? Numbered).map { $0.number >> bit & 1 == 1 } ?? false
  }
}

/// The documented order, written down a second time: the steps that an error causes, and the result.
private func reference(_ rules: [RandomRule], _ number: Int) -> (steps: [String], result: HandlingResult) {
  let newestFirst = rules.reversed()
  let matching = newestFirst.filter { [.matcher, .tag].contains($0.kind) && number >> $0.bit & 1 == 1 }
  let candidates = matching.isEmpty ? newestFirst.filter { $0.kind == .fallback } : matching
  let stop = candidates.firstIndex { $0.policy == .stopMatching }
  let run = stop.map { candidates[...$0] } ?? candidates[...]
  let closing = newestFirst.filter { $0.kind == .always }
  return (run.map(\.name) + closing.map(\.name), stop == nil ? .notHandled : .handled)
}

@Suite("The order of a handler")
struct HandlerOrderTests {
  @Test("random rules run in the documented order", arguments: SeededGenerator.seeds)
  func order(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let count = Int.random(in: 0...12, using: &generator)
      let rules = (0..<count).map { RandomRule($0, using: &generator) }
      for number in 0..<16 {
        let trace = Trace()
        let handler = rules.reduce(ErrorHandler()) { $1.added(to: $0, trace) }
        let result = await handler.handle(Numbered(number: number))
        let expected = reference(rules, number)
        #expect(trace.steps == expected.steps, "\(rules), error \(number)")
        #expect(result == expected.result, "\(rules), error \(number)")
      }
    }
  }

  @Test("adding handlers is the same as adding their rules one by one", arguments: SeededGenerator.seeds)
  func composition(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let rules = (0..<12).map { RandomRule($0, using: &generator) }
      let cuts = [Int.random(in: 0...12, using: &generator), Int.random(in: 0...12, using: &generator)].sorted()
      let trace = Trace()
      let parts = [rules[..<cuts[0]], rules[cuts[0]..<cuts[1]], rules[cuts[1]...]]
        .map { $0.reduce(ErrorHandler()) { $1.added(to: $0, trace) } }
      let number = Int.random(in: 0..<16, using: &generator)
      let expected = reference(rules, number)
      #expect(await parts[0].adding(parts[1]).adding(parts[2]).handle(Numbered(number: number)) == expected.result)
      #expect(await parts[0].adding(parts[1].adding(parts[2])).handle(Numbered(number: number)) == expected.result)
      #expect(trace.steps == expected.steps + expected.steps, "\(rules), cut at \(cuts), error \(number)")
    }
  }
}
