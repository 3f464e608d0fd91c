import Glibc
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathControl

@Suite("The programs of a directory")
struct HookDispatchTests {
  /// The path of an update: connected for even numbers.
  static func path(_ sequence: Int, _ changed: String...) -> NetworkPath {
    var path = NetworkPath(status: sequence.isMultiple(of: 2) ? .satisfied : .unsatisfied, knowledge: .known)
    path.sequence = sequence
    path.changed = changed
    return path
  }

  static let start = MonotonicInstant(0)
  private static let deadline = MonotonicInstant(0).advanced(by: .seconds(90))

  private static func begin(_ programs: [String]) -> HookDispatch {
    var dispatch = HookDispatch(limit: .seconds(90))
    #expect(dispatch.handle(path(0), at: start) == [.list])
    let run = HookDispatch.Run(path: path(0), former: nil)
    #expect(dispatch.run(programs: programs, at: start) == [.wake(at: deadline), .start(programs[0], run)])
    return dispatch
  }

  @Test func `all programs run in turn for a path, and the directory is read for the next one`() {
    var dispatch = Self.begin(["10-a", "20-b"])
    let first = HookDispatch.Run(path: Self.path(0), former: nil)
    #expect(
      dispatch.programEnded(at: Self.start) == [.wake(at: nil), .wake(at: Self.deadline), .start("20-b", first)])
    #expect(dispatch.programEnded(at: Self.start) == [.wake(at: nil)])
    #expect(dispatch.handle(Self.path(1), at: Self.start) == [.list])
    let second = HookDispatch.Run(path: Self.path(1), former: Self.path(0))
    #expect(dispatch.run(programs: ["30-c"], at: Self.start) == [.wake(at: Self.deadline), .start("30-c", second)])
  }

  @Test func `a path that comes during a run waits for its end, and only the newest with all changed fields`() {
    var dispatch = Self.begin(["a"])
    #expect(dispatch.handle(Self.path(1, "status"), at: Self.start).isEmpty)
    #expect(dispatch.handle(Self.path(2, "cost", "status"), at: Self.start).isEmpty)
    #expect(dispatch.programEnded(at: Self.start) == [.wake(at: nil), .list])
    guard case .start(_, let run)? = dispatch.run(programs: ["a"], at: Self.start).last else {
      Issue.record("nothing was started")
      return
    }
    #expect(run.path.sequence == 2 && run.path.changed == ["status", "cost"])
    #expect(run.former?.sequence == 0)
  }

  @Test func `a path without programs is the former one of the next`() {
    var dispatch = HookDispatch(limit: .seconds(90))
    _ = dispatch.handle(Self.path(0), at: Self.start)
    #expect(dispatch.run(programs: [], at: Self.start).isEmpty)
    _ = dispatch.handle(Self.path(1), at: Self.start)
    let run = HookDispatch.Run(path: Self.path(1), former: Self.path(0))
    #expect(dispatch.run(programs: ["a"], at: Self.start).last == .start("a", run))
  }

  @Test func `a program that takes too long is asked to end, and the next one is run when nothing is left of it`() {
    var dispatch = Self.begin(["a", "b"])
    #expect(dispatch.timerFired() == [.reportTimeout("a"), .askToEnd(SIGTERM, isFinal: false)])
    #expect(
      dispatch.programEnded(at: Self.start).last == .start("b", .init(path: Self.path(0), former: nil)))
  }

  @Test func `a signal ends the running program first, and no other is started`() {
    var dispatch = Self.begin(["a", "b"])
    _ = dispatch.handle(Self.path(1), at: Self.start)
    #expect(dispatch.end(143, asking: SIGTERM) == [.wake(at: nil), .askToEnd(SIGTERM, isFinal: true)])
    #expect(dispatch.handle(Self.path(2), at: Self.start).isEmpty)
    #expect(dispatch.end(130, asking: SIGINT) == [.wake(at: nil), .askToEnd(SIGINT, isFinal: true)])
    #expect(dispatch.programEnded(at: Self.start) == [.wake(at: nil), .end(status: 143)])
    var idle = HookDispatch(limit: .seconds(90))
    #expect(idle.end(143, asking: SIGTERM) == [.end(status: 143)])
    #expect(idle.handle(Self.path(0), at: Self.start).isEmpty)
  }

  @Test func `an end without a signal waits for the running program, and its status is the first one`() {
    var dispatch = HookDispatch(limit: nil)
    _ = dispatch.handle(Self.path(0), at: Self.start)
    let run = HookDispatch.Run(path: Self.path(0), former: nil)
    #expect(dispatch.run(programs: ["sh"], at: Self.start) == [.start("sh", run)], "no time limit")
    #expect(dispatch.end(0, asking: nil).isEmpty)
    #expect(dispatch.end(143, asking: SIGTERM) == [.askToEnd(SIGTERM, isFinal: true)])
    #expect(dispatch.programEnded(at: Self.start) == [.end(status: 0)])
  }

  // MARK: A restart of the service

  /// A path, and whether the programs are run for it.
  private static func runs(_ paths: [NetworkPath], skipsKnowledge: Bool) -> [Bool] {
    var dispatch = HookDispatch(limit: nil, skipsKnowledge: skipsKnowledge)
    return paths.map { path in
      let isRun = dispatch.handle(path, at: start) == [.list]
      if isRun {
        _ = dispatch.run(programs: ["a"], at: start)
        _ = dispatch.programEnded(at: start)
      }
      return isRun
    }
  }

  @Test func `a path that differs by its knowledge alone is no update for hooks`() {
    var stale = Self.path(0, "knowledge")
    stale.knowledge = .stale
    let paths = [Self.path(0), stale, Self.path(0, "knowledge"), stale, Self.path(1, "status", "knowledge")]
    #expect(Self.runs(paths, skipsKnowledge: true) == [true, false, false, false, true])
    #expect(Self.runs(paths, skipsKnowledge: false) == [true, true, true, true, true])
  }

  @Test func `the knowledge is no change since the run before if it is as it was then`() {
    var dispatch = HookDispatch(limit: nil, skipsKnowledge: true)
    _ = dispatch.handle(Self.path(0), at: Self.start)
    _ = dispatch.run(programs: [], at: Self.start)
    _ = dispatch.handle(Self.path(1, "status", "knowledge"), at: Self.start)
    let run = HookDispatch.Run(path: Self.path(1, "status"), former: Self.path(0))
    #expect(dispatch.run(programs: ["a"], at: Self.start).last == .start("a", run))
  }

  // MARK: A network that comes back in pieces

  private static func at(_ seconds: Double) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

  /// A dispatch whose programs have run for paths, a second each.
  private static func dispatch(_ ways: [String]) throws -> HookDispatch {
    var dispatch = HookDispatch(limit: nil)
    for (second, way) in ways.enumerated() {
      #expect(dispatch.handle(try .way(way), at: at(Double(second))).last == .list)
      _ = dispatch.run(programs: ["a"], at: at(Double(second)))
      _ = dispatch.programEnded(at: at(Double(second)))
    }
    return dispatch
  }

  private static let (both, alone) = ("eth0 192.0.2.2/24 2001:db8::2/64", "eth0 2001:db8::2/64")

  private static func moved(_ actions: [HookDispatch.Action], _ dispatch: inout HookDispatch) -> PathChanges? {
    guard actions.last == .list, case .start(_, let run)? = dispatch.run(programs: ["a"], at: start).last else {
      return nil
    }
    return run.moved
  }

  @Test func `a run has the changes since the last run with a path, whatever came between`() throws {
    let (wired, wireless) = ("eth0 192.0.2.2/24 via 192.0.2.1", "wlan0 198.51.100.2/24 via 198.51.100.1")
    var dispatch = HookDispatch(limit: nil)
    let moved = try [wired, "offline", wired, "offline", wireless, wireless, "offline"].map { way in
      let moved = Self.moved(dispatch.handle(try .way(way), at: Self.start), &dispatch)
      #expect(dispatch.programEnded(at: Self.start).isEmpty)
      return moved
    }
    #expect(moved == [[], [], [], [], [.source, .interface, .gateway, .addresses], [], []])
    _ = dispatch.handle(try .way("offline"), at: Self.start)
    _ = dispatch.run(programs: ["a"], at: Self.start)
    for way in [wired, wireless] { _ = dispatch.handle(try .way(way), at: Self.start) }
    #expect(Self.moved(dispatch.programEnded(at: Self.start), &dispatch) == [], "the path in between was in no run")
  }

  @Test func `a family that returns later has moved nothing`() throws {
    var dispatch = try Self.dispatch([Self.both, "offline"])
    #expect(dispatch.handle(try .way(Self.alone), at: Self.at(2)) == [.lookAgain(at: Self.at(12)), .list])
    _ = dispatch.run(programs: [], at: Self.at(2))
    let actions = dispatch.handle(try .way(Self.both), at: Self.at(6))
    #expect(actions == [.lookAgain(at: nil), .list] && Self.moved(actions, &dispatch) == [])
  }

  @Test func `a family that does not return is an update of its own, once`() throws {
    var dispatch = try Self.dispatch([Self.both, "offline", Self.alone])
    #expect(dispatch.lookAgain(at: Self.at(11.9)).isEmpty)
    let actions = dispatch.lookAgain(at: Self.at(12))
    #expect(Self.moved(actions, &dispatch) == [.source, .addresses])
    #expect(dispatch.programEnded(at: Self.at(12)).isEmpty && dispatch.lookAgain(at: Self.at(13)).isEmpty)
  }

  @Test func `a family that goes for good during a run is an update after it`() throws {
    var dispatch = try Self.dispatch([Self.both, "offline"])
    _ = dispatch.handle(try .way(Self.alone), at: Self.at(2))
    _ = dispatch.run(programs: ["a"], at: Self.at(2))
    #expect(dispatch.lookAgain(at: Self.at(12)).isEmpty, "a program runs")
    let actions = dispatch.programEnded(at: Self.at(20))
    #expect(Self.moved(actions, &dispatch) == [.source, .addresses])
  }

  @Test func `while the path is not known nothing is looked for`() throws {
    var dispatch = HookDispatch(limit: nil, skipsKnowledge: true)
    for way in [Self.both, Self.alone] {
      _ = dispatch.handle(try .way(way), at: Self.start)
      _ = dispatch.run(programs: [], at: Self.start)
    }
    var path = try NetworkPath.way(Self.alone)
    (path.knowledge, path.changed) = (.stale, ["knowledge"])
    #expect(dispatch.handle(path, at: Self.at(5)).isEmpty && dispatch.lookAgain(at: Self.at(10)).isEmpty)
    path.knowledge = .known
    let actions = dispatch.handle(path, at: Self.at(15))
    #expect(Self.moved(actions, &dispatch) == [.source, .addresses])
  }

  // MARK: The directory

  /// A directory with programs, each of which has the mode behind its name.
  private static func directory(_ programs: KeyValuePairs<String, UInt32>) throws -> ScratchDirectory {
    let directory = try ScratchDirectory()
    try directory.setMode(".", 0o755)
    for (name, mode) in programs { try directory.write(name, "#!/bin/sh\n", mode: mode) }
    return directory
  }

  @Test func `executable regular files are run in the order of their names, and nothing else`() throws {
    let directory = try Self.directory([
      "20-b": 0o755, "10-a": 0o755, "30-c~": 0o755, ".hidden": 0o755, "40-d.dpkg-old": 0o755, "50-e.bak": 0o755,
      "Z-first": 0o755, "60-off": 0o644,
    ])
    let listing = HookDirectory(directory.path).list()
    #expect(listing.programs == ["10-a", "20-b", "Z-first"].map { directory($0) } && listing.problems.isEmpty)
    #expect(HookDirectory(directory("nothing")).list() == HookDirectory.Listing())
  }

  @Test func `a file that another user could have written, or of a strange name, is reported`() async throws {
    let directory = try Self.directory(["10-group": 0o775, "20-all": 0o757, "30-setuid": 0o4755, "60-good": 0o755])
    try directory.link("40-link", to: "/bin/true")
    try directory.makeDirectory("50-folder")
    try await RunningProgram.succeed(["bash", "-c", #"cp "$1/60-good" "$1"/$'70-b\xffd'"#, "bash", directory.path])
    let listing = HookDirectory(directory.path).list()
    #expect(listing.programs == [directory("60-good")])
    #expect(
      listing.problems == [
        "the hook \(directory("10-group")) is not run: it may be changed by others than its owner; 'chmod go-w' it",
        "the hook \(directory("20-all")) is not run: it may be changed by others than its owner; 'chmod go-w' it",
        "the hook \(directory("30-setuid")) is not run: it is setuid or setgid; 'chmod ug-s' it",
        "the hook \(directory("40-link")) is not run: it is no regular file; links are not followed",
        "the hook \(directory("50-folder")) is not run: it is no regular file; links are not followed",
        "the hook \(directory("70-b\u{FFFD}d")) is not run: its name is not UTF-8; rename it",
      ])
    let rights = FileRights(kind: .regular, owner: ProcessIdentity.user + 1_000, mode: 0o755)
    #expect(HookDirectory.problem(with: rights)?.contains("belongs to the user") == true)
    #expect(HookDirectory.problem(with: .init(kind: .regular, owner: 0, mode: 0o755)) == nil)
  }

  @Test func `each of many programs is run`() throws {
    let directory = try Self.directory([:])
    for number in 10_000..<14_200 { try directory.write("\(number)", "", mode: 0o644) }
    for name in ["14199", "10000"] { try directory.setMode(name, 0o755) }
    #expect(HookDirectory(directory.path).list().programs == ["10000", "14199"].map { directory($0) })
  }

  // MARK: The way to the directory

  /// A trusted directory with a program, at `a/b/hooks`.
  private static func deepDirectory() throws -> ScratchDirectory {
    let directory = try directory([:])
    try directory.makeDirectory("a/b/hooks")
    for name in ["a", "a/b", "a/b/hooks"] { try directory.setMode(name, 0o755) }
    try directory.write("a/b/hooks/10", "#!/bin/sh\n", mode: 0o755)
    return directory
  }

  @Test func `no program runs below a directory that others may change, unless they cannot exchange its files`()
    throws
  {
    let directory = try Self.deepDirectory()
    let hooks = HookDirectory(directory("a/b/hooks"))
    #expect(hooks.list().programs == [directory("a/b/hooks/10")])
    for place in ["a", "a/b/hooks"] {
      try directory.setMode(place, 0o777)
      let reason = "\(directory(place)) may be changed by others than its owner; 'chmod go-w' it"
      #expect(hooks.list().problems == ["no hook is run: \(reason)"] && hooks.list().programs.isEmpty)
      try directory.setMode(place, 0o1777)
      #expect(hooks.list().problems.isEmpty == (place == "a"), "the sticky bit helps, but everybody may add programs")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `root runs no program below a directory of a user, nor over a link of a user`() throws {
    let directory = try Self.deepDirectory()
    #expect(unsafe chown(directory("a"), 1_000, 1_000) == 0)
    let reason =
      "belongs to the user 1000, who could exchange the programs; 'chown root' it, or choose another directory"
    #expect(HookDirectory(directory("a/b/hooks")).list().problems == ["no hook is run: \(directory("a")) \(reason)"])
    #expect(unsafe chown(directory("a"), 0, 0) == 0)
    try directory.link("link", to: "a/../a/b")
    #expect(HookDirectory(directory("link/hooks")).list().programs == [directory("link/hooks/10")])
    #expect(unsafe lchown(directory("link"), 1_000, 1_000) == 0)
    let listing = HookDirectory(directory("link/hooks")).list()
    #expect(listing.problems == ["no hook is run: \(directory("link")) \(reason)"] && listing.programs.isEmpty)
  }

  @Test func `a link that leads to itself, and a directory that is a file, are reported`() throws {
    let directory = try Self.directory(["file": 0o755])
    try directory.link("loop", to: "loop")
    #expect(HookDirectory(directory("loop")).list().problems.count == 1)
    #expect(
      HookDirectory(directory("file")).list().problems == ["no hook is run: \(directory("file")) is no directory"])
  }
}
