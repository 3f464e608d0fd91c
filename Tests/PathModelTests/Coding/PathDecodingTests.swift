import PathModel
import PathTestSupport
import Testing

@Suite("Paths from JSON")
struct PathDecodingTests {
  private static let full = NetworkPath.full

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

  /// The place that an error names, such as `cost.evidence[0].text`.
  private static func place(_ key: String) -> [Step] {
    key.split(separator: ".").flatMap { part -> [Step] in
      let pieces = part.split { "[]".contains($0) }
      return pieces.map { piece in Int(piece).map { .index($0) } ?? .key(String(piece)) }
    }
  }

  @Test(
    "an address for the sign-in is one of http or https, whatever listens at the socket",
    arguments: [
      ("https://portal.example/a?b", true), ("http://192.0.2.1/", true), ("file:///etc/passwd", false),
      ("javascript:alert(1)", false), ("smb://host/share", false), ("http://", false), ("http://a/\u{1B}[2J", false),
      ("https://\(String(repeating: "a", count: 1_024))/", false), ("", false),
    ])
  func portal(_ address: String, _ isTaken: Bool) throws {
    for key in ["portal", "announced"] {
      let path = try NetworkPath(json: Self.json([.key("validation"), .key(key)], .string(address)))
      let found = key == "portal" ? path.validation.portal : path.validation.announced
      #expect(found == (isTaken ? address : nil), "\(key)")
    }
  }

  @Test func `a path reads back as it was written, to the last number and text`() throws {
    var offline = NetworkPath(status: .unsatisfied, knowledge: .known)
    offline.unsatisfiedReason = UnsatisfiedReason(rawValue: "of a newer version")
    for path in [Self.full, .unknown, offline] {
      let decoded = try NetworkPath(json: Self.json(path))
      #expect(decoded == path)
      #expect(decoded.sequence == path.sequence)
      #expect(decoded.boottimeMicroseconds == path.boottimeMicroseconds)
      #expect(decoded.changed == path.changed)
      #expect(decoded.cost?.evidence.map(\.text) == path.cost?.evidence.map(\.text))
    }
  }

  /// The keys of a path with a kind of value.
  private static func keys(where hasKind: (JSONValue) -> Bool) -> [String] {
    let members = (try? json(full))?.objectValue?.members ?? []
    return members.filter { hasKind($0.value) }.map(\.key)
  }

  static let required = ["status", "knowledge", "interfaces"]
  static let optional = keys { _ in true }.filter { !required.contains($0) }
  static let texts = keys { $0.stringValue != nil }
  static let flags = keys { $0.booleanValue != nil }
  static let numbers = keys { $0.integerValue != nil }
  static let lists = keys { $0.arrayValue != nil }

  /// All strings in a value, by their places.
  private static func strings(in json: JSONValue, at place: [Step] = []) -> [(place: [Step], text: String)] {
    switch json {
    case .string(let text): [(place, text)]
    case .array(let values): values.indices.flatMap { strings(in: values[$0], at: place + [.index($0)]) }
    case .object(let object): object.members.flatMap { strings(in: $0.value, at: place + [.key($0.key)]) }
    default: []
    }
  }

  @Test func `no text of an escaped path has a control character, wherever it comes from`() throws {
    let full = try Self.json(Self.full)
    let hostile = "a\u{1B}[31m\nb\u{202E}"
    var accepted = 0
    for place in Self.strings(in: full).map(\.place) {
      // Closed values and addresses are refused.
      guard let path = try? NetworkPath(json: Self.changing(full, place[...], .string(hostile))) else { continue }
      accepted += 1
      for (_, text) in Self.strings(in: try Self.json(path.escaped)) { #expect(text.inOneLine == text, "\(place)") }
    }
    #expect(accepted > 10)
  }

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

  @Test(
    arguments: optional + optionalOfInterface + [
      "cost.isExpensive", "cost.isConstrained", "cost.confidence", "cost.evidence", "cost.evidence[0].text",
    ])
  func `a key that is missing or null leaves the rest as it is`(key: String) throws {
    let missing = try NetworkPath(json: Self.json(Self.place(key), nil))
    let null = try NetworkPath(json: Self.json(Self.place(key), .null))
    #expect(try Self.json(missing) == Self.json(null))
    #expect(try Self.json(missing) != Self.json(Self.full))
    #expect(missing.status == .satisfied)
  }

  @Test(
    arguments: required + [
      "interfaces[0].name", "interfaces[0].index", "interfaces[0].type",
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
  func `an unknown key is ignored`(key: String) throws {
    #expect(try NetworkPath(json: Self.json(Self.place(key), ["x": [1]])) == Self.full)
  }

  @Test func `an unknown type is other`() throws {
    #expect(try NetworkPath(json: Self.json(Self.place("interfaceType"), "lorawan")).interfaceType == .other)
    #expect(try NetworkPath(json: Self.json(Self.place("interfaces[0].type"), "")).interfaces[0].type == .other)
    let below = try NetworkPath(json: Self.json(Self.place("interfaces[0].underlyingTypes[0]"), "lorawan"))
    #expect(below.interfaces[0].underlyingTypes == [.other])
  }

  static let interfaceTexts =
    interfaceKeys { $0.type.hasSuffix("string") && !$0.type.hasPrefix("[]") }
    + interfaceKeys { $0.type == "[]string" }.map { "\($0)[0]" }
  static let interfaceLists = interfaceKeys { $0.type.hasPrefix("[]") }
  static let optionalOfInterface = interfaceKeys { !["name", "index", "type"].contains($0.key) }
  static let interfaceFlags = interfaceKeys { $0.type == "bool" }
  static let interfaceNumbers = interfaceKeys { $0.type.hasSuffix("int") }

  /// The places of the fields of an interface of a kind.
  private static func interfaceKeys(where isOfKind: (Field<NetworkInterface>) -> Bool) -> [String] {
    NetworkInterface.fields.filter(isOfKind).map { "interfaces[0].\($0.key)" }
  }

  @Test(arguments: [
    ("a string", texts + interfaceTexts),
    ("a string", ["sourceAddresses", "gateways", "gatewayScopes", "overrides", "changed"].map { "\($0)[0]" }),
    ("a string", ["cost.confidence"] + ["source", "verdict", "confidence", "text"].map { "cost.evidence[0]." + $0 }),
    ("a Boolean", flags + interfaceFlags + ["cost.isExpensive", "cost.isConstrained"]),
    ("an integer", numbers + interfaceNumbers), ("an array", lists + interfaceLists + ["cost.evidence"]),
    ("an object", ["interfaces[0]", "cost", "cost.evidence[0]"]),
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
  func `a value that is no object is no path`(text: String, words: String) throws {
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
  func `an unknown value is named with the allowed ones`(key: String, value: String, message: String) throws {
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
