import PathModel
import Testing

@Suite("The types of interface that a path uses")
struct InterfaceTypeUseTests {
  /// A tunnel that carries the traffic, over an interface that is not among those of the path.
  private static let tunnel = NetworkPath.over(.other).with { $0.interfaces[0].underlyingTypes = [.cellular] }
  /// The same path from an older service: with the name alone, of an interface that follows.
  private static let named = NetworkPath.over(.other).with {
    $0.interfaces[0].underlying = ["br0"]
    $0.interfaces += [
      NetworkInterface(name: "br0", index: 7, type: .wiredEthernet, underlying: ["wwan0"]),
      NetworkInterface(name: "wwan0", index: 8, type: .cellular),
      NetworkInterface(name: "wlan0", index: 9, type: .wifi),
    ]
  }

  @Test(arguments: [tunnel, named])
  func `a tunnel uses its own type and those below it`(path: NetworkPath) throws {
    #expect(path.usesInterfaceType(.other) && path.usesInterfaceType(.cellular))
    #expect(!path.usesInterfaceType(.wifi), "an interface beside the path is not below it")
    for met in ["cellular", "type=cellular", "type=other", "via=cellular", "not-wifi"] {
      #expect(try PathRequirement(met).verdict(on: path) == .met, "\(met)")
    }
    for notMet in ["not-cellular", "wifi", "type=wifi"] {
      #expect(try PathRequirement(notMet).verdict(on: path) == .notMet, "\(notMet)")
    }
  }

  @Test func `an unsatisfied path uses no type`() {
    let path = Self.tunnel.asUnsatisfied
    for type in InterfaceType.allCases { #expect(!path.usesInterfaceType(type)) }
  }

  @Test func `names in a circle end the search`() {
    let path = Self.named.with { $0.interfaces[2].underlying = ["dev0", "br0"] }
    #expect(path.usesInterfaceType(.cellular))
    #expect(!path.usesInterfaceType(.loopback))
  }

  @Test func `a path through a type goes through the interfaces that rest on it`() throws {
    #expect(
      try PathRequirement("via=cellular").applied(to: Self.named).interfaces.map(\.name) == ["dev0", "br0", "wwan0"])
    #expect(try PathRequirement("via=wifi").applied(to: Self.named).interfaces.map(\.name) == ["wlan0"])
  }
}
