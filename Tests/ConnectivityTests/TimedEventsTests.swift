import ConnectivityTesting
import Testing

@testable import ConnectivityCore

@Suite("Events that wait for a task that waits for a path")
struct TimedEventsTests {
  private let wifi = NetworkPath.online(over: .wifi)

  /// All events that wait.
  private func rest(of events: TimedEvents) -> [TimedEvents.Event] {
    var events = events
    var all: [TimedEvents.Event] = []
    while let event = events.next() { all.append(event) }
    return all
  }

  @Test func `of several paths the newest is read, in the place of the first`() {
    var events = TimedEvents()
    let setting = events.set()
    events.store(.offline)
    events.come(setting)
    events.store(wifi)
    #expect(rest(of: events) == [.path(wifi), .time])
  }

  @Test func `no number of paths keeps the moment from its turn`() {
    var events = TimedEvents()
    let setting = events.set()
    events.store(.offline)
    events.come(setting)
    #expect(events.next() == .path(.offline))
    events.store(wifi)
    events.store(.online())
    #expect(events.next() == .time)
    #expect(rest(of: events) == [.path(.online())])
  }

  @Test func `a deadline that came before any path comes first, and once`() {
    var events = TimedEvents()
    events.come(events.set())
    events.store(wifi)
    #expect(rest(of: events) == [.time, .path(wifi)])
  }

  @Test func `the deadline of a timer that was set anew is void, whether it has come or not`() {
    var events = TimedEvents()
    let first = events.set()
    events.come(first)
    let second = events.set()
    #expect(events.next() == nil)
    events.come(first)
    #expect(events.next() == nil)
    events.store(wifi)
    events.come(second)
    #expect(rest(of: events) == [.path(wifi), .time])
  }

  @Test func `the path that was read last is not read again`() {
    var events = TimedEvents()
    events.store(wifi)
    #expect(events.next() == .path(wifi))
    events.store(.offline)
    events.store(wifi)
    #expect(events.next() == nil)
  }
}
