import ErrorHandling
import Testing

/// A helper for the snippets of "From throws to presentation".
private enum Storage {
  static let bin = Trace()

  static func emptyBin() async throws { bin.add("emptied") }
}

// guide: begin
enum NoteError: Error, Equatable {
  case empty
  case tooLong(maximum: Int)
}

struct Note: Equatable {
  let text: String

  init(_ text: String) throws(NoteError) {
    guard !text.isEmpty else { throw .empty }
    guard text.count <= 140 else { throw .tooLong(maximum: 140) }
    self.text = text
  }
}
// guide: end

// guide: begin
func forward(_ text: String) throws -> Note {
  try Note(text)
}

func decide(_ text: String) -> String {
  do {
    return try Note(text).text
  } catch {
    switch error {
    case .empty: return "Write something first."
    case .tooLong(let maximum): return "Write at most \(maximum) characters."
    }
  }
}

func ignore(_ text: String) -> Note? {
  try? Note(text)
}
// guide: end

// guide: begin
func order() -> [String] {
  var steps: [String] = []
  func body() throws {
    defer { steps.append("opened first, closed last") }
    defer { steps.append("opened last, closed first") }
    throw NoteError.empty
  }
  try? body()
  return steps
}
// guide: end

// guide: begin
func later(_ text: String) throws -> Note {
  let outcome = Result { () throws(NoteError) in try Note(text) }
  return try outcome.get()
}
// guide: end

// guide: begin
struct QuotaExceeded: CategorizedError, PresentableError, RecoveryOffering {
  var category: ErrorCategory { .nonRetryable }
  var message: ErrorMessage { ErrorMessage("The storage is full.") }
  var recovery: [RecoveryOption] {
    [.custom(id: "empty-bin", title: "Empty the Bin") { try await Storage.emptyBin() }]
  }
}
// guide: end

/// A program as in the guide.
private struct Program: Sendable {
  let trace = Trace()

  func show(_ text: String) { trace.add(text) }
  func showSignIn() { show("sign-in") }
  func record(_ error: any Error) { show("recorded \(type(of: error))") }

  var rules: (program: ErrorHandler, editor: ErrorHandler) {
    // guide: begin
    let programRules = ErrorHandler()
      .on(.category(.needsSignIn), then: .stopMatching) { _ in showSignIn() }
      .always { error in record(error) }

    let editorRules = programRules.onError(ofType: QuotaExceeded.self) { _ in
      show("Your draft is kept on this machine.")
      return .continueMatching
    }
    // guide: end
    return (programRules, editorRules)
  }

  var programRules: ErrorHandler { rules.program }
  var editorOnlyRules: ErrorHandler {
    ErrorHandler().onError(ofType: QuotaExceeded.self) { _ in
      show("Your draft is kept on this machine.")
      return .continueMatching
    }
  }

  private let attempts = Trace()

  func upload() async throws -> String {
    attempts.add("upload")
    if attempts.steps.count == 1 { throw QuotaExceeded() }
    return "home"
  }

  // guide: begin
  func runProgram(_ presenter: some ErrorPresenter) async {
    await withErrorScope("program", handler: programRules, presenter: presenter, log: .standardError) {
      await withErrorScope("editor", handler: editorOnlyRules) {
        await saveDraft()
      }
    }
  }

  func saveDraft() async {
    guard let place = await ErrorScope.current.attempt({ try await upload() }) else { return }
    show("Saved at \(place).")
  }
  // guide: end

  func test() async {
    // guide: begin
    let presenter = RecordingPresenter(answers: ["empty-bin"])
    await runProgram(presenter)
    #expect(presenter.presentations.map(\.message.summary) == ["The storage is full."])
    // guide: end
  }
}

private let console = Trace()
private func show(_ text: String) { console.add(text) }
private func chosenOption(of options: [RecoveryOption]) async -> RecoveryOption.ID? { options.first?.id }

// guide: begin
struct ConsolePresenter: ErrorPresenter {
  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    show(presentation.message.summary)
    for (number, option) in presentation.options.enumerated() { show("\(number + 1)  \(option.title)") }
    return await chosenOption(of: presentation.options)
  }
}
// guide: end

@Suite("The guide from throws to presentation")
struct FromThrowsTests {
  private static let long = String(repeating: "a", count: 141)

  @Test func `an error is propagated, handled, ignored or kept`() throws {
    #expect(throws: NoteError.empty) { try forward("") }
    #expect(decide("") == "Write something first.")
    #expect(decide(Self.long) == "Write at most 140 characters.")
    #expect(decide("text") == "text")
    #expect(ignore("") == nil)
    #expect(try later("text") == Note("text"))
    #expect(throws: NoteError.tooLong(maximum: 140)) { try later(Self.long) }
  }

  @Test func `blocks of defer run last first`() {
    #expect(order() == ["opened last, closed first", "opened first, closed last"])
  }

  @Test func `a catch may list several patterns`() {
    do {
      _ = try forward("")
    } catch NoteError.empty, NoteError.tooLong {
      return
    } catch {
      Issue.record("\(error)")
    }
    Issue.record("no error")
  }

  @Test func `the draft is saved after the bin was emptied`() async {
    let program = Program()
    await program.test()
    #expect(
      program.trace.steps == ["Your draft is kept on this machine.", "recorded QuotaExceeded", "Saved at home."])
    #expect(Storage.bin.steps == ["emptied"])
  }

  @Test func `rules of a copy do not reach the original`() async {
    let program = Program()
    await program.rules.program.handle(QuotaExceeded())
    await program.rules.editor.handle(QuotaExceeded())
    await program.rules.editor.handle(Categorized(category: .needsSignIn))
    #expect(
      program.trace.steps == [
        "recorded QuotaExceeded", "Your draft is kept on this machine.", "recorded QuotaExceeded", "sign-in",
        "recorded Categorized",
      ])
  }

  @Test func `a presenter shows the text and the options, and returns the choice`() async {
    #expect(await ConsolePresenter().present(ErrorPresentation(QuotaExceeded())) == "empty-bin")
    #expect(console.steps == ["The storage is full.", "1  Empty the Bin", "2  Cancel"])
  }
}
