import Foundation
import SystemIO
import Testing

@testable import ErrorHandling

@Suite("Unhandled errors")
struct ScopeReportTests {
  private let reports = Guarded<[ErrorReport]>([])

  private var log: ErrorLog { ErrorLog { [reports] report in reports.withLock { $0.append(report) } } }

  private struct Unclassified: Error {}

  @Test func `an unhandled error is logged once, by the outermost log, with all its causes`() async {
    let inner = ErrorLog { _ in Issue.record("the inner log is not asked") }
    let cause = Categorized(category: .nonRetryable)
    await withErrorScope("root", log: log) {
      await withErrorScope("leaf", log: inner) {
        #expect(await ErrorScope.current.handle(Wrapped(cause: Wrapped(cause: cause))) == .notHandled)
      }
    }
    #expect(reports.copy.map(\.kind) == [.unhandled])
    #expect(reports.copy.first?.scopes == ["leaf", "root"])
    let text = reports.copy.first?.description ?? ""
    #expect(text.hasPrefix("unhandled error in leaf < root (non-retryable): Wrapped("))
    #expect(text.components(separatedBy: "; caused by: ").count == 3)
    #expect(text.hasSuffix("; caused by: \(cause)"))
  }

  @Test func `an error that was handled or shown is not logged`() async {
    let handler = ErrorHandler().onError(ofType: DiskFull.self) { _ in .stopMatching }
    await withErrorScope("root", handler: handler, presenter: RecordingPresenter(), log: log) {
      #expect(await ErrorScope.current.handle(DiskFull()) == .handled)
      #expect(await ErrorScope.current.handle(Categorized(category: .offline)) == .handled)
    }
    #expect(reports.copy.isEmpty)
  }

  @Test func `a cancelled operation is neither shown nor logged, but rules see it`() async {
    let trace = Trace()
    let presenter = RecordingPresenter()
    let handler = ErrorHandler().always { trace.add("\($0)") }
    await withErrorScope("root", handler: handler, presenter: presenter, log: log) {
      #expect(await ErrorScope.current.handle(CancellationError()) == .handled)
      #expect(await ErrorScope.current.handle(URLError(.cancelled)) == .handled)
    }
    #expect(trace.steps.count == 2)
    #expect(presenter.presentations.isEmpty)
    #expect(reports.copy.isEmpty)
  }

  @Test func `a debug build reports a type without a category once for each log`() async {
    #if DEBUG
      await withErrorScope("root", presenter: RecordingPresenter(), log: log) {
        await ErrorScope.current.handle(Unclassified())
        await ErrorScope.current.handle(Unclassified())
        await ErrorScope.current.handle(Categorized(category: .offline))
        await ErrorScope.current.handle(DiskFull())
      }
      #expect(reports.copy.map(\.kind) == [.unclassified, .unclassified])
      #expect(reports.copy.map { type(of: $0.error) == Unclassified.self } == [true, false])
      #expect(reports.copy.first?.description.hasPrefix("error without a category in root: Unclassified") == true)
    #endif
  }

  @Test func `a report is one line, whatever the text of the error`() {
    let error = NSError(domain: "a\nb\u{1B}[2J", code: 1)
    let report = ErrorReport(kind: .unhandled, error: error, category: .nonRetryable, scopes: ["x\ny"])
    #expect(report.description.allSatisfy { $0 != "\n" && $0 != "\u{1B}" })
  }

  @Test func `without any scope an unhandled error goes to standard error and stops a debug build`() async {
    #if DEBUG
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await ErrorScope.current.handle(Categorized(category: .nonRetryable))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("unhandled error (non-retryable): Categorized"))
      #expect(text.contains("no scope handles this error"))
    #endif
  }

  @Test func `a program without a place to ask writes one line to standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await withErrorScope("fetch", presenter: .standardError) {
        _ = await ErrorScope.current.handle(Categorized(category: .offline))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.hasSuffix("There is no network connection. Check the network, and try again.\n"))
  }
}
