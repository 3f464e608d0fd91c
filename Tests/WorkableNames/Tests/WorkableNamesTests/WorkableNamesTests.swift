import Alamofire
import ErrorHandler
import Foundation
import Testing

/// Code as it is written for Workable's library, in the Swift 5 mode.
@Suite("The names of Workable's library")
struct WorkableNamesTests {
  private enum FormError: Error, Equatable {
    case empty
    case tooLong(by: Int)
  }

  private final class Steps {
    var names: [String] = []
  }

  private let steps = Steps()

  private func step(_ name: String, _ policy: MatchingPolicy = .continueMatching) -> ErrorAction {
    { [steps] _ in
      steps.names.append(name)
      return policy
    }
  }

  @Test func `the last rule is first, and handling is over when handle returns`() {
    ErrorHandler().on(matches: { _ in true }, do: step("first")).on(matches: { _ in true }, do: step("last"))
      .handle(FormError.empty)
    #expect(steps.names == ["last", "first"])
  }

  @Test func `a rule that stops ends the matching, and actions for every error still run`() {
    ErrorHandler().always(do: step("always")).on(ErrorTypeMatcher<FormError>(), do: step("first"))
      .onError(ofType: FormError.self, do: step("last", .stopMatching)).handle(FormError.empty)
    #expect(steps.names == ["last", "always"])
  }

  @Test func `actions for every error can stop each other`() {
    ErrorHandler().always(do: step("suppressed")).always(do: step("last", .stopMatching)).handle(FormError.empty)
    #expect(steps.names == ["last"])
  }

  @Test func `only an error that no rule matches is a case for onNoMatch`() {
    let handler = ErrorHandler().onNoMatch(do: step("none")).on(FormError.tooLong(by: 1), do: step("value"))
    handler.handle(FormError.tooLong(by: 1))
    handler.handle(FormError.tooLong(by: 2))
    #expect(steps.names == ["value", "none"])
  }

  @Test func `tags, domains and statuses match`() {
    let handler = ErrorHandler().tag(NSErrorMatcher(domain: "d", code: nil), with: "tag").on(
      tag: "tag", do: step("tag")
    )
    .onNSError(domain: "d", code: 2, do: step("code")).onAFError(withStatus: 400..<500, do: step("range"))
    .onAFError(withStatus: 404, do: step("status"))
    handler.handle(NSError(domain: "d", code: 1))
    handler.handle(NSError(domain: "d", code: 2))
    handler.handle(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 404)))
    handler.handle(AFError.parameterEncodingFailed(reason: .missingURL))
    #expect(steps.names == ["tag", "code", "tag", "status", "range"])
  }

  @Test func `matchers compose`() {
    let (yes, no) = (ClosureErrorMatcher { _ in true }, ClosureErrorMatcher { _ in false })
    #expect((yes || no).matches(FormError.empty))
    #expect(!(yes && no).matches(FormError.empty))
  }

  @Test func `tryWith handles the error of its body`() {
    let handler = ErrorHandler().on(matches: { _ in true }, do: step("handled"))
    #expect(tryWith(handler) { 1 } == 1)
    #expect(tryWith(handler) { throw FormError.empty } == nil)
    #expect(steps.names == ["handled"])
  }
}
