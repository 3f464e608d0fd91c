import Foundation
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Watching signals, the clock and files")
struct WatchTests {
  @Test func `signals are delivered in order of their numbers instead of ending the program`() throws {
    let taken = try Background {
      let watch = try SignalWatch([SIGUSR1, SIGUSR2, SIGHUP])
      let none = watch.readSignals()
      pthread_kill(pthread_self(), SIGUSR1)
      let first = isReadable(watch.number, within: .seconds(20)) ? watch.readSignals() : [0]
      pthread_kill(pthread_self(), SIGHUP)
      pthread_kill(pthread_self(), SIGUSR2)
      pthread_kill(pthread_self(), SIGUSR2)
      return [none, first, watch.readSignals(), watch.readSignals()]
    }.wait()
    #expect(taken == [[], [SIGUSR1], [SIGHUP, SIGUSR2], []])
  }

  @Test func `a clock that is not set is quiet`() throws {
    let watch = try ClockChangeWatch()
    #expect(!isReadable(watch.number, within: .milliseconds(50)))
    try watch.acknowledge()
    #expect(!isReadable(watch.number, within: .milliseconds(50)))
  }

  @Test func `the clock watch stays quiet for a century`() throws {
    let watch = try ClockChangeWatch()
    let information = String(decoding: try Files.read("/proc/self/fdinfo/\(watch.number)"), as: UTF8.self)
    let line = try #require(information.split(separator: "\n").first { $0.hasPrefix("it_value:") })
    let seconds = try #require(Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }))
    #expect(seconds > 100 * 31_557_600, "then it is always readable, and the loop never sleeps")
  }
}

@Suite("Watching files")
struct FileChangeWatchTests {
  private let directory: ScratchDirectory
  private let watch: FileChangeWatch

  init() throws {
    (directory, watch) = (try ScratchDirectory(), try FileChangeWatch())
  }

  @Test func `changes of a file and of a directory are noticed, and noted once`() async throws {
    #expect(watch.watch(WatchedPlaces([directory("a"), directory.path])) == [directory("a")], "it is missing")
    try await directory.touch("a")
    #expect(watch.watch(WatchedPlaces([directory("a"), directory.path])).isEmpty)
    _ = watch.drain()
    try await directory.touch("a")
    #expect(isReadable(watch.number, within: .seconds(20)))
    #expect(watch.drain())
    #expect(!watch.drain())
    try await directory.touch("b")
    #expect(isReadable(watch.number, within: .seconds(20)))
  }

  @Test func `a place that exists and cannot be watched is a failure until it is watched, and a missing one is none`()
    throws
  {
    try directory.write("a", "1")
    _ = watch.watch(WatchedPlaces([directory("a"), directory("b"), directory("a/b")]))
    #expect(watch.failure == nil)
    try directory.withoutReading { watch.follow { WatchedPlaces([directory("a"), directory.path]) } }
    #expect(watch.failure?.description == "cannot watch \(directory.path): Permission denied")
    watch.follow { WatchedPlaces([directory("a"), directory.path]) }
    #expect(watch.failure == nil)
  }

  @Test func `a file that is not watched any more has no events`() throws {
    try directory.write("a", "1")
    // No file that this process has written: a program that starts meanwhile holds it open for a moment, and its end
    // there would be one more event.
    let other = try ScratchDirectory()
    _ = watch.watch(WatchedPlaces([directory("a"), other.path]))
    _ = watch.watch(WatchedPlaces([other.path]))
    _ = watch.drain()
    try directory.write("a", "2")
    #expect(!isReadable(watch.number, within: .milliseconds(50)))
    try other.write("b", "2")
    #expect(isReadable(watch.number, within: .seconds(20)))
  }

  @Test func `the watches of two names of one file can end one after the other`() throws {
    try directory.write("a", "1")
    try directory.link("b", to: "a")
    _ = watch.watch(WatchedPlaces([directory("a"), directory("b")]))
    _ = watch.watch(WatchedPlaces([directory("b")]))
    _ = watch.drain()
    try directory.write("a", "2")
    #expect(isReadable(watch.number, within: .seconds(20)))
  }

  @Test func `a path that leads to another file is followed, and the old file is not watched any more`() async throws {
    try await directory.touch("a")
    _ = watch.watch(WatchedPlaces([directory("a")]))
    try directory.move("a", to: "old")
    try await directory.touch("a")
    #expect(watch.watch(WatchedPlaces([directory("a")])).isEmpty)
    _ = watch.drain()
    try await directory.touch("a")
    #expect(isReadable(watch.number, within: .seconds(20)))
    _ = watch.drain()
    try await directory.touch("old")
    #expect(!isReadable(watch.number, within: .milliseconds(50)))
  }

  @Test func `a watch of a directory reports only the relevant changes`() throws {
    try directory.write("a", "1")
    let (names, additions) = (try FileChangeWatch(), try FileChangeWatch())
    var places = WatchedPlaces()
    places.names = [directory.path]
    #expect(names.watch(places).isEmpty)
    places = WatchedPlaces()
    places.insert(comingOf: directory("b/c"))
    #expect(places.additions == [directory.path])
    #expect(additions.watch(places).isEmpty)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory("a")))
    try file.write(contentsOf: Array("22".utf8))
    try file.close()
    #expect(!names.drain())
    #expect(!additions.drain())
    try FileManager.default.removeItem(atPath: directory("a"))
    #expect(names.drain())
    #expect(!additions.drain())
    try directory.makeDirectory("b")
    #expect(names.drain())
    #expect(additions.drain())
  }

  @Test func `a directory that appears while the watch is set is watched, too`() throws {
    var looks = 0
    watch.follow {
      looks += 1
      // Another process could do this between the first look and the watch.
      if looks == 2 { try? directory.makeDirectory("b") }
      var places = WatchedPlaces()
      places.insert(comingOf: directory("b/c"))
      return places
    }
    #expect(looks == 3)
    _ = watch.drain()
    try directory.write("b/c", "1")
    #expect(isReadable(watch.number, within: .seconds(20)))
  }

  @Test func `directories that come and go all the time do not delay us for ever`() throws {
    var looks = 0
    watch.follow {
      looks += 1
      return WatchedPlaces([looks % 2 == 0 ? directory.path : directory("a")])
    }
    #expect(looks < 20)
  }
}
