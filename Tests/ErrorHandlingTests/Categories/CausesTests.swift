import ErrorHandling
import Foundation
import Testing

@Suite("Causes")
struct CausesTests {
  private final class Circle: CausedError {
    var cause: (any Error)? { self }
  }

  @Test func `causes come from the outermost in, whatever declares them`() {
    let inner = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "", underlyingError: DiskFull()))
    let middle = NSError(domain: "middle", code: 1, userInfo: [NSUnderlyingErrorKey: inner])
    let causes = ErrorCauses(of: Wrapped(cause: middle).recoverable([.cancel])).map { $0 }
    #expect(causes.count == 4)
    #expect(causes[0] is Wrapped)
    #expect((causes[1] as NSError).domain == "middle")
    #expect(causes[2] is DecodingError)
    #expect(causes[3] as? DiskFull == DiskFull())
  }

  @Test func `the cause of an encoding error counts too`() {
    let error = EncodingError.invalidValue(
      1, .init(codingPath: [], debugDescription: "", underlyingError: DiskFull()))
    #expect(ErrorCauses(of: error).map { $0 }.last is DiskFull)
  }

  @Test func `a chain that leads back to itself ends`() {
    #expect(ErrorCauses(of: Circle()).map { $0 }.count == 16)
    #expect(ErrorCategory(of: Circle()) == .nonRetryable)
  }
}
