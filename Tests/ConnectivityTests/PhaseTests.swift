import Connectivity
import ConnectivityTesting
import Observation
import Testing

@testable import ConnectivityCore

@Suite("Phases")
struct PhaseTests {
  private typealias Display = PhaseDisplay<ManualClock.Instant>

  private func moment(_ seconds: Double) -> ManualClock.Instant {
    ManualClock.Instant(offset: .milliseconds(Int(seconds * 1_000)))
  }

  @Test func `each path has its phase`() {
    #expect(ConnectivityPhase(.unknown) == .checking)
    #expect(ConnectivityPhase(.online()) == .online)
    #expect(ConnectivityPhase(.offline(because: .noCarrier)) == .offline(.noCarrier))
    var path = NetworkPath.online()
    path.supportsDNS = false
    #expect(ConnectivityPhase(path) == .degraded(.noNameServer))
    path.knowledge = .stale
    #expect(ConnectivityPhase(path) == .degraded(.notKnown))
    var offline = NetworkPath.offline
    offline.knowledge = .stale
    #expect(ConnectivityPhase(offline) == .offline(.noRoute))
  }

  @Test func `each phase reads as words`() {
    #expect("\(ConnectivityPhase.checking)" == "checking")
    #expect("\(ConnectivityPhase.online)" == "online")
    #expect("\(ConnectivityPhase.offline(.noAddress))" == "offline: no address that reaches beyond the link")
    #expect("\(ConnectivityPhase.degraded(.noNameServer))" == "degraded: no name server is configured")
    #expect("\(ConnectivityPhase.degraded(.notKnown))" == "degraded: whether there still is a path is not known")
  }

  @Test func `checking gives way at once, another phase stays for its time, and then the newest takes its place`() {
    var display = Display(.standard, at: moment(0))
    #expect(display.observe(.online, at: moment(0)) == .show(.online))
    #expect(display.observe(.offline(.noRoute), at: moment(0.2)) == .wake(at: moment(1)))
    #expect(display.observe(.degraded(.noNameServer), at: moment(0.5)) == .wake(at: moment(1)))
    #expect(display.timerFired(at: moment(0.9)) == .wake(at: moment(1)))
    #expect(display.timerFired(at: moment(1)) == .show(.degraded(.noNameServer)))
    #expect(display.observe(.online, at: moment(1.1)) == .wake(at: moment(2)))
  }

  @Test func `a phase that is back before it has given way never went`() {
    var display = Display(.standard, at: moment(0))
    _ = display.observe(.online, at: moment(0))
    _ = display.observe(.offline(.noRoute), at: moment(0.1))
    #expect(display.observe(.online, at: moment(0.2)) == .none)
    #expect(display.timerFired(at: moment(1)) == .none)
    #expect(display.shown == .online)
  }

  @Test func `after its time a phase gives way at once`() {
    var display = Display(.standard, at: moment(0))
    _ = display.observe(.online, at: moment(0))
    #expect(display.observe(.offline(.noRoute), at: moment(5)) == .show(.offline(.noRoute)))
  }

  @Test func `another reason is shown at once, and does not prolong the phase`() {
    var display = Display(.standard, at: moment(0))
    _ = display.observe(.offline(.noCarrier), at: moment(0))
    #expect(display.observe(.offline(.noAddress), at: moment(0.5)) == .show(.offline(.noAddress)))
    #expect(display.observe(.online, at: moment(0.6)) == .wake(at: moment(1)))
  }

  @Test func `a sequence of phases obeys the clock`() async {
    let (script, monitor) = scripted()
    let clock = ManualClock()
    var phases = monitor.phases(clock: clock).makeAsyncIterator()
    #expect(await phases.next() == .checking)
    script.send(.online())
    #expect(await phases.next() == .online)
    script.send(.offline)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await phases.next() == .offline(.noRoute))
    monitor.cancel()
    #expect(await phases.next() == nil)
  }

  @Test func `a sequence begins with the known path, and with checking only if there is none`() async {
    let (script, monitor) = scripted(.offline)
    for _ in 0..<200 {
      var phases = monitor.phases(clock: ManualClock()).makeAsyncIterator()
      #expect(await phases.next() == .offline(.noRoute))
    }
    let clock = ManualClock()
    var times = PhaseTimes.standard
    times.checking = .seconds(1)
    var phases = monitor.phases(times: times, clock: clock).makeAsyncIterator()
    #expect(await phases.next() == .checking)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await phases.next() == .offline(.noRoute))
    // A stale path was true once, but is not known now.
    monitor.cancel()
    while script.subscriberCount > 0 { await Task.yield() }
    script.interrupt()
    phases = monitor.phases(clock: clock).makeAsyncIterator()
    #expect(await phases.next() == .checking)
  }

  @Test @MainActor func `the model changes on the main actor, and can be observed`() async {
    let script = PathScript(.offline)
    let model = ConnectivityModel(monitor: PathMonitor(source: .scripted(script)), times: .immediate)
    #expect(model.phase == .checking)
    @MainActor func becomes(_ condition: @escaping @MainActor () -> Bool) async {
      while !condition() {
        await withCheckedContinuation { continuation in
          withObservationTracking {
            _ = (model.path, model.phase)
          } onChange: {
            continuation.resume()
          }
        }
        await Task.yield()
      }
    }
    await becomes { model.phase == .offline(.noRoute) && !model.isConnected }
    script.send(.online())
    await becomes { model.phase == .online && model.isConnected }
    #expect(model.path == .online())
  }

  @Test @MainActor func `a model that is released stops following`() async {
    let script = PathScript(.offline)
    do { _ = ConnectivityModel(monitor: PathMonitor(source: .scripted(script))) }
    while script.subscriberCount > 0 { await Task.yield() }
  }
}
