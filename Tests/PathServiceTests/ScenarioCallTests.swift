import Foundation
import KernelTestSupport
import PathModel
import Testing
import Varlink

@testable import PathService

/// The calls of the table that clients in other languages follow, too.
@Suite("The calls of every client", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct ScenarioCallTests {
  private struct Row: Sendable {
    var line: String
    var verb: Substring
    var call = VarlinkCall("")
    var error: String?
    var members: JSONValue = [:]

    init(_ line: String) throws {
      self.line = line
      let columns = line.components(separatedBy: "  ")
      let words = columns[0].split(separator: " ", maxSplits: 2)
      verb = words[0]
      if words.count == 3, verb != "ip" {
        let parameters = try JSONValue(parsing: Array(words[2].utf8)).objectValue ?? [:]
        call = VarlinkCall(
          Self.fullName(words[1]), parameters, acceptsMore: verb == "begin", isOneway: verb == "oneway")
      }
      guard columns.count > 1 else { return }
      let start = columns[1].firstIndex(of: "{") ?? columns[1].endIndex
      if start > columns[1].startIndex { error = Self.fullName(columns[1][..<start].dropLast()) }
      members = try JSONValue(parsing: Array(columns[1][start...].utf8))
    }

    private static func fullName(_ name: Substring) -> String {
      name.contains(".") ? String(name) : "\(PathMonitorInterface.name).\(name)"
    }

    func matches(_ reply: VarlinkReply) -> Bool {
      reply.error == error && JSONValue.object(reply.parameters).has(members)
    }
  }

  private static func rows() throws -> [Row] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "Clients/scenario.txt"), encoding: .utf8)
    let calls = try #require(text.replacing("UPLINK", with: "eth0").components(separatedBy: "\n# Calls").last)
    return try calls.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }.map { try Row(String($0)) }
  }

  @Test func `each call has the reply or the error of the table`() async throws {
    let rows = try Self.rows()
    try await ServiceStage.run { stage in
      let client = try stage.connect()
      var stream: TestClient?
      for row in rows {
        switch row.verb {
        case "ip": try stage.namespace.ip(String(row.line.dropFirst(3)))
        case "begin":
          stream = try stage.connect()
          try stream?.send(row.call)
        case "next":
          let reply = try #require(try stream?.next())
          #expect(row.matches(reply), "\(row.line): \(reply)")
        case "end": stream = nil
        case "oneway": try client.send(row.call)
        case "until": #expect(try stage.run { row.matches(try client.call(row.call)) }, "\(row.line)")
        default:
          let reply = try client.call(row.call)
          #expect(row.matches(reply), "\(row.line): \(reply)")
        }
        #expect(client.replies.isEmpty, "\(row.line)")
      }
    }
  }
}

extension JSONValue {
  /// Whether the value has the members, and of each array the elements in their order.
  fileprivate func has(_ expected: JSONValue) -> Bool {
    switch (self, expected) {
    case (.object(let object), .object(let expected)):
      return expected.members.allSatisfy { object[$0.key]?.has($0.value) == true }
    case (.array(let values), .array(let expected)) where !expected.isEmpty:
      var rest = values[...]
      return expected.allSatisfy { element in
        guard let index = rest.firstIndex(where: { $0.has(element) }) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    default: return self == expected
    }
  }
}
