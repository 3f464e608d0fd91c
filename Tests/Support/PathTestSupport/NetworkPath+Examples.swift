package import PathModel

extension NetworkPath {
  /// A path with a value in each field: it has no null, empty array, false or zero, and each field differs from that of
  /// ``NetworkPath/unknown``.
  package static let full: NetworkPath = {
    var path = NetworkPath.unknown
    for field in fields where field.key != "gateways" { path.fill(field.key) }
    return path
  }()

  package static let fullJSON = ExampleJSON.object(fields.map { ($0.key, $0.type) })

  /// Gives a field a value that no new path has. Scopes come with their gateways.
  package mutating func fill(_ key: String) {
    var writer = JSONWriter()
    write(to: &writer)
    guard var object = try? JSONValue(parsing: writer.bytes).objectValue else { fatalError("\(self) is no object") }
    for field in Self.fields where field.key == key || key == "gatewayScopes" && field.key == "gateways" {
      object[field.key] = try? JSONValue(parsing: Array(ExampleJSON.value(field.key, field.type).utf8))
    }
    do {
      self = try NetworkPath(json: .object(object))
    } catch {
      fatalError("the example of \(key) is wrong: \(error)")
    }
  }
}

/// A value for each field, as JSON. It follows from the type of the field, except where only some values are allowed.
package enum ExampleJSON {
  private static let particular = [
    "status": #""satisfied""#, "knowledge": #""stale""#, "interfaceType": #""wifi""#, "type": #""wifi""#,
    "underlyingTypes": #"["wiredEthernet"]"#, "addresses": #"["192.0.2.2/24","2001:db8::2/64"]"#,
    "family": #""IPv6""#, "gateways": #"["192.0.2.1","fe80::1"]"#, "gatewayScopes": #"["","wlan0"]"#,
    "sourceAddresses": #"["192.0.2.2","2001:db8::2"]"#, "deprecatedPrefixes": #"["2001:db8:1::/64"]"#,
    "portal": #""https://portal.example/""#, "announced": #""https://portal.example/api""#,
  ]

  package static func value(_ key: String, _ type: String) -> String {
    if let value = particular[key] { return value }
    if type.hasPrefix("?") { return value(key, String(type.dropFirst())) }
    if type.hasPrefix("[]") { return "[\(value(key, String(type.dropFirst(2))))]" }
    switch type {
    case "bool": return "true"
    // A `Double` would lose its last digit.
    case "int": return "9007199254740993"
    case "string": return #""a \"\#(key)\"\n""#
    case "Interface": return object(NetworkInterface.fields.map { ($0.key, $0.type) })
    case "Cost": return object(Cost.fields.map { ($0.key, $0.type) })
    case "Evidence": return object(Evidence.fields.map { ($0.key, $0.type) })
    case "Validation": return object(PathValidation.fields.map { ($0.key, $0.type) })
    case "Observation": return object(PathValidation.Observation.fields.map { ($0.key, $0.type) })
    case "Diagnosis": return object(Diagnosis.fields.map { ($0.key, $0.type) })
    default: fatalError("there is no example of a '\(type)' for '\(key)'")
    }
  }

  package static func object(_ fields: [(key: String, type: String)]) -> String {
    "{" + fields.map { "\"\($0.key)\":\(value($0.key, $0.type))" }.joined(separator: ",") + "}"
  }
}
