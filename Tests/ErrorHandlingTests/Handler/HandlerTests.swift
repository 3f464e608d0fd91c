import ErrorHandling
import Foundation
import Testing

@Suite("A handler")
struct HandlerTests {
  private let trace = Trace()

  private func handler(adding names: String...) -> ErrorHandler {
    var handler = ErrorHandler()
    for name in names {
      handler = handler.on(.any, then: .continueMatching) { [trace] _ in trace.add(name) }
    }
    return handler
  }

  @Test func `a rule for a tag runs once, however many matchers of the tag match`() async {
    await ErrorHandler()
      .tag(.type(DiskFull.self), with: "storage").tag(.any, with: "storage")
      .on(tag: "storage") { [trace] _ in
        trace.add("storage")
        return .continueMatching
      }
      .handle(DiskFull())
    #expect(trace.steps == ["storage"])
  }

  @Test func `a tag holds for the rules before it too, and in handlers that are composed`() async {
    let rule = ErrorHandler().on(tag: "storage") { [trace] _ in
      trace.add("storage")
      return .stopMatching
    }
    let tags = ErrorHandler().tag(.type(DiskFull.self), with: "storage")
    #expect(await rule.tag(.type(DiskFull.self), with: "storage").handle(DiskFull()) == .handled)
    #expect(await rule.adding(tags).handle(DiskFull()) == .handled)
    #expect(await tags.adding(rule).handle(DiskFull()) == .handled)
    #expect(await rule.adding(tags).handle(SignUpError.nameTaken) == .notHandled)
    #expect(trace.steps == ["storage", "storage", "storage"])
  }

  @Test func `a rule for a tag without a matcher is found before an error comes`() {
    let handler = ErrorHandler().tag(.any, with: "known")
      .on(tag: "known") { _ in .stopMatching }
      .on(tag: "misspelt") { _ in .stopMatching }
    #expect(handler.undefinedTags == ["misspelt"])
    #expect(handler.tag(.any, with: "misspelt").undefinedTags.isEmpty)
  }

  @Test func `actions for every error are left out only by withoutAlways`() async {
    let handler = handler(adding: "rule").always { [trace] _ in trace.add("log") }
    await handler.withoutAlways.always { [trace] _ in trace.add("new") }.handle(DiskFull())
    #expect(trace.steps == ["rule", "new"])
    await handler.handle(DiskFull())
    #expect(trace.steps == ["rule", "new", "rule", "log"])
  }

  @Test func `an action receives the error with the type of its rule`() async {
    await ErrorHandler()
      .onError(ofType: DiskFull.self) { [trace] (error: DiskFull) in
        trace.add("\(error.missingBytes)")
        return .continueMatching
      }
      .on(SignUpError.nameTaken) { [trace] (error: SignUpError) in
        trace.add("\(error)")
        return .continueMatching
      }
      .on(httpStatus: 401) { [trace] error in
        trace.add("\(error.httpStatus ?? 0)")
        return .continueMatching
      }
      .handle(DiskFull(missingBytes: 7))
    #expect(trace.steps == ["7"])
  }

  @Test(
    "statuses match by number, by half-open range and by closed range",
    arguments: [
      (400, ["400..<451", "400...499"]), (401, ["401", "400..<451", "400...499"]), (450, ["400..<451", "400...499"]),
      (451, ["400...499"]), (500, []),
    ])
  func statuses(status: Int, expected: [String]) async {
    let handler = ErrorHandler().on(.httpStatus(400...499), then: .continueMatching) { [trace] _ in
      trace.add("400...499")
    }
    .on(.httpStatus(400..<451), then: .continueMatching) { [trace] _ in trace.add("400..<451") }
    .on(.httpStatus(401), then: .continueMatching) { [trace] _ in trace.add("401") }
    #expect(await handler.handle(BadStatus(httpStatus: status)) == .notHandled)
    #expect(trace.steps == expected)
  }

  @Test func `an error without a status matches no status`() async {
    let handler = ErrorHandler().on(.httpStatus(...Int.max), then: .stopMatching) { _ in }
    #expect(await handler.handle(BadStatus(httpStatus: nil)) == .notHandled)
    #expect(await handler.handle(DiskFull()) == .notHandled)
  }

  @Test func `rules see through attached options`() async {
    let error = DiskFull(missingBytes: 1).recoverable([.cancel])
    await ErrorHandler().onError(ofType: DiskFull.self) { [trace] error in
      trace.add("\(error.missingBytes)")
      return .stopMatching
    }.handle(error)
    #expect(trace.steps == ["1"])
  }

  @Test func `catching returns the value, or handles the error and returns nil`() async {
    let handler = handler(adding: "handled")
    #expect(await handler.catching { 1 } == 1)
    #expect(await handler.catching { () throws -> Int in throw DiskFull() } == nil)
    #expect(trace.steps == ["handled"])
  }
}
