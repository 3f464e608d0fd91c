import ErrorHandling
import Foundation
import Testing

private enum InvalidInput: Error, Equatable {
  case email
}

private struct CardDeclined: Error {}
private struct NotReady: Error {}

// guide: begin
extension ErrorTag {
  static let storage: Self = "storage"
}
// guide: end

// guide: begin
enum AccountError: CategorizedError {
  case serverIsBusy
  case sessionExpired
  case nameTaken

  var category: ErrorCategory {
    switch self {
    case .serverIsBusy: .retryable
    case .sessionExpired: .needsSignIn
    case .nameTaken: .userMistake
    }
  }
}
// guide: end

// guide: begin
extension ErrorCategory {
  static let paymentRequired = ErrorCategory("payment required")
}
// guide: end

// guide: begin
extension ErrorCategory {
  static let quotaExceeded = ErrorCategory("quota exceeded")
}
// guide: end

private struct Mailbox: Sendable {
  let trace = Trace()

  func write(_ data: [UInt8]) async throws {
    trace.add("write")
    throw DiskFull(missingBytes: 1)
  }
  func emptyCache() async throws { trace.add("empty cache") }
  func signIn() async throws { trace.add("sign in") }
  func openInbox() async { await ErrorScope.current.handle(Categorized(category: .needsSignIn)) }

  // guide: begin
  func save(_ data: [UInt8]) async throws {
    do {
      try await write(data)
    } catch let error as DiskFull {
      throw error.recoverable([
        .tryAgain { try await write(data) },
        .custom(id: "free-space", title: "Free Space") { try await emptyCache() },
        .cancel,
      ])
    }
  }
  // guide: end

  func attach(_ error: some Error) throws {
    // guide: begin
    throw error.recoverable([
      .custom(id: "free-space", title: "Free Space") { try await emptyCache() },
      .cancel,
    ])
    // guide: end
  }

  func run(_ presenter: some ErrorPresenter) async {
    // guide: begin
    @Sendable func options(for error: any Error) -> [RecoveryOption] {
      guard ErrorCategory(of: error) == .needsSignIn else { return [] }
      return [.custom(id: "sign-in", title: "Sign In") { try await signIn() }]
    }

    await withErrorScope("mail", presenter: presenter, recovery: options) {
      await openInbox()
    }
    // guide: end
  }
}

private struct Shop: Sendable {
  let trace = Trace()
  var error: any Error = NotReady()

  func showMaintenancePage() { trace.add("maintenance") }
  func showGeneralPage() { trace.add("general") }
  func askForAnotherCard(after error: CardDeclined) { trace.add("another card") }
  func pay() async { await ErrorScope.current.handle(error) }

  func run() async {
    // guide: begin
    let maintenance = ErrorHandler()
      .on(.httpStatus(503), then: .stopMatching) { _ in showMaintenancePage() }
    let defaults = ErrorHandler()
      .onNoMatch { error in
        guard ErrorCategory(of: error) != .cancelled else { return .continueMatching }
        showGeneralPage()
        return .stopMatching
      }
    let checkout = ErrorHandler()
      .onError(ofType: CardDeclined.self) { error in
        askForAnotherCard(after: error)
        return .stopMatching
      }

    await withErrorScope("shop", capture: maintenance, handler: defaults) {
      await withErrorScope("checkout", handler: checkout) {
        await pay()
      }
    }
    // guide: end
  }
}

private struct Archive: Sendable {
  let trace = Trace()

  func show(_ text: String) { trace.add(text) }

  func run(_ error: any Error) async {
    // guide: begin
    let handler = ErrorHandler()
      .on(.type(DiskFull.self).amongCauses, then: .stopMatching) { error in
        show("\(error.missingBytes) bytes are missing.")
      }
    // guide: end
    await handler.handle(error)
  }
}

private struct Fetch: Sendable {
  func fetch() async { await ErrorScope.current.handle(Categorized(category: .offline)) }

  func run() async {
    // guide: begin
    await withErrorScope("fetch", presenter: .standardError) { await fetch() }
    // guide: end
  }
}

private struct Screen: Sendable {
  var isReady = false

  func reload() async throws { throw NotReady() }
  func start() {}

  // guide: begin
  func refresh() async {
    do {
      try await reload()
    } catch {
      await ErrorScope.current.handle(error)
    }
  }

  func buttonPressed() {
    guard isReady else {
      ErrorScope.current.post(NotReady())
      return
    }
    start()
  }
  // guide: end
}

private struct Form: Sendable {
  let trace = Trace()

  func markField(_ error: InvalidInput) { trace.add("\(error)") }
  func show(_ text: String) { trace.add(text) }
  func upload(_ error: any Error) async { trace.add("uploaded") }
  func showPrices() { trace.add("prices") }

  func run(_ error: any Error) async {
    // guide: begin
    let handler = ErrorHandler()
      .on(InvalidInput.email) { error in
        markField(error)
        return .stopMatching
      }
      .on(.httpStatus(400..<451), then: .continueMatching) { error in
        show("The server answered \(error.httpStatus ?? 0).")
      }
      .tag(.nsError(domain: "io.example.cache"), with: "offline-capable")
      .on(tag: "offline-capable") { _ in .stopMatching }
      .onNoMatch(then: .continueMatching) { _ in show("This did not work.") }
      .always { error in await upload(error) }

    await handler.handle(error)
    // guide: end
  }

  func prices() async {
    // guide: begin
    let rules = ErrorHandler()
      .on(.category(.paymentRequired), then: .stopMatching) { _ in showPrices() }
    // guide: end
    await rules.handle(Categorized(category: .paymentRequired))
  }
}

struct Session: Sendable {
  let trace = Trace()
  var error: any Error = AccountError.sessionExpired

  func open() async throws -> String { throw error }
  func showLabel(_ text: String) { trace.add(text) }
  func showAccount(_ account: String?) { trace.add(account ?? "no account") }
}

// guide: begin
func login(_ session: Session) async {
  let rules = ErrorHandler()
    .on(.category(.needsSignIn), then: .stopMatching) { _ in session.showLabel("Sign in again.") }
  await withErrorScope("login", handler: rules) {
    let account = await ErrorScope.current.attempt { try await session.open() }
    session.showAccount(account)
  }
}
// guide: end

/// The snippets in the documentation of symbols.
private struct Uploads: Sendable {
  let trace = Trace()

  func show(_ text: String) { trace.add(text) }
  func showSignIn() { trace.add("sign-in") }
  func record(_ error: any Error) { trace.add("recorded") }
  func loadAccount() async throws -> String { throw AccountError.nameTaken }
  func show(account: String) { trace.add(account) }

  var upload: ErrorHandler {
    // guide: begin
    let program = ErrorHandler()
      .onNoMatch(then: .continueMatching) { _ in show("Something went wrong.") }
      .always { error in record(error) }

    let upload = program.onError(ofType: DiskFull.self) { error in
      show("\(error.missingBytes) bytes are missing.")
      return .stopMatching
    }
    .on(.httpStatus(401), then: .stopMatching) { _ in showSignIn() }
    // guide: end
    return upload
  }

  func account(_ accountRules: ErrorHandler) async {
    // guide: begin
    await withErrorScope("account", handler: accountRules) {
      guard let account = await ErrorScope.current.attempt({ try await loadAccount() }) else { return }
      show(account)
    }
    // guide: end
  }
}

@Suite("The pages for other designs")
struct ComingFromTests {
  private let silent = ErrorLog { _ in }

  @Test func `options are attached where they are known`() async throws {
    let mailbox = Mailbox()
    let error = try #require(await #expect(throws: RecoverableFailure.self) { try await mailbox.save([1]) })
    #expect(error.recovery.map(\.id) == [.tryAgain, "free-space", .cancel])
    try await error.recovery[1].action()
    #expect(mailbox.trace.steps == ["write", "empty cache"])
    #expect(throws: RecoverableFailure.self) { try mailbox.attach(DiskFull()) }
    let presenter = RecordingPresenter(answers: ["sign-in"])
    await mailbox.run(presenter)
    #expect(mailbox.trace.steps.last == "sign in")
  }

  @Test func `the catch-all of the shop needs no list of exceptions`() async {
    for (error, step) in [
      (BadStatus(httpStatus: 503), "maintenance"), (CardDeclined(), "another card"), (NotReady(), "general"),
    ] as [(any Error, String)] {
      let shop = Shop(error: error)
      await shop.run()
      #expect(shop.trace.steps == [step])
    }
    let cancelled = Shop(error: CancellationError())
    await cancelled.run()
    #expect(cancelled.trace.steps.isEmpty)
  }

  @Test func `a rule among causes sees a wrapped error, and a rule for a type does not`() async {
    let archive = Archive()
    let wrapped = Wrapped(cause: DiskFull(missingBytes: 7))
    await archive.run(wrapped)
    await archive.run(DiskFull(missingBytes: 8))
    #expect(archive.trace.steps == ["7 bytes are missing.", "8 bytes are missing."])
    let plain = ErrorHandler().onError(ofType: DiskFull.self) { _ in .stopMatching }
    #expect(await plain.handle(wrapped) == .notHandled)
  }

  @Test func `a program without a place to ask writes one line to standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await Fetch().run()
      let handled = await StandardErrorPresenter().present(ErrorPresentation(Categorized(category: .offline)))
      precondition(handled == nil)
    }
    let line = "There is no network connection. Check the network, and try again.\n"
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.hasSuffix(line + line))
  }

  @Test func `code of a screen hands its error to the current scope`() async {
    let trace = Trace()
    let rules = ErrorHandler().onError(ofType: NotReady.self) { _ in
      trace.add("not ready")
      return .stopMatching
    }
    await withErrorScope("screen", handler: rules, log: silent) {
      await Screen().refresh()
      Screen().buttonPressed()
      Screen(isReady: true).buttonPressed()
    }
    #expect(trace.steps == ["not ready", "not ready"])
  }

  @Test func `the rules read as before`() async {
    let form = Form()
    await form.run(InvalidInput.email)
    await form.run(BadStatus(httpStatus: 404))
    await form.run(NSError(domain: "io.example.cache", code: 3))
    await form.run(NotReady())
    await form.prices()
    #expect(
      form.trace.steps == [
        "email", "uploaded", "The server answered 404.", "uploaded", "uploaded", "This did not work.", "uploaded",
        "prices",
      ])
  }

  @Test func `the login keeps the errors that it understands`() async {
    let presenter = RecordingPresenter()
    await withErrorScope("program", presenter: presenter, log: silent) {
      let expired = Session()
      await login(expired)
      #expect(expired.trace.steps == ["Sign in again.", "no account"])
      let busy = Session(error: AccountError.serverIsBusy)
      await login(busy)
      #expect(busy.trace.steps == ["no account"])
    }
    #expect(presenter.presentations.map { $0.options.map(\.id) } == [[.tryAgain, .cancel]])
  }

  @Test func `the rules of an upload come before those of the program`() async {
    let uploads = Uploads()
    await uploads.upload.handle(DiskFull(missingBytes: 7))
    await uploads.upload.handle(BadStatus(httpStatus: 401))
    await uploads.upload.handle(AccountError.nameTaken)
    await uploads.account(ErrorHandler().on(.any, then: .stopMatching) { _ in uploads.show("stopped") })
    #expect(
      uploads.trace.steps == [
        "7 bytes are missing.", "recorded", "sign-in", "recorded", "Something went wrong.", "recorded", "stopped",
      ])
    #expect(ErrorTag.storage.name == "storage" && !ErrorCategory.quotaExceeded.isRetryable)
  }
}
