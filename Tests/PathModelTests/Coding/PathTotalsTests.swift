import PathModel
import Testing

@Suite("Totals in JSON")
struct PathTotalsTests {
  private enum Member: String {
    case totals
  }

  private static func text(_ totals: PathTotals) -> String {
    var writer = JSONWriter()
    totals.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func totals(_ text: String) throws -> PathTotals {
    let reader = ObjectReader<Member>(["totals": try JSONValue(parsing: Array(text.utf8))])
    return try reader.required(.totals, try reader.value(.totals, PathTotals.init(json:)))
  }

  @Test func `totals that are written are read as they were`() throws {
    var totals = PathTotals()
    #expect(try Self.totals(Self.text(totals)) == totals)
    totals.changes = 12
    totals.outages = 3
    totals.unsatisfiedByReason = [.noCarrier: 1_500_000, .noRoute: 1, UnsatisfiedReason(rawValue: "later"): 2]
    totals.lastChange = 1_795_455_374_689_034
    #expect(try Self.totals(Self.text(totals)) == totals)
    #expect(
      Self.text(totals) == """
        {"changes":12,"outages":3,"unsatisfiedMicroseconds":{"later":2,"noCarrier":1500000,"noRoute":1},\
        "lastChangeMicroseconds":1795455374689034}
        """)
  }

  @Test(arguments: [
    ("[]", "totals"), (#"{"outages":1,"unsatisfiedMicroseconds":{}}"#, "totals.changes"),
    (#"{"changes":-1,"outages":1,"unsatisfiedMicroseconds":{}}"#, "totals.changes"),
    (#"{"changes":1,"outages":"1","unsatisfiedMicroseconds":{}}"#, "totals.outages"),
    (#"{"changes":1,"outages":1}"#, "totals.unsatisfiedMicroseconds"),
    (#"{"changes":1,"outages":1,"unsatisfiedMicroseconds":{"noRoute":1.5}}"#, "totals.unsatisfiedMicroseconds.noRoute"),
    (
      #"{"changes":1,"outages":1,"unsatisfiedMicroseconds":{},"lastChangeMicroseconds":-1}"#,
      "totals.lastChangeMicroseconds"
    ),
  ])
  func `a value that is no total is refused by its place`(text: String, place: String) {
    let error = #expect(throws: PathDecodingError.self) { _ = try Self.totals(text) }
    #expect(error?.key == place)
  }
}
