import ConnectivityTesting
import Testing

@testable import Resilience

@Suite("The release of waiters")
struct WaiterReleaseTests {
  private typealias Release = WaiterRelease<ManualClock.Instant>

  private func at(_ milliseconds: Int) -> ManualClock.Instant { .init(offset: .milliseconds(milliseconds)) }

  private func release(_ count: Int, spread: Duration = .zero, limit: Int = 100) -> Release {
    var release = Release(spread: spread, limit: limit, seed: 1)
    for waiter in 0..<count { release.add(waiter, deadline: nil, at: at(0)) }
    return release
  }

  @Test func `no waiter is released without a path, and no timer is needed`() {
    var release = release(3)
    #expect(release.nextMoment == nil)
    #expect(release.advance(to: at(1_000_000)) == Release.Step())
  }

  @Test func `without a spread all are released when the path comes`() {
    var release = release(3)
    release.pathChanged(isMet: true, at: at(5))
    #expect(release.nextMoment == at(5))
    #expect(release.advance(to: at(5)) == Release.Step(released: [0, 1, 2]))
    #expect(release.count == 0 && release.nextMoment == nil)
  }

  @Test func `at most as many as allowed are under way`() {
    var release = release(5, limit: 2)
    release.pathChanged(isMet: true, at: at(0))
    #expect(release.advance(to: at(0)).released == [0, 1])
    #expect(release.advance(to: at(9)).released == [])
    #expect(release.nextMoment == nil)
    release.operationEnded()
    #expect(release.advance(to: at(9)).released == [2])
    #expect(release.underWay == 2)
  }

  @Test func `the moments are spread over the time`() {
    var release = release(1_000, spread: .seconds(1), limit: 1_000)
    release.pathChanged(isMet: true, at: at(0))
    var counts: [Int] = []
    for tenth in 1...10 { counts.append(release.advance(to: at(tenth * 100)).released.count) }
    #expect(counts.reduce(0, +) == 1_000)
    #expect(counts.allSatisfy { (50...150).contains($0) })
  }

  @Test func `those that are not released when the path goes wait for the next one`() {
    var release = release(100, spread: .seconds(1))
    release.pathChanged(isMet: true, at: at(0))
    let first = release.advance(to: at(500)).released
    release.pathChanged(isMet: false, at: at(500))
    #expect(release.advance(to: at(5_000)).released == [])
    #expect(release.nextMoment == nil)
    release.pathChanged(isMet: true, at: at(6_000))
    #expect(release.advance(to: at(7_000)).released.count == 100 - first.count)
    #expect(!first.isEmpty && first.count < 100)
  }

  @Test func `a waiter that comes while there is a path is released, too`() {
    var release = release(0, spread: .milliseconds(10))
    release.pathChanged(isMet: true, at: at(0))
    release.add(7, deadline: nil, at: at(100))
    #expect(release.advance(to: at(110)) == Release.Step(released: [7]))
  }

  @Test func `a waiter expires at its deadline, and one that has left does neither`() {
    var release = release(0)
    release.add(1, deadline: at(10), at: at(0))
    release.add(2, deadline: at(5), at: at(0))
    release.add(3, deadline: at(7), at: at(0))
    #expect(release.nextMoment == at(5))
    release.remove(3)
    #expect(release.advance(to: at(5)) == Release.Step(expired: [2]))
    #expect(release.nextMoment == at(10))
    release.remove(1)
    #expect(release.nextMoment == nil)
    release.pathChanged(isMet: true, at: at(6))
    #expect(release.advance(to: at(100)) == Release.Step())
  }

  @Test func `the deadline comes before a release at the same moment`() {
    var release = release(0)
    release.add(1, deadline: at(5), at: at(0))
    release.pathChanged(isMet: true, at: at(5))
    #expect(release.advance(to: at(5)) == Release.Step(expired: [1]))
  }

  @Test func `a limit below one releases one`() {
    var release = release(2, limit: 0)
    release.pathChanged(isMet: true, at: at(0))
    #expect(release.advance(to: at(0)).released == [0])
  }
}
