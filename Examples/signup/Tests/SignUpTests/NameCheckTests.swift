import ConnectivityTesting
import ErrorHandling
import Foundation
import NameService
import RequestsOnPath
import Synchronization
import Testing

@testable import signup

@Suite("Checks of typed names")
struct NameCheckTests {
  /// A server, a clock that stands still, and checks for three consumers.
  private struct Stage {
    let server: FaultServer
    let clock = ManualClock()
    let checks = NameChecks()
    let notes: AsyncStream<SignUpForm.Event>
    let verdicts: AsyncStream<SignUpForm.Event>
    let failures: AsyncStream<ValueFailure>
    let run: Task<Void, Never>

    init(path: NetworkPath = .online(), _ answer: @escaping @Sendable (FaultRequest) -> FaultAnswer = { .signUp($0) })
      throws
    {
      server = try FaultServer(answer: answer)
      (notes, verdicts, failures) = (checks.notes, checks.verdicts, checks.failures)
      let monitor = PathMonitor(source: .scripted(PathScript(path)))
      let service = SignUpService(url: server.url(""), clock: ContinuousClock(), monitor: monitor)
      run = Task { [checks, clock] in
        await checks.run(clock: clock) { name async throws(ValueFailure) in
          try await service.availability(of: name)
        }
      }
    }

    func type(_ names: String..., round: Int = 0) {
      for name in names { checks.add(.init(name: name, round: round)) }
    }

    /// Lets the last name rest.
    func rest() async {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(800))
    }
  }

  private func first<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Element? {
    await stream.first { _ in true }
  }

  @Test func `five letters and three consumers cause one request`() async throws {
    let stage = try Stage()
    stage.type("z", "ze", "zeb", "zebr", "zebra")
    // The last letter has to have come before the clock moves.
    while stage.clock.sleeperCount != 1 { await Task.yield() }
    await stage.rest()
    guard case .note("available", for: "zebra") = await first(stage.notes) else {
      Issue.record("no note")
      return
    }
    guard case .verdict(true, for: "zebra") = await first(stage.verdicts) else {
      Issue.record("no verdict")
      return
    }
    stage.checks.finish()
    await stage.run.value
    #expect(await first(stage.failures) == nil)
    #expect(stage.server.requestCount() == 1)
  }

  @Test func `a failure does not end the checks`() async throws {
    let stage = try Stage()
    stage.type("admin")
    await stage.rest()
    var notes = stage.notes.makeAsyncIterator()
    guard case .note("This user name is reserved.", for: "admin") = await notes.next() else {
      Issue.record("no reason")
      return
    }
    stage.type("zebra")
    await stage.rest()
    guard case .note("available", for: "zebra") = await notes.next() else {
      Issue.record("no answer after the failure")
      return
    }
  }

  @Test func `a slow answer to an older name is never delivered`() async throws {
    let stage = try Stage { request in
      let answer = FaultAnswer.signUp(request)
      return request.query["userName"] == "older" ? answer.with(.silent(afterBodyBytes: nil)) : answer
    }
    stage.type("older")
    await stage.rest()
    #expect(await stage.server.waitForRequests(1))
    stage.type("newer")
    await stage.rest()
    guard case .verdict(true, for: "newer") = await first(stage.verdicts) else {
      Issue.record("the newer name was not answered first")
      return
    }
    // The client does not wait for the answer any more.
    #expect(await stage.server.waitForAbandoned(1))
  }

  @Test func `a name without a network has no note and no verdict, and its failure goes to the rules`() async throws {
    let stage = try Stage(path: .offline(because: .noCarrier))
    stage.type("zebra")
    await stage.rest()
    guard case .note(nil, for: "zebra") = await first(stage.notes),
      case .verdict(nil, for: "zebra") = await first(stage.verdicts)
    else {
      Issue.record("a note or a verdict without a network")
      return
    }
    #expect(await first(stage.failures)?.category == .offline)
    #expect(stage.server.requestCount() == 0)
  }

  @Test func `a service that fails is named beside the field, and does not forbid the name`() async throws {
    let stage = try Stage()
    stage.type("servererror")
    await stage.rest()
    guard case .note("The server has failed.", for: "servererror") = await first(stage.notes),
      case .verdict(nil, for: "servererror") = await first(stage.verdicts)
    else {
      Issue.record("no note, or a verdict")
      return
    }
  }

  @Test func `a name that the form refuses is not asked for, and ends the check of the one before`() async throws {
    let stage = try Stage()
    stage.type("zebra", "zeb")
    while stage.clock.sleeperCount != 1 { await Task.yield() }
    await stage.rest()
    stage.checks.finish()
    await stage.run.value
    #expect(await first(stage.notes) == nil)
    #expect(stage.server.requestCount() == 0)
  }

  @Test(arguments: ["illegalresponse", "brokenresponse"])
  func `an answer that cannot be read is a need for an update`(name: String) async throws {
    let stage = try Stage()
    stage.type(name)
    await stage.rest()
    #expect(await first(stage.failures)?.category == .needsUpdate)
  }
}

@Suite("The latest results")
struct LatestResultTests {
  @Test func `an element that comes back before it has rested causes work once`() async {
    let clock = ManualClock()
    let (elements, inlet) = AsyncStream.makeStream(of: Int.self)
    let works = Mutex<[Int]>([])
    var results = elements.latestResults(restingFor: .seconds(1), clock: clock) { element in
      works.withLock { $0.append(element) }
      return element
    }.makeAsyncIterator()
    inlet.yield(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await results.next()?.value == 1)
    // Back to the delivered element: nothing to do. The next one shows that nothing came between.
    for element in [2, 1] { inlet.yield(element) }
    while clock.sleeperCount != 1 { await Task.yield() }
    clock.advance(by: .seconds(1))
    inlet.yield(3)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await results.next()?.value == 3)
    #expect(works.withLock(\.self) == [1, 3])
  }

  @Test func `a stream that nobody follows does no more work`() async {
    let clock = ManualClock()
    let (elements, inlet) = AsyncStream.makeStream(of: Int.self)
    let isEnded = AsyncStream.makeStream(of: Void.self)
    inlet.onTermination = { _ in isEnded.continuation.finish() }
    do {
      _ = elements.latestResults(restingFor: .seconds(1), clock: clock) { $0 }
    }
    for await _ in isEnded.stream {}
    #expect(clock.sleeperCount == 0)
  }

  @Test func `work under way is cancelled when nobody follows the stream any more`() async {
    let clock = ManualClock()
    let (elements, inlet) = AsyncStream.makeStream(of: Int.self)
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    let results = elements.latestResults(restingFor: .seconds(1), clock: clock) { _ in
      step.yield("begun")
      for await _ in AsyncStream<Void>.makeStream().stream {}
      step.yield(Task.isCancelled ? "cancelled" : "ended")
    }
    let following = Task { for await _ in results {} }
    inlet.yield(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    var seen = steps.makeAsyncIterator()
    #expect(await seen.next() == "begun")
    following.cancel()
    #expect(await seen.next() == "cancelled")
  }
}
