import ErrorHandling
import Synchronization
import Testing

@testable import offline_page

@Suite("The presenter of errors on the pages")
struct PagePresenterTests {
  private struct Failure: PresentableError {
    var message: ErrorMessage { ErrorMessage("It failed.", suggestion: "Try again.") }
  }

  private let presentation = ErrorPresentation(Failure(), recovery: [.custom(id: "repair", title: "Repair") {}])

  /// A presenter, and the problems that it shows.
  private func make() -> (PagePresenter, AsyncStream<Report.Problem?>) {
    let (problems, inlet) = AsyncStream.makeStream(of: Report.Problem?.self)
    return (PagePresenter { inlet.yield($0) }, problems)
  }

  @Test func `a page shows the text and a button for each option, and the pressed one is the choice`() async throws {
    let (presenter, problems) = make()
    var shown = problems.makeAsyncIterator()
    async let choice = presenter.present(presentation)
    let problem = try #require(await shown.next() ?? nil)
    #expect(problem.summary == "It failed.")
    #expect(problem.options.map(\.title) == ["Repair", "Cancel"])
    #expect(problem.options.map(\.role) == ["standard", "cancel"])
    #expect(!presenter.choose("repair", of: "another problem"))
    #expect(!presenter.choose("other", of: problem.id))
    #expect(presenter.choose("repair", of: problem.id))
    #expect(await choice == "repair")
    let after = await shown.next()
    #expect(after == .some(nil))
    #expect(!presenter.choose("repair", of: problem.id))
  }

  @Test func `a dismissed presentation has no choice`() async throws {
    let (presenter, problems) = make()
    var shown = problems.makeAsyncIterator()
    async let choice = presenter.present(presentation)
    _ = await shown.next()
    presenter.dismiss()
    #expect(await choice == nil)
  }

  @Test func `no two problems have the same name, and a name cannot be guessed`() async {
    let (presenter, problems) = make()
    var shown = problems.makeAsyncIterator()
    var names: Set<String> = []
    for _ in 0..<50 {
      async let choice = presenter.present(presentation)
      if let problem = await shown.next() ?? nil { names.insert(problem.id) }
      presenter.dismiss()
      _ = await (choice, shown.next())
    }
    #expect(names.count == 50)
    #expect(names.allSatisfy { $0.count == 32 })
  }

  @Test func `a new state of the path keeps the problem`() {
    let published = Mutex<[String]>([])
    let board = ReportBoard(Report(.checking, .unknown)) { json in published.withLock { $0.append(json) } }
    board.show(Report.Problem(presentation, id: "p"))
    board.update(Report(.offline(.noRoute), .unknown))
    board.show(nil)
    let reports = published.withLock(\.self)
    #expect(reports.map { $0.contains(#""id":"p""#) } == [false, true, true, false])
    #expect(reports.map { $0.contains(#""phase":"offline""#) } == [false, false, true, true])
  }
}
