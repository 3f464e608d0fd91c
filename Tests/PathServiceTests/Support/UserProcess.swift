import Foundation
import Glibc
import KernelTestSupport
import PathModel
import ProcessTestSupport
import SystemIO
import Testing
import Varlink

/// A process that connects to the service as other users and makes a call as each. It reads the replies while the
/// loop of the stage runs.
final class UserProcess {
  /// A user and the user's call.
  struct Visit {
    var user: UInt32 = 65_534
    var group: UInt32 = 65_534
    var groups: [UInt32] = []
    var call: VarlinkCall
  }

  /// The kernel records the effective user of the process as the peer.
  private static let script = """
    import json, os, selectors, socket, sys
    selector = selectors.DefaultSelector()
    for number, visit in enumerate(json.loads(sys.argv[2])):
        os.setgroups(visit["groups"])
        os.setegid(visit["group"])
        os.seteuid(visit["user"])
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(sys.argv[1])
        os.seteuid(0)
        os.setegid(0)
        connection.sendall(visit["call"].encode() + b"\\0")
        selector.register(connection, selectors.EVENT_READ, (number, bytearray()))
    while selector.get_map():
        for key, _ in selector.select():
            number, buffer = key.data
            data = key.fileobj.recv(65536)
            if not data:
                selector.unregister(key.fileobj)
            buffer += data
            while b"\\0" in buffer:
                end = buffer.index(b"\\0")
                print(number, buffer[:end].decode(), flush=True)
                del buffer[:end + 1]
    """

  private let stage: ServiceStage
  private let spawned: Spawned
  private var buffer: [UInt8] = []
  /// The replies to each visitor, in order.
  private(set) var replies: [[VarlinkReply]]

  init(_ visits: [Visit], on stage: ServiceStage) throws {
    self.stage = stage
    replies = visits.map { _ in [] }
    let list = JSONValue.array(
      visits.map { visit in
        [
          "user": .integer(Int64(visit.user)), "group": .integer(Int64(visit.group)),
          "groups": .array(visit.groups.map { .integer(Int64($0)) }),
          "call": .string(String(decoding: visit.call.frame.dropLast(), as: UTF8.self)),
        ]
      })
    spawned = try Spawned(["python3", "-c", Self.script, stage.socketPath, list.description])
    try stage.watch(spawned) { [unowned self] in receive($0) }
  }

  deinit {
    stage.end(spawned)
  }

  private func receive(_ data: Data) {
    buffer += data
    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = buffer[..<end]
      if let space = line.firstIndex(of: UInt8(ascii: " ")),
        let number = Int(String(decoding: line[..<space], as: UTF8.self)),
        let reply = try? VarlinkReply(parsing: line[(space + 1)...])
      {
        replies[number].append(reply)
      }
      buffer.removeSubrange(...end)
    }
  }

  /// Runs the service until each visitor has so many replies.
  func waitForEach(_ count: Int) throws {
    let isAnswered = try stage.run(within: .seconds(180)) { replies.allSatisfy { $0.count >= count } }
    try #require(isAnswered, "not everybody has been answered \(count) times: \(replies.map(\.count))")
  }

  /// The paths that the first visitor received.
  var paths: [NetworkPath] {
    get throws { try replies[0].map { try $0.path() } }
  }
}

extension ServiceStage {
  /// Has the loop read what a program prints.
  func watch(_ spawned: Spawned, _ receive: @escaping (Data) -> Void) throws {
    let reading = FileHandle(fileDescriptor: spawned.output)
    try loop.watch(spawned.output) { [unowned self] _ in
      let data = reading.availableData
      if data.isEmpty { loop.unwatch(spawned.output) }
      receive(data)
    }
  }

  /// Stops watching a program, and ends it unless it has ended; returns its standard error.
  @discardableResult
  func end(_ spawned: Spawned, hasEnded: Bool = false) -> String {
    loop.unwatch(spawned.output)
    close(spawned.output)
    if !hasEnded {
      kill(spawned.process, SIGKILL)
      _ = spawned.wait()
    }
    let complaints = FileHandle(fileDescriptor: spawned.complaints, closeOnDealloc: true).readDataToEndOfFile()
    return String(decoding: complaints, as: UTF8.self)
  }

  /// The reply to a user's call.
  func reply(to call: VarlinkCall, user: UInt32 = 65_534, group: UInt32 = 65_534, groups: [UInt32] = []) throws
    -> VarlinkReply
  {
    let process = try UserProcess(
      [UserProcess.Visit(user: user, group: group, groups: groups, call: call)], on: self)
    try process.waitForEach(1)
    return process.replies[0][0]
  }
}
