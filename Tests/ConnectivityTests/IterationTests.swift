import Connectivity
import ConnectivityTesting
import SystemIO
import Testing

@Suite("Iterating over a monitor")
struct IterationTests {
  @Test func `each iteration begins with the path at its start and goes on by itself`() async {
    let (script, monitor) = scripted(.offline)
    var (one, two) = (monitor.makeAsyncIterator(), monitor.makeAsyncIterator())
    #expect(await one.next() == .offline)
    script.send(.online())
    #expect(await one.next() == .online())
    // The second iteration has not asked yet: it gets the newest path.
    #expect(await two.next() == .online())
    var three = monitor.makeAsyncIterator()
    let first = await three.next()
    #expect(first == .online())
    #expect(first?.changed == [])
    script.send(.offline)
    #expect(await one.next() == .offline)
    #expect(await two.next() == .offline)
    #expect(await three.next() == .offline)
  }

  @Test func `leaving an iteration ends its subscription`() async {
    let (script, monitor) = scripted(.offline)
    for await _ in monitor { break }
    #expect(script.subscriberCount == 0)
    #expect(monitor.currentPath.status == .unsatisfied && monitor.currentPath.knowledge == .stale)
  }

  @Test func `an iteration keeps its monitor alive`() async {
    let script = PathScript(.offline)
    var iterator = PathMonitor(source: .scripted(script)).makeAsyncIterator()
    #expect(await iterator.next() == .offline)
    script.send(.online())
    #expect(await iterator.next() == .online())
  }

  @Test func `cancel ends iterations, and a later one is new`() async {
    let (_, monitor) = scripted(.offline)
    var count = 0
    for await _ in monitor {
      count += 1
      monitor.cancel()
    }
    #expect(count == 1)
    #expect(await monitor.first { _ in true } == .offline)
  }

  @Test func `cancel ends an iteration at once, also one for which a path waits`() async {
    let (script, monitor) = scripted(.offline)
    var iterator = monitor.makeAsyncIterator()
    monitor.cancel()
    #expect(await iterator.next() == nil)
    #expect(script.subscriberCount == 0)
  }

  @Test func `an iteration gives nothing in a task that is cancelled, and nothing after it`() async {
    let (script, monitor) = scripted(.offline)
    let iterator = Guarded(monitor.makeAsyncIterator())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var iterator = iterator.copy
      return await iterator.next()
    }
    task.cancel()
    #expect(await task.value == nil)
    var copy = iterator.copy
    #expect(await copy.next() == nil)
    #expect(script.subscriberCount == 0)
  }

  @Test func `a path that goes and comes between two questions is no update`() async {
    let (script, monitor) = scripted(.offline)
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next() == .offline)
    script.send(.online())
    script.send(.offline)
    script.interrupt()
    async let next = iterator.next()
    script.send(.online(over: .wifi))
    #expect(await next == .online(over: .wifi))
  }

  @Test func `a cancelled task ends its iteration`() async {
    let (script, monitor) = scripted(.offline)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for await _ in monitor {
        count += 1
        beginning.yield()
      }
      return count
    }
    _ = await begun.first { true }
    task.cancel()
    #expect(await task.value == 1)
    #expect(script.subscriberCount == 0)
  }

  @Test func `the first path is never unknown`() async throws {
    let (script, monitor) = scripted(.unknown)
    async let first = monitor.firstPath
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next()?.knowledge == .unknown)
    script.send(.online(over: .wifi))
    #expect(try await first == .online(over: .wifi))
  }

  @Test func `waiting for the first path ends with the task, and with the monitor`() async {
    let (script, monitor) = scripted()
    let task = Task { try await monitor.firstPath }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let other = Task { try await monitor.firstPath }
    while script.subscriberCount == 0 { await Task.yield() }
    monitor.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
  }
}
