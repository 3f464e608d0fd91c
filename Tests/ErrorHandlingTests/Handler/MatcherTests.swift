import ErrorHandling
import Foundation
import Synchronization
import Testing

@Suite("A matcher")
struct MatcherTests {
  @Test("&&, || and ! are those of logic", arguments: [false, true], [false, true])
  func logic(first: Bool, second: Bool) {
    let (one, other) = (ErrorMatcher.matching { _ in first }, ErrorMatcher.matching { _ in second })
    #expect((one && other).matches(DiskFull()) == (first && second))
    #expect((one || other).matches(DiskFull()) == (first || second))
    #expect((!one).matches(DiskFull()) == !first)
  }

  @Test func `a conjunction has the value of its first matcher`() {
    let isLarge = ErrorMatcher.matching { ($0 as? DiskFull)?.missingBytes ?? 0 > 10 }
    let matcher = ErrorMatcher.type(DiskFull.self) && isLarge
    #expect(matcher.value(in: DiskFull(missingBytes: 11)) == DiskFull(missingBytes: 11))
    #expect(matcher.value(in: DiskFull(missingBytes: 9)) == nil)
  }

  @Test func `a disjunction of types matches errors of both`() {
    let matcher = ErrorMatcher.type(DiskFull.self) || ErrorMatcher.type(SignUpError.self)
    #expect(matcher.matches(DiskFull()))
    #expect(matcher.matches(SignUpError.nameTaken))
    #expect(!matcher.matches(BadStatus()))
  }

  @Test func `an equal error matches, another case does not`() {
    let matcher = ErrorMatcher.equal(to: SignUpError.nameTooShort(minimum: 4))
    #expect(matcher.matches(SignUpError.nameTooShort(minimum: 4)))
    #expect(!matcher.matches(SignUpError.nameTooShort(minimum: 5)))
    #expect(!matcher.matches(SignUpError.nameTaken))
  }

  @Test func `the outermost matching cause is the value`() {
    let error = Wrapped(cause: Wrapped(cause: DiskFull(missingBytes: 3)))
    #expect(ErrorMatcher.type(DiskFull.self).value(in: error) == nil)
    #expect(ErrorMatcher.type(DiskFull.self).amongCauses.value(in: error)?.missingBytes == 3)
  }

  @Test func `causes below the one that matches are not asked about`() {
    let asked = Mutex(0)
    let matcher = ErrorMatcher.matching { _ in
      asked.withLock { $0 += 1 }
      return true
    }
    #expect(matcher.amongCauses.matches(Wrapped(cause: DiskFull(missingBytes: 3))))
    #expect(asked.withLock(\.self) == 1)
  }

  @Test func `a code matches in its domain only`() {
    let error = NSError(domain: "one", code: 404)
    #expect(ErrorMatcher.nsError(domain: "one", code: 404).matches(error))
    #expect(ErrorMatcher.nsError(domain: "one").matches(error))
    #expect(!ErrorMatcher.nsError(domain: "two", code: 404).matches(error))
    #expect(!ErrorMatcher.nsError(domain: "one", code: 405).matches(error))
  }

  @Test func `errors match by category`() {
    let matcher = ErrorMatcher.category(.offline, .retryable)
    #expect(matcher.matches(Categorized(category: .offline)))
    #expect(matcher.matches(URLError(.timedOut)))
    #expect(!matcher.matches(DiskFull()))
  }
}
