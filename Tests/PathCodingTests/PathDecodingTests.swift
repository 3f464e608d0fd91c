import JSON
import PathCoding
import PathModel
import Testing

@Suite("Paths from JSON")
struct PathDecodingTests {
  private static let full: NetworkPath = {
    var path = NetworkPath(status: .satisfied, knowledge: .stale)
    path.unsatisfiedReason = UnsatisfiedReason(rawValue: "brandNew")
    path.interfaces = [
      NetworkInterface(
        name: "wlan0", index: 3, type: .wifi, isExpensive: true, isConstrained: true, underlying: ["eth0"],
        underlyingTypes: [.wiredEthernet], mtu: 1_500,
        hardwareAddress: "02:00:00:00:00:03",
        addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { NetworkInterface.Address($0) }, driver: "iwlwifi"),
      NetworkInterface(name: "wg0", index: 4, type: .other),
    ]
    path.interfaceType = .wifi
    (path.usesTunnel, path.isExpensive, path.isConstrained) = (true, true, true)
    path.cost = Cost(
      isExpensive: true, isConstrained: true, confidence: .likely,
      evidence: [Evidence(source: .gatewayAddress, verdict: .expensive, confidence: .likely, text: "a phone's")])
    (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (true, true, true)
    path.gateways = ["192.0.2.1", "fe80::1%wlan0"].compactMap { IPAddress($0) }
    path.overrides = ["expensive, says \"root\"\n"]
    (path.sequence, path.boottimeMicroseconds) = (7, 9_007_199_254_740_993)
    path.changed = ["status", "interfaces"]
    return path
  }()

  private static func json(_ path: NetworkPath) throws -> JSONValue {
    var writer = JSONWriter()
    path.write(to: &writer)
    return try JSONValue(parsing: writer.bytes)
  }

  /// The JSON of the full path with the value at a place changed; `nil` takes the key away.
  private static func json(_ place: [Step], _ value: JSONValue?) throws -> JSONValue {
    try changing(json(full), place[...], value)
  }

  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  private static func changing(_ json: JSONValue, _ place: ArraySlice<Step>, _ value: JSONValue?) throws -> JSONValue {
    guard let step = place.first else { return value ?? .null }
    switch step {
    case .key(let key):
      var object = try #require(json.objectValue)
      object[key] =
        place.count == 1 ? value : try changing(try #require(object[key]), place.dropFirst(), value)
      return .object(object)
    case .index(let index):
      var array = try #require(json.arrayValue)
      array[index] = try changing(array[index], place.dropFirst(), value)
      return .array(array)
    }
  }

  /// The place of a key of the path, of its first interface, of its cost, or of the first piece of evidence.
  private static func place(_ key: String) -> [Step] {
    key.split(separator: ".").flatMap { part -> [Step] in
      part.hasSuffix("[0]") ? [.key(String(part.dropLast(3))), .index(0)] : [.key(String(part))]
    }
  }

  // MARK: Round trip

  @Test func `what was written reads back, to the last number and text`() throws {
    for path in [Self.full, .unknown, NetworkPath(status: .unsatisfied, knowledge: .known)] {
      let decoded = try NetworkPath(json: Self.json(path))
      #expect(decoded == path)
      #expect(decoded.sequence == path.sequence)
      #expect(decoded.boottimeMicroseconds == path.boottimeMicroseconds)
      #expect(decoded.changed == path.changed)
      #expect(decoded.cost?.evidence.map(\.text) == path.cost?.evidence.map(\.text))
    }
  }

  @Test func `every status, knowledge and type reads back`() throws {
    for status in NetworkPath.Status.allCases {
      for knowledge in NetworkPath.Knowledge.allCases {
        let path = NetworkPath(status: status, knowledge: knowledge)
        #expect(try NetworkPath(json: Self.json(path)) == path)
      }
    }
    for type in InterfaceType.allCases {
      var path = Self.full
      path.interfaceType = type
      path.interfaces[0].type = type
      #expect(try NetworkPath(json: Self.json(path)) == path)
    }
  }

  @Test(arguments: ["usesTunnel", "isExpensive", "isConstrained", "supportsIPv4", "supportsIPv6", "supportsDNS"])
  func `no flag is taken for another`(key: String) throws {
    let path = try NetworkPath(json: ["status": "satisfied", "knowledge": "known", "interfaces": [], key: true])
    #expect(try Self.json(path)[key] == true)
    let flags = [
      path.usesTunnel, path.isExpensive, path.isConstrained, path.supportsIPv4, path.supportsIPv6, path.supportsDNS,
    ]
    #expect(flags.count { $0 } == 1)
  }

  // MARK: Older and newer writers

  @Test func `status, knowledge and interfaces are enough`() throws {
    let path = try NetworkPath(json: ["interfaces": [], "knowledge": "known", "status": "unsatisfied"])
    #expect(path == NetworkPath(status: .unsatisfied, knowledge: .known))
    let interface = try NetworkInterface(json: ["name": "eth0", "index": 2, "type": "wiredEthernet"])
    #expect(interface == NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet))
    #expect(try Cost(json: [:]) == Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: []))
    let evidence = try Evidence(json: ["source": "x", "verdict": "y", "confidence": "z"])
    #expect(evidence.text.isEmpty)
    #expect(
      [evidence.source.rawValue, evidence.verdict.rawValue, evidence.confidence.rawValue] == ["x", "y", "z"],
      "the words of a newer service stay as they are")
  }

  @Test(arguments: [
    "unsatisfiedReason", "interfaceType", "usesTunnel", "isExpensive", "isConstrained", "cost", "supportsIPv4",
    "supportsIPv6", "supportsDNS", "gateways", "gatewayScopes", "overrides", "sequence", "boottimeMicroseconds",
    "changed",
    "interfaces[0].isExpensive", "interfaces[0].isConstrained", "interfaces[0].underlying",
    "interfaces[0].underlyingTypes",
    "interfaces[0].mtu",
    "interfaces[0].hardwareAddress", "interfaces[0].addresses", "interfaces[0].driver", "cost.isExpensive",
    "cost.isConstrained", "cost.confidence", "cost.evidence", "cost.evidence[0].text",
  ])
  func `a key that is missing or null leaves the rest as it is`(key: String) throws {
    let missing = try NetworkPath(json: Self.json(Self.place(key), nil))
    let null = try NetworkPath(json: Self.json(Self.place(key), .null))
    #expect(try Self.json(missing) == Self.json(null))
    #expect(try Self.json(missing) != Self.json(Self.full))
    #expect(missing.status == .satisfied)
  }

  @Test(arguments: [
    "status", "knowledge", "interfaces", "interfaces[0].name", "interfaces[0].index", "interfaces[0].type",
    "cost.evidence[0].source", "cost.evidence[0].verdict", "cost.evidence[0].confidence",
  ])
  func `a key that must be there is named when it is missing or null`(key: String) throws {
    for value in [nil, JSONValue.null] {
      let json = try Self.json(Self.place(key), value)
      let error = #expect(throws: PathDecodingError.self) { try NetworkPath(json: json) }
      #expect(error?.description == "'\(key)' is missing")
    }
  }

  @Test(arguments: ["new", "interfaces[0].new", "cost.new", "cost.evidence[0].new"])
  func `a key that is not known is ignored`(key: String) throws {
    #expect(try NetworkPath(json: Self.json(Self.place(key), ["x": [1]])) == Self.full)
  }

  @Test func `a type that is not known is some other one`() throws {
    #expect(try NetworkPath(json: Self.json(Self.place("interfaceType"), "lorawan")).interfaceType == .other)
    #expect(try NetworkPath(json: Self.json(Self.place("interfaces[0].type"), "")).interfaces[0].type == .other)
    let below = try NetworkPath(json: Self.json(Self.place("interfaces[0].underlyingTypes[0]"), "lorawan"))
    #expect(below.interfaces[0].underlyingTypes == [.other])
  }

  // MARK: Errors

  @Test(arguments: [
    (
      "a string",
      [
        "status", "knowledge", "unsatisfiedReason", "interfaceType", "gateways[0]", "gatewayScopes[0]", "overrides[0]",
        "changed[0]",
      ]
    ),
    ("a Boolean", ["usesTunnel", "isExpensive", "isConstrained", "supportsIPv4", "supportsIPv6", "supportsDNS"]),
    ("an integer", ["sequence", "boottimeMicroseconds", "interfaces[0].index", "interfaces[0].mtu"]),
    ("an array", ["interfaces", "gateways", "gatewayScopes", "overrides", "changed"]),
    ("an object", ["interfaces[0]", "cost"]),
    (
      "a string",
      ["name", "type", "underlying[0]", "underlyingTypes[0]", "hardwareAddress", "addresses[0]", "driver"].map {
        "interfaces[0]." + $0
      }
    ),
    (
      "a Boolean",
      ["interfaces[0].isExpensive", "interfaces[0].isConstrained", "cost.isExpensive", "cost.isConstrained"]
    ),
    (
      "an array",
      ["interfaces[0].underlying", "interfaces[0].underlyingTypes", "interfaces[0].addresses", "cost.evidence"]
    ),
    ("an object", ["cost.evidence[0]"]), ("a string", ["cost.confidence"]),
    ("a string", ["source", "verdict", "confidence", "text"].map { "cost.evidence[0]." + $0 }),
  ])
  func `a value of another type is named with the type it must have`(expected: String, keys: [String]) throws {
    for key in keys {
      let json = try Self.json(Self.place(key), 1.5)
      let error = #expect(throws: PathDecodingError.self) { try NetworkPath(json: json) }
      #expect(error?.key == key)
      #expect(error?.description == "'\(key)' must be \(expected), not a number with a fraction or out of range")
    }
  }

  @Test(arguments: [
    ("true", "a Boolean"), ("7", "an integer"), ("\"x\"", "a string"), ("[]", "an array"), ("null", "null"),
  ])
  func `what is no object is no path`(text: String, words: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let error = #expect(throws: PathDecodingError.self) { try NetworkPath(json: json) }
    #expect(error?.description == "the value must be an object, not \(words)")
  }

  @Test(arguments: [
    ("status", "offline", "'status' is 'offline'; allowed: satisfied, unsatisfied, requiresConnection"),
    ("knowledge", "", "'knowledge' is ''; allowed: known, stale, unknown"),
    ("gateways[0]", "fe80::1%", "'gateways[0]' is not an IP address: 'fe80::1%'"),
    ("gatewayScopes[1]", "a b", "'gatewayScopes[1]' is not the name of an interface: 'a b'"),
    (
      "interfaces[0].addresses[0]", "192.0.2.2",
      "'interfaces[0].addresses[0]' is not an IP address with a prefix length: '192.0.2.2'"
    ),
  ])
  func `a value that there is not is named with those there are`(key: String, value: String, message: String) throws {
    let json = try Self.json(Self.place(key), .string(value))
    let error = #expect(throws: PathDecodingError.self) { try NetworkPath(json: json) }
    #expect(error?.description == message)
  }

  @Test func `gateways have their scopes beside them, one for each or none`() throws {
    let path = try NetworkPath(json: Self.json(Self.place("gatewayScopes"), ["", "wlan7"]))
    #expect(path.gateways == ["192.0.2.1", "fe80::1%wlan7"].compactMap { IPAddress($0) })
    let none = try NetworkPath(json: Self.json(Self.place("gatewayScopes"), []))
    #expect(none.gateways == ["192.0.2.1", "fe80::1"].compactMap { IPAddress($0) })
    let few = try Self.json(Self.place("gatewayScopes"), ["wlan7"])
    let error = #expect(throws: PathDecodingError.self) { try NetworkPath(json: few) }
    #expect(
      error?.description
        == "'gatewayScopes' has 1 elements and 'gateways' has 2: there must be one for each, or none")
  }

  @Test func `errors in an interface of its own name its keys alone`() {
    let error = #expect(throws: PathDecodingError.self) { try NetworkInterface(json: ["index": 2, "type": "wifi"]) }
    #expect(error?.key == "name")
  }
}
