import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

@Suite(
  "pathctl watch across restarts of the service",
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ReconnectionTests {
  @Test func `it connects again with one line, and ends on the true path`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      var daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let watch = try daemon.start("watch", "--json")
      try await watch.output.wait(lineWith: #""status":"satisfied""#)

      // A change during the interruption is delivered afterwards.
      try await daemon.program.killAndWait()
      let first = try await watch.complaints.wait(lineWith: "connecting again")
      // The socket may be closed a moment later than the connections to it.
      try await daemon.program.waitForExit()
      #expect(
        first == "pathctl: \(directory("socket")) has ended the connection: Connection reset by peer; connecting again")
      try await network.ip("route delete default")
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      try await watch.output.wait(lineWith: #""status":"unsatisfied""#)
      #expect(watch.complaints.lines.count == 1)

      // An unchanged path is not delivered twice; the next change is delivered.
      let count = watch.output.lines.count
      try await daemon.program.killAndWait()
      _ = try await watch.complaints.wait(lines: 2)
      try await daemon.program.waitForExit()
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      try await daemon.waitForSubscribers(1)
      try await network.ip("route add default via 192.0.2.1 metric 100")
      let lines = try await watch.output.wait(lines: count + 1)
      #expect(lines.count == count + 1)
      #expect(lines[count].contains(#""status":"satisfied""#))
      #expect(watch.complaints.lines.count == 2)
      #expect(PathLines.repetitions(in: watch.output.lines) == 0)
      try await daemon.stop()
    }
  }

  @Test func `while the service stays away the path is stale, and known again when it is back`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      var daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      let moment = ContinuousClock.now
      try await daemon.program.killAndWait()
      let lines = try await watch.output.wait(lines: 2)
      #expect(moment.duration(to: .now) > .milliseconds(1_900))
      #expect(lines[1].contains(#""knowledge":"stale""#))
      #expect(lines[1].contains(#""status":"satisfied""#), "our own failure is never offline")
      #expect(lines[1].contains(#""changed":["knowledge"]"#))
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await watch.output.wait(lines: 3)[2].contains(#""knowledge":"known""#))
      #expect(watch.complaints.lines.count == 1)
      try await daemon.stop()
    }
  }

  @Test func `a service that ends in the ordinary way is waited for too, and wait goes on`() async throws {
    try await TestNetwork.with { network in
      let directory = try ScratchDirectory()
      let daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let waiting = try daemon.start("wait", "connected")
      try await daemon.waitForSubscribers(1)
      try await daemon.stop()
      try await waiting.complaints.wait(lineWith: "connecting again")
      try await network.connect("uplink0")
      let successor = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await waiting.waitForExit() == 0)
      #expect(waiting.complaints.lines.count == 1)
      try await successor.stop()
    }
  }

  @Test func `a service that accepts and hangs up is not connected to without pause`() async throws {
    let directory = try ScratchDirectory()
    let path = #"{"status": "unsatisfied", "knowledge": "known", "interfaces": []}"#
    let service = try Python.service(
      at: directory("socket"), [#"{"continues": true, "parameters": {"path": \#(path)}}"#, #""close""#])
    _ = try await service.output.wait(lines: 1)
    let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", directory("socket")])
    _ = try await watch.output.wait(lines: 1)
    service.kill()
    try await service.waitForExit()
    try FileManager.default.removeItem(atPath: directory("socket"))
    let successor = try Python.service(at: directory("socket"), [#""close""#])
    // Until the path is stale, and for one more second.
    _ = try await watch.output.wait(lines: 2)
    await #expect(throws: NothingCame.self) { _ = try await watch.output.wait(lines: 3, within: .seconds(1)) }
    #expect(successor.output.lines.count < 10, "\(successor.output.lines.count) attempts in 3 s")
    #expect(watch.complaints.lines.count == 1)
    watch.send(SIGTERM)
    #expect(try await watch.waitForExit() == 143)
    successor.kill()
  }
}
