import Foundation
import PathModel
import PathTestSupport
import Testing

/// The keys are those of the socket's interface description, all of them, in its order.
@Suite("Paths as JSON")
struct PathJSONTests {
  private static let pathKeys = NetworkPath.fields.map(\.key)
  private static let interfaceKeys = NetworkInterface.fields.map(\.key)
  private static let costKeys = Cost.fields.map(\.key)
  private static let evidenceKeys = Evidence.fields.map(\.key)

  @Test func `a path has every key in order, whether or not it has values`() throws {
    #expect(try keys(of: Self.json(.unknown)) == Self.pathKeys)
    #expect(try keys(of: Self.json(Self.full)) == Self.pathKeys)
  }

  @Test func `the keys are the names of the properties, but for the scopes that stand beside the gateways`() {
    let keys = Self.pathKeys.filter { $0 != "gatewayScopes" }
    #expect(Mirror(reflecting: Self.full).children.compactMap(\.label) == keys)
    #expect(Mirror(reflecting: Self.interface).children.compactMap(\.label) == Self.interfaceKeys)
  }

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

  @Test(arguments: [
    (false, false, false), (true, false, false), (false, true, false), (false, false, true), (true, true, true),
  ])
  func `no flag is taken for another`(ipv4: Bool, ipv6: Bool, dns: Bool) throws {
    var path = NetworkPath.unknown
    (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (ipv4, ipv6, dns)
    (path.usesTunnel, path.isExpensive, path.isConstrained) = (ipv4, ipv6, dns)
    let json = try Self.json(path)
    for (first, second, value) in [
      ("supportsIPv4", "usesTunnel", ipv4), ("supportsIPv6", "isExpensive", ipv6),
      ("supportsDNS", "isConstrained", dns),
    ] {
      #expect(json[first] == .boolean(value))
      #expect(json[second] == .boolean(value))
    }
  }

  @Test func `an interface has every key in order, with nulls for absent values`() throws {
    let interfaces = try #require(try Self.json(Self.full)["interfaces"]?.arrayValue)
    #expect(interfaces.count == 2)
    for interface in interfaces { #expect(try keys(of: interface) == Self.interfaceKeys) }
    let expected: [JSONObject] = [
      [
        "name": "wlan0", "index": 3, "type": "wifi", "isExpensive": true, "isConstrained": false,
        "underlying": ["eth0"], "underlyingTypes": ["wiredEthernet"], "mtu": 1_500,
        "hardwareAddress": "02:00:00:00:00:03",
        "addresses": ["192.0.2.2/24", "2001:db8::2/64"], "driver": "iwlwifi",
        "isExpenseUndetermined": false, "alternativeNames": [],
      ],
      [
        "name": "wg0", "index": 4, "type": "other", "isExpensive": false, "isConstrained": true, "underlying": [],
        "underlyingTypes": [],
        "mtu": nil, "hardwareAddress": nil, "addresses": [], "driver": nil, "isExpenseUndetermined": false,
        "alternativeNames": [],
      ],
    ]
    for (interface, members) in zip(interfaces, expected.map(\.members)) {
      for member in members { #expect(interface[member.key] == member.value, "\(member.key)") }
    }
  }

  @Test func `a cost and its evidence have every key in order`() throws {
    let cost = try #require(try Self.json(Self.full)["cost"])
    #expect(try keys(of: cost) == Self.costKeys)
    #expect(cost["confidence"] == "likely")
    let evidence = try #require(cost["evidence"]?.arrayValue?.first)
    #expect(try keys(of: evidence) == Self.evidenceKeys)
    #expect(
      evidence == ["source": "gatewayAddress", "verdict": "expensive", "confidence": "likely", "text": "a phone's"])
  }

  @Test func `every status, knowledge and type is spelled as in Swift`() throws {
    for status in NetworkPath.Status.allCases {
      #expect(try Self.json(NetworkPath(status: status, knowledge: .known))["status"] == .string("\(status)"))
    }
    for knowledge in NetworkPath.Knowledge.allCases {
      #expect(
        try Self.json(NetworkPath(status: .satisfied, knowledge: knowledge))["knowledge"] == .string("\(knowledge)"))
    }
    for type in InterfaceType.allCases {
      var path = NetworkPath.unknown
      path.interfaceType = type
      #expect(try Self.json(path)["interfaceType"] == .string("\(type)"))
    }
  }

  @Test func `any Encoder encodes a path as it is written on the wire`() throws {
    let offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    for path in [Self.full, .unknown, offline] {
      // An encoder has its own order of keys.
      let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(path)) as? NSDictionary
      let written = try JSONSerialization.jsonObject(with: Data(try Self.text(path).utf8)) as? NSDictionary
      #expect(encoded != nil && encoded == written)
    }
  }

  @Test func `a writer of many paths writes each as it is on the wire`() throws {
    var (pathWriter, later, changed) = (PathWriter(), Self.full, Self.full)
    (later.sequence, later.boottimeMicroseconds, later.changed) = (8, 9, ["status"])
    changed.isExpensive.toggle()
    for path in [.unknown, Self.full, Self.full, later, changed, .unknown] {
      var writer = JSONWriter()
      pathWriter.write(path, to: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == (try Self.text(path)))
    }
  }

  @Test func `a reason that is not one of ours is written as it is`() throws {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = UnsatisfiedReason(rawValue: "brandNew")
    #expect(try Self.json(path)["unsatisfiedReason"] == "brandNew")
  }

  @Test func `one path is one line, so that a stream of them is one per line`() throws {
    #expect(try !Self.text(Self.full).contains("\n"))
  }

  // MARK: Values

  private static let interface = NetworkInterface(
    name: "wlan0", index: 3, type: .wifi, isExpensive: true, underlying: ["eth0"], underlyingTypes: [.wiredEthernet],
    mtu: 1_500,
    hardwareAddress: "02:00:00:00:00:03",
    addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { NetworkInterface.Address($0) }, driver: "iwlwifi")
  private static let evidence = Evidence(
    source: .gatewayAddress, verdict: .expensive, confidence: .likely, text: "a phone's")
  private static let cost = Cost(
    isExpensive: true, isConstrained: false, confidence: .likely, evidence: [evidence])

  private static let full: NetworkPath = {
    var path = NetworkPath.full
    path.interfaces = [interface, NetworkInterface(name: "wg0", index: 4, type: .other, isConstrained: true)]
    path.cost = cost
    return path
  }()

  private static func text(_ path: NetworkPath) throws -> String {
    var writer = JSONWriter()
    path.write(to: &writer)
    return try #require(String(validating: writer.bytes, as: UTF8.self))
  }

  private static func json(_ path: NetworkPath) throws -> JSONValue {
    try JSONValue(parsing: Array(text(path).utf8))
  }

  private func keys(of value: JSONValue) throws -> [String] {
    try #require(value.objectValue).members.map(\.key)
  }
}
