import PathModel
import Testing

@Suite("What changed from one path to another")
struct FieldChangesTests {
  private static let paths: [NetworkPath] = (0..<6).map { number in
    var path = NetworkPath(status: number % 2 == 0 ? .satisfied : .unsatisfied, knowledge: .known)
    path.isExpensive = number > 2
    path.gateways = [IPAddress(ipv4: UInt32(number / 2))]
    return path
  }

  @Test func `what was found before is what would be found`() {
    var changes = FieldChanges()
    for round in 0..<3 {
      for (one, earlier) in Self.paths.enumerated() {
        for (other, later) in Self.paths.enumerated() {
          var later = later
          // A place in a stream is no change, nor does it tell copies apart.
          later.sequence = round
          #expect(changes.names(from: earlier, to: later) == later.fieldsChanged(since: earlier), "\(one) → \(other)")
          #expect(changes.names(from: later, to: earlier) == earlier.fieldsChanged(since: later))
        }
      }
    }
  }

  @Test func `a copy that was changed is another path`() {
    var changes = FieldChanges()
    let earlier = Self.paths[0]
    var later = Self.paths[1]
    #expect(!changes.names(from: earlier, to: later).contains("usesTunnel"))
    later.usesTunnel = true
    #expect(changes.names(from: earlier, to: later).contains("usesTunnel"))
  }
}
