import SystemIO

@MainActor
@Suite("The form of the guide")
struct FormsTests {
  private let clock = ManualClock()
  private static let offline = ValueFailure.request(RequestFailure(.offline))
  private static let undecodable = ValueFailure.answer(AnswerFailure(.undecodable, status: 200))

  /// A form whose server gives the answers to a name one after the other, and then the last one; and the names that the
  /// server was asked for. Other names are free.
  private func form(
    _ answers: [String: [Result<Bool, ValueFailure>]] = [:]
  ) -> (form: FormsGuide.SignUpForm, asked: Guarded<[String]>) {
    let asked = Guarded<[String]>([])
    let form = FormsGuide.SignUpForm(clock: clock) { name in
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
  private func type(_ name: String, into form: FormsGuide.SignUpForm) async {
    form.nameChanged(to: name)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(800))
    _ = await form.availability()
  }

  @Test func `fast keystrokes and three consumers cause one request`() async {
    let (form, asked) = form()
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

  @Test func `a short name is judged without the server`() {
    let (form, asked) = form()
    form.nameChanged(to: "abc")
    #expect(form.message == "The name is too short.")
    form.nameChanged(to: "")
    #expect(form.message.isEmpty && asked.copy.isEmpty)
  }

  @Test func `a failure of the network is silent while typing, and a submit asks again and shows it`() async {
    let (form, asked) = form(["peter": [.failure(Self.offline), .failure(Self.offline), .success(true)]])
    await type("peter", into: form)
    #expect(form.message.isEmpty)
    #expect(await form.submit() == false)
    #expect(form.message == "There is no network connection.")
    #expect(await form.submit())
    #expect(form.message.isEmpty)
    #expect(await form.submit())
    #expect(asked.copy == ["peter", "peter", "peter"], "a free name is asked for once")
  }

  @Test func `the words of the server stand beside the field, and the form survives a failure`() async {
    let refused = ValueFailure.answer(AnswerFailure(.notAccepted, status: 400, message: "Username is too short."))
    let (form, _) = form(["peter": [.failure(refused)], "taken": [.success(false)]])
    for (name, message) in [("peter", "Username is too short."), ("taken", "The name is taken."), ("free name", "")] {
      await type(name, into: form)
      #expect(form.message == message && !form.needsUpdate)
    }
    #expect(await form.submit())
  }

  @Test func `an answer that cannot be decoded asks for an update, and the next success ends that`() async {
    let (form, _) = form(["peter": [.failure(Self.undecodable)]])
    await type("peter", into: form)
    #expect(form.needsUpdate)
    await type("peterf", into: form)
    #expect(!form.needsUpdate)
  }

  @Test func `an older answer never replaces a newer one`() async {
    let slow = AsyncStream.makeStream(of: Void.self)
    let asked = AsyncStream.makeStream(of: Void.self)
    let form = FormsGuide.SignUpForm(clock: clock) { name in
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
    slow.continuation.yield()
    for _ in 0..<100 { await Task.yield() }
    #expect(form.message.isEmpty)
    #expect(await form.availability() == true)
  }
}
