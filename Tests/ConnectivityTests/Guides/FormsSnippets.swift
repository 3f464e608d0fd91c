import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import SystemIO
import Testing

/// The snippets of "Forms that ask a server", with the declarations that they use.
// guide: begin
@MainActor
final class SignUpForm {
  private(set) var message = ""
  private(set) var needsUpdate = false
  private var name = ""
  private var check: Task<Result<Bool, ValueFailure>?, Never>?
  private let clock: any Clock<Duration>
  private let available: @MainActor (String) async -> Result<Bool, ValueFailure>

  init(
    clock: any Clock<Duration>, available: @escaping @MainActor (String) async -> Result<Bool, ValueFailure>
  ) {
    self.clock = clock
    self.available = available
  }

  func nameChanged(to name: String) {
    guard name != self.name else { return }
    self.name = name
    check?.cancel()
    check = nil
    guard name.count > 3 else {
      message = name.isEmpty ? "" : "The name is too short."
      return
    }
    check = Task {
      // A user who types on cancels this.
      guard (try? await self.clock.sleep(for: .milliseconds(800))) != nil else { return nil }
      return await ask(name)
    }
  }

  private func ask(_ name: String) async -> Result<Bool, ValueFailure>? {
    let result = await available(name)
    guard !Task.isCancelled else { return nil }
    show(result, isSubmitting: false)
    return result
  }

  /// Whether the name is free; `nil` when that is not known.
  func availability() async -> Bool? {
    try? await check?.value?.get()
  }

  func submit() async -> Bool {
    let (typed, name) = (check, name)
    if case .failure(.request)? = await typed?.value, check == typed {
      // The network may be back.
      check = Task { await ask(name) }
    }
    guard let result = await check?.value else { return false }
    show(result, isSubmitting: true)
    return (try? result.get()) == true
  }

  private func show(_ result: Result<Bool, ValueFailure>, isSubmitting: Bool) {
    switch result {
    case .success(let isFree):
      needsUpdate = false
      message = isFree ? "" : "The name is taken."
    case .failure(.request(let failure)): message = isSubmitting ? failure.localizedDescription : ""
    case .failure(.answer(let failure)):
      needsUpdate = failure.reason == .undecodable
      message = failure.localizedDescription
    }
  }
}
// guide: end

/// The requests of the form.
private struct FormRequests {
  struct Availability: Decodable {
    var isAvailable: Bool
  }

  let session = URLSession(configuration: .ephemeral)
  let options: RequestOptions

  func request(for name: String) -> URLRequest { URLRequest(url: URL(fileURLWithPath: "/nonexistent/" + name)) }

  // guide: begin
  @MainActor
  func available(_ name: String) async -> Result<Bool, ValueFailure> {
    do throws(ValueFailure) {
      let answer = try await withMinimumDuration(.milliseconds(500)) { () async throws(ValueFailure) in
        try await session.value(Availability.self, for: request(for: name), options: options)
      }
      return .success(answer.isAvailable)
    } catch {
      return .failure(error)
    }
  }
  // guide: end
}

@MainActor
@Suite("The guide to forms")
struct FormsTests {
  private let clock = ManualClock()
  private static let offline = ValueFailure.request(RequestFailure(.offline))

  /// A form whose server knows these answers, and the names that the server was asked for.
  private func form(_ answers: [String: Result<Bool, ValueFailure>]) -> (form: SignUpForm, asked: Guarded<[String]>) {
    form(inOrder: answers.mapValues { [$0] })
  }

  /// A form whose server gives the answers to a name one after the other, and then the last one.
  private func form(
    inOrder answers: [String: [Result<Bool, ValueFailure>]]
  ) -> (form: SignUpForm, asked: Guarded<[String]>) {
    let asked = Guarded<[String]>([])
    let form = SignUpForm(clock: clock) { name in
      let count = asked.withLock { asked in
        asked.append(name)
        return asked.filter { $0 == name }.count
      }
      guard let answers = answers[name] else { return .success(true) }
      return answers[min(count, answers.count) - 1]
    }
    return (form, asked)
  }

  /// Types a name, and pauses for long enough.
  private func type(_ name: String, into form: SignUpForm) async {
    form.nameChanged(to: name)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(800))
    _ = await form.availability()
  }

  @Test func `fast keystrokes and three consumers cause one request`() async {
    let (form, asked) = form([:])
    for name in ["pete", "peter", "peterf", "peterfr", "peterfri"] {
      form.nameChanged(to: name)
      form.nameChanged(to: name)
    }
    async let first = form.availability()
    async let second = form.availability()
    async let third = form.availability()
    while clock.sleeperCount != 1 { await Task.yield() }
    await Task.yield()
    clock.advance(by: .milliseconds(800))
    #expect(await [first, second, third] == [true, true, true])
    #expect(asked.copy == ["peterfri"])
  }

  @Test func `a short name is judged without the server`() async {
    let (form, asked) = form([:])
    form.nameChanged(to: "abc")
    #expect(form.message == "The name is too short.")
    form.nameChanged(to: "")
    #expect(form.message.isEmpty && asked.copy.isEmpty)
  }

  @Test func `a failure of the network is silent while typing, and shown on submit`() async {
    let (form, _) = form(["peter": .failure(Self.offline)])
    await type("peter", into: form)
    #expect(form.message.isEmpty)
    #expect(await form.submit() == false)
    #expect(form.message == "There is no network connection.")
  }

  @Test func `a submit after a failure of the network sends a request`() async {
    let (form, asked) = form(inOrder: ["peter": [.failure(Self.offline), .success(true)]])
    await type("peter", into: form)
    #expect(await form.submit())
    #expect(asked.copy == ["peter", "peter"] && form.message.isEmpty)
    #expect(await form.submit())
    #expect(asked.copy.count == 2)
  }

  @Test func `a success ends the need for an update`() async {
    let undecodable = ValueFailure.answer(AnswerFailure(.undecodable, status: 200))
    let (form, _) = form(["peter": .failure(undecodable)])
    await type("peter", into: form)
    #expect(form.needsUpdate)
    await type("peterf", into: form)
    #expect(!form.needsUpdate)
  }

  @Test func `the words of the server stand beside the field, and the form survives a failure`() async {
    let refused = AnswerFailure(.notAccepted, status: 400, message: "Username is too short.")
    let (form, _) = form(["peter": .failure(.answer(refused)), "taken": .success(false)])
    await type("peter", into: form)
    #expect(form.message == "Username is too short." && !form.needsUpdate)
    await type("taken", into: form)
    #expect(form.message == "The name is taken.")
    await type("free name", into: form)
    #expect(form.message.isEmpty)
    #expect(await form.submit())
  }

  @Test func `an answer that cannot be decoded asks for an update`() async {
    let (form, _) = form(["peter": .failure(.answer(AnswerFailure(.undecodable, status: 200)))])
    await type("peter", into: form)
    #expect(form.needsUpdate)
  }

  @Test func `an older answer never replaces a newer one`() async {
    let slow = AsyncStream.makeStream(of: Void.self)
    let asked = AsyncStream.makeStream(of: Void.self)
    let form = SignUpForm(clock: clock) { name in
      guard name == "slow" else { return .success(true) }
      asked.continuation.yield()
      for await _ in slow.stream { break }
      return .success(false)
    }
    form.nameChanged(to: "slow")
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(800))
    for await _ in asked.stream { break }
    await type("newer", into: form)
    #expect(form.message.isEmpty)
    slow.continuation.yield()
    for _ in 0..<100 { await Task.yield() }
    #expect(form.message.isEmpty)
    #expect(await form.availability() == true)
  }

  @Test func `the request of the form fails as any other`() async {
    let result = await FormRequests(options: RequestOptions(whenUnmet: .proceed)).available("a")
    guard case .failure = result else {
      Issue.record("\(result)")
      return
    }
  }
}
