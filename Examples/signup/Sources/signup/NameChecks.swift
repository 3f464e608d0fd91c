import RequestsOnPath

/// The checks of the typed names, for three consumers: the text beside the field, the button, and the rules for
/// errors. Together they cause one request for a name.
struct NameChecks: Sendable {
  /// The answer for a name; `nil` for a name that was not asked for, because the form itself refuses it.
  typealias Answer = Result<Availability, ValueFailure>?
  private typealias Checked = LatestResult<SignUpForm.Check, Answer>

  private let answers = SharedStream<Checked>()
  private let checks: AsyncStream<SignUpForm.Check>
  private let inlet: AsyncStream<SignUpForm.Check>.Continuation

  init() {
    (checks, inlet) = AsyncStream.makeStream()
  }

  /// Wants a name to be checked.
  func add(_ check: SignUpForm.Check) { inlet.yield(check) }

  /// Ends ``run(clock:_:)`` and the streams.
  func finish() { inlet.finish() }

  /// Makes the checks, to the end.
  func run<C: Clock>(
    clock: C, _ availability: @escaping @Sendable (String) async throws(ValueFailure) -> Availability
  ) async where C.Duration == Duration {
    await answers.follow(
      checks.latestResults(restingFor: .milliseconds(800), clock: clock) { check in
        guard check.name.count >= SignUpForm.shortestName else { return nil }
        do throws(ValueFailure) {
          return .success(try await availability(check.name))
        } catch {
          return .failure(error)
        }
      })
  }

  /// The texts beside the field. A failure of the network has none, because the user is typing. An answer that says no
  /// has its sentence, unless the program cannot read it.
  var notes: AsyncStream<SignUpForm.Event> {
    stream { checked in checked.value.map { .note(Self.note(on: $0), for: checked.element.name) } }
  }

  /// Whether the names are allowed.
  var verdicts: AsyncStream<SignUpForm.Event> {
    stream { checked in checked.value.map { .verdict(Self.verdict(on: $0), for: checked.element.name) } }
  }

  /// The failures, for the rules that decide about them.
  var failures: AsyncStream<ValueFailure> {
    stream { checked in
      guard case .failure(let failure)? = checked.value else { return nil }
      return failure
    }
  }

  private func stream<Part: Sendable>(_ part: @escaping @Sendable (Checked) -> Part?) -> AsyncStream<Part> {
    let source = answers.makeStream()
    let (parts, continuation) = AsyncStream<Part>.makeStream()
    let task = Task {
      for await checked in source {
        if let part = part(checked) { continuation.yield(part) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return parts
  }

  private static func note(on answer: Result<Availability, ValueFailure>) -> String? {
    switch answer {
    case .success(let answer): answer.isAvailable ? "available" : "taken"
    case .failure(.answer(let failure)): failure.reason == .undecodable ? nil : failure.errorDescription
    case .failure(.request): nil
    }
  }

  private static func verdict(on answer: Result<Availability, ValueFailure>) -> Bool? {
    switch answer {
    case .success(let answer): answer.isAvailable
    case .failure(let failure): failure.category == .userMistake ? false : nil
    }
  }
}
