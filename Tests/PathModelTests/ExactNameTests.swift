import PathModel
import PathTestSupport
import Testing

@Suite("Names that differ in bytes alone")
struct ExactNameTests {
  private static let pairs = HostileNames.equivalent

  private static func path(over name: String, on underlying: String? = nil) -> NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(name: name, index: 2, type: .wifi, underlying: underlying.map { [$0] } ?? [])
    ]
    return path
  }

  @Test func `they are two texts, as keys too, and sort by their bytes`() {
    for (one, other) in Self.pairs {
      // The texts of Swift are equal; this is why names need a type of their own.
      #expect(one == other)
      #expect(one.exact != other.exact && one.exact == one.exact)
      #expect(Set([one.exact, other.exact]).count == 2)
      #expect((one.exact < other.exact) != (other.exact < one.exact))
    }
  }

  @Test func `a requirement of one is not met by the other, and both are two requirements`() throws {
    for (one, other) in Self.pairs where one != "`" {
      for make in [PathRequirement.via, PathRequirement.interface] {
        #expect(make(one).verdict(on: Self.path(over: one)) == .met)
        #expect(make(one).verdict(on: Self.path(over: other)) == .notMet)
        #expect(make(one) != make(other))
        #expect((make(one) && make(other)).namedInterfaces.count == 2)
      }
      #expect(try PathRequirement("via=\(one)") != PathRequirement("via=\(other)"))
    }
  }

  @Test func `an override of one leaves the other alone, and both can be set and cleared`() throws {
    for (one, other) in Self.pairs {
      func override(_ name: String) throws -> PathOverride {
        try PathOverride(field: .isExpensive, value: "true", interface: name, user: 0, setAt: 0)
      }
      var table = OverrideTable()
      try table.set(try override(one))
      #expect(table.applied(to: Self.path(over: one)).isExpensive)
      #expect(!table.applied(to: Self.path(over: other)).isExpensive)
      #expect(table.applied(to: Self.path(over: other)).overrides.isEmpty)
      #expect(!table.applied(to: Self.path(over: "tun0", on: other)).isExpensive)
      var reversed = OverrideTable()
      try table.set(try override(other))
      try reversed.set(try override(other))
      try reversed.set(try override(one))
      #expect(table.overrides.count == 2 && table == reversed)
      #expect(table.clear(field: nil, interface: one) == 1)
      #expect(try override(one) != override(other))
    }
  }

  @Test func `a renamed interface is a change of the path`() {
    for (one, other) in Self.pairs {
      #expect(Self.path(over: one) != Self.path(over: other))
      #expect(Self.path(over: "tun0", on: one) != Self.path(over: "tun0", on: other))
      #expect(Self.path(over: one).fieldsChanged(since: Self.path(over: other)) == ["interfaces"])
      var (left, right) = (Self.path(over: one), Self.path(over: one))
      (left.overrides, right.overrides) = (["metered on \(one)"], ["metered on \(other)"])
      #expect(left != right)
    }
  }

  @Test func `the interface below is not found by the other name`() {
    for (one, other) in Self.pairs {
      var path = Self.path(over: "tun0", on: one)
      path.interfaces[0].type = .other
      path.interfaces.append(NetworkInterface(name: other, index: 3, type: .cellular))
      #expect(!path.usesInterfaceType(.cellular))
      path.interfaces[1].name = one
      #expect(path.usesInterfaceType(.cellular))
    }
  }
}
