import JSON
import PathCoding
import PathModel
import Testing
import Varlink

@testable import PathFeeds

/// A reader that has read before must read every frame as one that has not, whatever a service may send.
@Suite("Replies with paths")
struct PathReplyReaderTests {
  private static let online: NetworkPath = {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: "eth0", index: 2, type: .wiredEthernet, mtu: 1_500,
        addresses: ["192.0.2.2/24"].compactMap { NetworkInterface.Address($0) })
    ]
    path.interfaceType = .wiredEthernet
    path.supportsIPv4 = true
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    path.sequence = 5
    path.boottimeMicroseconds = 123_456
    path.changed = ["status"]
    return path
  }()

  private static func frame(_ path: NetworkPath, continues: Bool = true) -> [UInt8] {
    VarlinkReply.frame(continues: continues) { writer in
      writer.key("path")
      path.write(to: &writer)
    }.dropLast()
  }

  /// What a reading leads to, spelled out so that nothing is left out of the comparison.
  private static func outcome(_ reader: inout PathReplyReader, _ frame: [UInt8]) -> String {
    do {
      let reply = try reader.read(frame[...])
      guard case .path(let path) = reply else { return "\(reply)" }
      var writer = JSONWriter()
      path.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    } catch {
      return error.description
    }
  }

  @Test func `only the place in the stream is read anew, and rightly`() throws {
    var reader = PathReplyReader()
    var path = Self.online
    for (sequence, changed) in [(5, ["status"]), (6, []), (-7, ["a", "\"\\\n"]), (Int.max, ["status", "interfaces"])] {
      (path.sequence, path.changed) = (sequence, changed)
      path.boottimeMicroseconds &+= 1_000_003
      var alone = PathReplyReader()
      #expect(Self.outcome(&reader, Self.frame(path)) == Self.outcome(&alone, Self.frame(path)))
      #expect(try reader.read(Self.frame(path)[...]) == .path(path))
    }
  }

  @Test func `going to and fro between many paths, each is told from the others`() throws {
    var reader = PathReplyReader()
    for round in 0..<40 {
      var path = round % 3 == 0 ? .unknown : Self.online
      path.isExpensive = round % 2 == 0
      path.overrides = round % 7 == 0 ? ["expensive"] : []
      path.sequence = round
      #expect(try reader.read(Self.frame(path)[...]) == .path(path))
      guard case .path(let read) = try reader.read(Self.frame(path)[...]) else { throw Unexpected() }
      #expect(read.sequence == round)
    }
  }

  @Test func `the path that ends a stream is told from one that others follow`() throws {
    var reader = PathReplyReader()
    for continues in [false, true, false, true, true, false] {
      let reply = try reader.read(Self.frame(Self.online, continues: continues)[...])
      #expect(reply == (continues ? .path(Self.online) : .lastPath(Self.online)))
    }
  }

  @Test func `no damaged byte is overlooked`() {
    var next = Self.online
    next.sequence = 6
    let frame = Self.frame(next)
    for position in frame.indices {
      for flip: UInt8 in [1, 0x20, 0x80] {
        var bytes = frame
        bytes[position] ^= flip
        var (reader, alone) = (PathReplyReader(), PathReplyReader())
        _ = Self.outcome(&reader, Self.frame(Self.online))
        #expect(Self.outcome(&reader, bytes) == Self.outcome(&alone, bytes), "byte \(position) ^ \(flip)")
      }
    }
    for length in frame.indices {
      var (reader, alone) = (PathReplyReader(), PathReplyReader())
      _ = Self.outcome(&reader, Self.frame(Self.online))
      let bytes = Array(frame[..<length])
      #expect(Self.outcome(&reader, bytes) == Self.outcome(&alone, bytes), "cut at \(length)")
    }
  }

  /// In these the members that follow `,"sequence":` belong to something else, or more comes after them.
  private static let misleading: [(String, String)] = {
    let head = #"{"status":"satisfied","knowledge":"known","interfaces":[]"#
    let place = #","sequence":%,"boottimeMicroseconds":2,"changed":["x"]}"#
    let end = #"},"continues":true}"#
    return [
      // In another object of the reply.
      #"{"parameters":{"path":\#(head), "sequence":1,"boottimeMicroseconds":2,"changed":["x"]}},"o":{"y":{"a":1\#(place)\#(end)"#,
      // Beside the path.
      #"{"parameters":{"path":\#(head), "sequence":1,"boottimeMicroseconds":2,"changed":["x"]},"y":{"a":1\#(place)\#(end)"#,
      // Within the path.
      #"{"parameters":{"path":\#(head), "sequence":1,"boottimeMicroseconds":2,"changed":["x"],"y":{"a":1\#(place)}\#(end)"#,
      // Given twice.
      #"{"parameters":{"path":\#(head)\#(place.dropLast())\#(place)\#(end)"#,
      // With another path after it.
      #"{"parameters":{"path":\#(head)\#(place)},"parameters":{"path":\#(head)\#(place)\#(end)"#,
      // With an error after it.
      #"{"parameters":{"path":\#(head)\#(place)},"error":null,"z":{"y":{"a":1\#(place)\#(end)"#,
      #"{"parameters":{"path":\#(head)\#(place)},"continues":true}"#,
    ].map { ($0.replacing("%", with: "1"), $0.replacing("%", with: "9")) }
  }()

  @Test(arguments: misleading)
  func `members of that name elsewhere are not taken for the path's`(first: String, second: String) {
    var (reader, alone) = (PathReplyReader(), PathReplyReader())
    _ = Self.outcome(&reader, Array(first.utf8))
    #expect(Self.outcome(&reader, Array(second.utf8)) == Self.outcome(&alone, Array(second.utf8)))
  }

  @Test(arguments: [
    #"{"parameters":{"path":{}},"continues":true}"#, #"{"parameters":{},"continues":true}"#, "[]", "", "{",
    #"{"error":"io.pathmonitor.PathMonitor.LimitReached","parameters":{"limit":"connections","value":1}}"#,
  ])
  func `what is no path is none also after one`(text: String) {
    var (reader, alone) = (PathReplyReader(), PathReplyReader())
    _ = Self.outcome(&reader, Self.frame(Self.online))
    #expect(Self.outcome(&reader, Array(text.utf8)) == Self.outcome(&alone, Array(text.utf8)))
  }

  private struct Unexpected: Error {}
}
