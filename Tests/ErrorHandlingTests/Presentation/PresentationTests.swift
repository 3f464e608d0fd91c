import Foundation
import PathTestSupport
import Testing

@testable import ErrorHandling

@Suite("A presentation")
struct PresentationTests {
  private static let categories: [ErrorCategory] = [
    .retryable, .nonRetryable, .offline, .needsSignIn, .needsUpdate, .userMistake, .cancelled, .init("of the program"),
  ]

  private struct Told: PresentableError {
    var message: ErrorMessage
  }

  @Test("there is an option besides giving up, or a suggestion", arguments: categories, SeededGenerator.seeds)
  func wayOn(category: ErrorCategory, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let all: [RecoveryOption] = [.tryAgain(), .cancel, .cancel(title: "Later"), .custom(id: "a", title: "A") {}]
    for _ in 0..<100 {
      let own = all.filter { _ in Bool.random(using: &generator) }
      let further = all.filter { _ in Bool.random(using: &generator) }
      let silent = Told(message: ErrorMessage("It failed."))
      for error: any Error in [Categorized(category: category), silent, silent.recoverable(own)] {
        let presentation = ErrorPresentation(error, recovery: further)
        let hasWay = presentation.options.contains { $0.role != .cancel }
        #expect(hasWay || presentation.message.suggestion != nil)
        #expect(presentation.options.last?.role == .cancel)
        #expect(presentation.options.count { $0.role == .cancel } == 1)
        #expect(Set(presentation.options.map(\.id)).count == presentation.options.count)
        #expect(!presentation.message.summary.isEmpty)
      }
    }
  }

  @Test func `an error without options is closed, one with options is cancelled`() {
    #expect(ErrorPresentation(DiskFull()).options.map(\.id) == [.close])
    #expect(ErrorPresentation(DiskFull(), recovery: [.tryAgain()]).options.map(\.id) == [.tryAgain, .cancel])
    let own = ErrorPresentation(DiskFull(), recovery: [.cancel(title: "Later"), .tryAgain()])
    #expect(own.options.map(\.title) == ["Try Again", "Later"])
  }

  @Test func `the system's own text of an error is never shown`() {
    for error: any Error in [DiskFull(), URLError(.timedOut), NSError(domain: "d", code: 1), POSIXError(.EIO)] {
      #expect(ErrorMessage(of: error).summary == "This did not work.")
    }
  }

  @Test func `the text is that of the error, or else of its cause`() {
    let told = Told(message: ErrorMessage("The disk is full.", reason: "Why.", suggestion: "Do this."))
    #expect(ErrorMessage(of: told) == told.message)
    #expect(ErrorMessage(of: Wrapped(cause: told.recoverable([.cancel]))) == told.message)
  }

  @Test func `a text from elsewhere stays on its line and in its place`() {
    let error = Told(message: ErrorMessage("red \u{1B}[31m\nnext line \u{202E}"))
    let presentation = ErrorPresentation(error, recovery: [.custom(id: "x", title: "a\rb") {}])
    #expect(presentation.description == #"red \u{1B}[31m\nnext line \u{202E} [a\rb] [Cancel]"#)
    #expect(presentation.causes.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") })
  }

  @Test func `its JSON has the text, the options and the causes`() throws {
    let error = Told(message: ErrorMessage("It failed.", suggestion: "Do this."))
    let data = try JSONEncoder().encode(ErrorPresentation(error, recovery: [.tryAgain()]))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object.keys.sorted() == ["category", "causes", "message", "options"])
    #expect(object["category"] as? String == "non-retryable")
    #expect(object["message"] as? [String: String] == ["summary": "It failed.", "suggestion": "Do this."])
    #expect((object["causes"] as? [String])?.count == 1)
    #expect(
      object["options"] as? [[String: String]] == [
        ["id": "try-again", "title": "Try Again", "role": "standard"],
        ["id": "cancel", "title": "Cancel", "role": "cancel"],
      ])
  }
}
