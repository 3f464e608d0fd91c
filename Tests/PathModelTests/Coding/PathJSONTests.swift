import Foundation
import PathModel
import PathTestSupport
import Testing

@Suite("Paths as JSON")
struct PathJSONTests {
  @Test func `an unknown path is written with nulls, empty arrays and zeros`() throws {
    #expect(
      try Self.text(.unknown) == #"""
        {"status":"requiresConnection","knowledge":"unknown","unsatisfiedReason":null,"diagnosis":null,\#
        "interfaces":[],"interfaceType":null,"usesTunnel":false,"isExpensive":false,"isConstrained":false,"cost":null,\#
        "supportsIPv4":false,"supportsIPv6":false,"supportsDNS":false,"sourceAddresses":[],\#
        "validation":{"state":"unknown","since":null,"portal":null,"announced":null,"evidence":[]},\#
        "gateways":[],"gatewayScopes":[],\#
        "overrides":[],"sequence":0,"boottimeMicroseconds":0,"changed":[]}
        """#)
  }

  @Test func `every value of a path is in its place`() throws {
    #expect(try Self.text(.full) == NetworkPath.fullJSON)
  }

  @Test func `any Encoder encodes a path as it is written on the wire`() throws {
    let offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    for path in [.full, .unknown, offline] {
      // An encoder has its own order of keys.
      let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(path)) as? NSDictionary
      let written = try JSONSerialization.jsonObject(with: Data(try Self.text(path).utf8)) as? NSDictionary
      #expect(encoded != nil && encoded == written)
    }
  }

  @Test func `a writer of many paths writes each as it is on the wire`() throws {
    var (pathWriter, later, changed) = (PathWriter(), NetworkPath.full, NetworkPath.full)
    (later.sequence, later.boottimeMicroseconds, later.changed) = (8, 9, ["status"])
    changed.isExpensive.toggle()
    for path in [.unknown, .full, .full, later, changed, .unknown] {
      var writer = JSONWriter()
      pathWriter.write(path, to: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == (try Self.text(path)))
    }
  }

  private static func text(_ path: NetworkPath) throws -> String {
    var writer = JSONWriter()
    path.write(to: &writer)
    return try #require(String(validating: writer.bytes, as: UTF8.self))
  }
}
