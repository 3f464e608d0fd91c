import ErrorHandling
import Foundation
import Testing

@testable import careful_copy

@Suite("Presenters")
struct PresenterTests {
  private struct Failure: PresentableError, CategorizedError {
    var category: ErrorCategory = .userMistake
    var message = ErrorMessage("There is\nno file.", suggestion: "Check the name.")
  }

  private let presentation = ErrorPresentation(
    Failure(), recovery: [.custom(id: "replace", title: "Replace\u{1B}[2J It") {}, .cancel])

  @Test func `a menu has the text, the options and a question, each in its line`() {
    let menu = MenuText(presentation)
    #expect(
      menu.lines == ["There is\u{FFFD}no file.", "Check the name.", "", "  1  Replace\u{FFFD}[2J It", "  2  Cancel"])
    #expect(menu.question == "Choose 1 to 2: ")
  }

  @Test(
    "an answer is a number of the menu; an empty one gives up",
    arguments: [("1", "replace"), (" 2 ", "cancel"), ("", "cancel"), ("3", nil), ("0", nil), ("x", nil), ("-1", nil)])
  func answers(answer: String, option: String?) {
    #expect(MenuText(presentation).option(for: answer)?.name == option)
  }

  @Test func `a prepared choice counts once, and only where it is offered`() {
    let choice = PreparedChoice("replace")
    #expect(choice.take(from: ErrorPresentation(Failure())) == nil)
    #expect(choice.take(from: presentation) == "replace")
    #expect(choice.take(from: presentation) == nil)
  }

  @Test(
    "each category has a status of sysexits",
    arguments: [
      (ErrorCategory.userMistake, 65), (.offline, 69), (.nonRetryable, 70), (.retryable, 75), (.needsUpdate, 76),
      (.needsSignIn, 77), (.cancelled, 130), (ErrorCategory("of the program"), 70),
    ])
  func statuses(category: ErrorCategory, status: Int) {
    #expect(Int(ExitStatus(of: Failure(category: category)).rawValue) == status)
  }
}

@Suite("The command line")
struct OptionsTests {
  @Test func `files and options are told apart`() throws {
    let options = try Options(["--json", "a", "--choose", "replace", "--", "-b"])
    #expect(options.isJSON && options.choice == "replace" && options.source == "a" && options.target == "-b")
  }

  @Test(
    "a mistake is named with a correct use", arguments: [["a"], ["a", "b", "c"], ["--choose"], ["--other", "a", "b"]])
  func mistakes(arguments: [String]) {
    #expect(throws: Options.UsageError.self) { try Options(arguments) }
  }
}

@Suite("A copy in a scope")
struct CopyTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "new".write(to: folder.appendingPathComponent("source"), atomically: true, encoding: .utf8)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

  private func copy(_ source: String, _ target: String, answers: [RecoveryOption.ID?]) async -> [ErrorPresentation] {
    let presenter = RecordingPresenter(answers: answers)
    let plan = CopyPlan(from: path(source), to: path(target))
    await withErrorScope("test", presenter: presenter) { _ = await ErrorScope.current.attempt { try plan.copy() } }
    return presenter.presentations
  }

  @Test func `a file that is there is replaced, kept beside, or left alone, as the user chooses`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try "old".write(toFile: path("target"), atomically: true, encoding: .utf8)
    let shown = await copy("source", "target", answers: [.cancel])
    #expect(shown.map { $0.options.map(\.id) } == [["replace", "keep-both", .cancel]])
    #expect(text("target") == "old")
    _ = await copy("source", "target", answers: ["keep-both"])
    #expect(text("target") == "old" && text("target 2") == "new")
    _ = await copy("source", "target", answers: ["replace"])
    #expect(text("target") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test func `a missing source is a mistake of the user, and leaves nothing behind`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let shown = await copy("missing", "target", answers: [])
    #expect(shown.map(\.category) == [.userMistake])
    #expect(shown.first?.options.map(\.id) == [.close])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["source"])
  }

  @Test func `without an obstacle nothing is shown`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(await copy("source", "target", answers: []).isEmpty)
    #expect(text("target") == "new")
  }
}
