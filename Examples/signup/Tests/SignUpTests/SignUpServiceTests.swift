import ConnectivityTesting
import Foundation
import NameService
import RequestsOnPath
import Testing

@testable import signup

@Suite("The service")
struct SignUpServiceTests {
  private let clock = ManualClock()

  private func service(_ server: FaultServer, _ path: NetworkPath = .online()) -> SignUpService<ManualClock> {
    SignUpService(url: server.url(""), clock: clock, monitor: PathMonitor(source: .scripted(PathScript(path))))
  }

  /// An attempt under way, and its events.
  private struct Attempt {
    let result: Task<Result<Availability, ValueFailure>, Never>
    var events: AsyncStream<RetryEvent>.Iterator

    init(_ name: String, at service: SignUpService<ManualClock>) {
      let (events, inlet) = AsyncStream.makeStream(of: RetryEvent.self)
      self.events = events.makeAsyncIterator()
      result = Task {
        do throws(ValueFailure) {
          return .success(try await service.signUp(as: name) { inlet.yield($0) })
        } catch {
          return .failure(error)
        }
      }
    }

    /// The next pause; `nil` when the attempt ends without one.
    mutating func nextPause() async -> Duration? {
      while let event = await events.next() {
        if case .pausing(let pause) = event { return pause }
        if case .ended = event { return nil }
      }
      return nil
    }
  }

  /// Lets the minimum time of an attempt pass whose requests are over.
  private func passMinimumTime() async {
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(500))
  }

  private func failure(of attempt: Attempt) async -> ValueFailure? {
    guard case .failure(let failure) = await attempt.result.value else { return nil }
    return failure
  }

  @Test(
    arguments: [
      ("adm", .notAccepted, "The user name is too short."),
      ("servererror", .serverError, "The server has lost its mind."),
      ("maintenance", .serverError, "The server is under maintenance."), ("illegalresponse", .undecodable, nil),
      ("brokenresponse", .undecodable, nil),
    ] as [(String, AnswerFailure.Reason, String?)])
  func `an answer that says no keeps its reason`(
    name: String, reason: AnswerFailure.Reason, message: String?
  ) async throws {
    let server = try FaultServer { .signUp($0) }
    do throws(ValueFailure) {
      _ = try await service(server).availability(of: name)
      Issue.record("it did not fail")
    } catch {
      guard case .answer(let failure) = error else {
        Issue.record("not an answer: \(error)")
        return
      }
      #expect(failure.reason == reason)
      #expect(failure.message == message)
    }
    #expect(server.requestCount() == 1)
  }

  @Test func `a name is sent as one value, whatever its characters`() async throws {
    let server = try FaultServer { .signUp($0) }
    let name = "a&userName=b+ c%41/ä"
    #expect(try await service(server).availability(of: name) == Availability(isAvailable: true, userName: name))
  }

  @Test func `a service under maintenance is asked three times, after the pauses that it names`() async throws {
    let server = try FaultServer { .signUp($0) }
    var attempt = Attempt("maintenance", at: service(server))
    for count in 1...2 {
      let pause = try #require(await attempt.nextPause())
      #expect(pause >= .seconds(17))
      await clock.waitForSleepers(1)
      clock.advance(by: pause - .nanoseconds(1))
      #expect(server.requestCount() == count)
      clock.advance(by: .nanoseconds(1))
    }
    #expect(await attempt.nextPause() == nil)
    #expect(try await attempt.result.value.get().isAvailable)
    #expect(server.requestCount(to: "/users") == 3)
  }

  @Test func `a service that stays under maintenance is asked three times, and its last answer is the result`()
    async throws
  {
    let server = try FaultServer { .signUp($0, retryAfter: 1) }
    var attempt = Attempt("maintenance!", at: service(server))
    while let pause = await attempt.nextPause() {
      await clock.waitForSleepers(1)
      clock.advance(by: pause)
    }
    guard case .answer(let failure)? = await failure(of: attempt) else {
      Issue.record("no answer")
      return
    }
    #expect(failure.message == "The server is under maintenance.")
    #expect(failure.retryAfter == .seconds(1))
    #expect(server.requestCount() == 3)
  }

  @Test(arguments: ["servererror", "admin", "illegalresponse", "page"])
  func `a failure that stays the same is not tried again`(name: String) async throws {
    let server = try FaultServer { .signUp($0) }
    var attempt = Attempt(name, at: service(server))
    #expect(await attempt.nextPause() == nil)
    await passMinimumTime()
    #expect(await failure(of: attempt) != nil)
    #expect(server.requestCount() == 1)
  }

  @Test func `an attempt that fails at once still takes half a second`() async throws {
    let server = try FaultServer { .signUp($0) }
    var attempt = Attempt("admin", at: service(server))
    #expect(await attempt.nextPause() == nil)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(499))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await failure(of: attempt) != nil)
  }

  @Test func `a user who gives up waits for no pause`() async throws {
    let server = try FaultServer { .signUp($0) }
    var attempt = Attempt("maintenance!", at: service(server))
    #expect(await attempt.nextPause() != nil)
    await clock.waitForSleepers(1)
    attempt.result.cancel()
    guard case .request(let failure)? = await failure(of: attempt) else {
      Issue.record("not cancelled")
      return
    }
    #expect(failure.reason == .cancelled)
    #expect(server.requestCount() == 1)
  }

  @Test func `a page in place of the answer is a page to sign in`() async throws {
    let portal = try FaultServer { _ in .portalPage }
    do throws(ValueFailure) {
      _ = try await service(portal).availability(of: "zebra")
      Issue.record("it did not fail")
    } catch {
      #expect(error.category == .signInPage)
    }
  }

  @Test func `a server that resets, and one that is gone, are failures that may pass`() async throws {
    let server = try FaultServer { _ in FaultAnswer().with(.reset(afterBodyBytes: nil)) }
    let service = service(server)
    for isGone in [false, true] {
      if isGone { server.close() }
      do throws(ValueFailure) {
        _ = try await service.availability(of: "zebra")
        Issue.record("it did not fail")
      } catch {
        #expect(error.category == .retryable)
      }
    }
  }
}
