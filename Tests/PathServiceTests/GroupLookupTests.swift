import Foundation
import KernelTestSupport
import PathEngine
import Synchronization
import SystemIO
import SystemTestSupport
import Testing
import Varlink

@testable import PathService

@Suite("Looking up the group")
struct GroupLookupTests {
  @Test func `during a slow lookup the loop goes on, and one answer serves all callers`() throws {
    let loop = try EventLoop()
    let gate = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let lookup = GroupLookup(loop: loop, name: "wheel") { name in
      gate.wait()
      count.add(1, ordering: .relaxed)
      return name == "wheel" ? 7 : nil
    }
    defer { lookup.stop() }
    var answers: [UInt32?] = []
    for _ in 0..<100 { lookup.withNumber { answers.append($0) } }
    var rounds = 0
    let timer = loop.makeTimer { rounds += 1 }
    timer.set(.now)
    try loop.runOnce(until: .now.advanced(by: .seconds(60)))
    #expect(rounds == 1)
    #expect(answers.isEmpty)
    gate.signal()
    while answers.isEmpty { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
    #expect(answers == Array(repeating: 7, count: 100))
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func `a caller that is cancelled is released, and the next one shares the lookup that still runs`() throws {
    final class Client {}
    let loop = try EventLoop()
    let gate = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let lookup = GroupLookup(loop: loop, name: "wheel") { _ in
      gate.wait()
      count.add(1, ordering: .relaxed)
      return 7
    }
    defer { lookup.stop() }
    var answers: [String] = []
    weak var left: Client?
    do {
      let client = Client()
      left = client
      let caller = try #require(lookup.withNumber { _ in withExtendedLifetime(client) { answers.append("left") } })
      lookup.cancel(caller)
    }
    #expect(left == nil)
    lookup.withNumber { _ in answers.append("next") }
    for _ in 0..<2 { gate.signal() }
    while answers.isEmpty { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
    #expect(answers == ["next"])
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `a client that leaves during a lookup is released`() async throws {
    // The user is that of the process, and other tests need root.
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let loop = try EventLoop()
      let engine = try PathEngine(loop: loop)
      let gate = DispatchSemaphore(value: 0)
      let keeper = OverrideKeeper(loop: loop, engine: engine, path: nil, group: "wheel") { _ in
        gate.wait()
        return nil
      }
      weak var client: VarlinkConnection?
      var calls = 0
      let service = VarlinkServer.Service(
        directory: ServiceDirectory(vendor: "", product: "", version: "", url: "", descriptions: [("a.b", "")]),
        limitReached: { .limitReached($0, $1) },
        serve: { _, connection in
          (client, calls) = (connection, calls + 1)
          keeper.perform(.clearOverride(field: nil, interface: nil), for: connection)
        })
      let server = VarlinkServer(loop: loop, service: service)
      let listener = try UnixSocket.listen(at: directory("socket"), mode: 0o666)
      try server.listen(on: listener.number)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
      try #require(seteuid(65_534) == 0)
      do {
        let leaving = try VarlinkClient(connectingTo: directory("socket"))
        try leaving.send(VarlinkCall("a.b.C"))
        while calls == 0 { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
        try #require(client != nil)
      }
      try #require(seteuid(0) == 0)
      while server.connectionCount > 0 { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
      try #require(client == nil)
    }
  }

  @Test func `a group that does not exist is an answer too`() throws {
    let loop = try EventLoop()
    let lookup = GroupLookup(loop: loop, name: "pmtest-no-such-group")
    defer { lookup.stop() }
    var answer: UInt32?? = nil
    lookup.withNumber { answer = .some($0) }
    while answer == nil { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
    #expect(answer == .some(nil))
  }
}
