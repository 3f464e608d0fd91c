package import PathModel

/// Compares a path with what a case expects of it.
package enum PathExpectation {
  /// The differences of a path that this process has.
  package static func differences(
    between expected: JSONObject, and path: NetworkPath, _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> [String] {
    var writer = JSONWriter()
    path.write(to: &writer)
    var object = try JSONValue(parsing: writer.bytes).objectValue ?? JSONObject()
    change(&object)
    return differences(between: expected, and: .object(object))
  }

  /// The differences, in words; empty when all values that the case names are as expected.
  package static func differences(between expected: JSONObject, and path: JSONValue?) -> [String] {
    guard let path = path?.objectValue else { return ["no path was printed"] }
    let interfaces = (path["interfaces"]?.arrayValue ?? []).compactMap { $0.objectValue?["name"]?.stringValue }
    return expected.members.compactMap { member in
      let (key, value) = (member.key, member.value)
      switch key {
      case "interfaces":
        let wanted = value.strings
        let isRight = Array(interfaces.prefix(wanted.count)) == wanted || interfaces.sorted() == wanted.sorted()
        return isRight ? nil : "interfaces: expected \(wanted), got \(interfaces)"
      case "gateways":
        let gateways = path["gateways"]?.strings ?? []
        return gateways.sorted() == value.strings.sorted()
          ? nil : "gateways: expected \(value.strings), got \(gateways)"
      case "interface":
        return interfaces.first == value.stringValue ? nil : "interface: expected \(value), got \(interfaces)"
      case "underlying", "underlyingTypes": return difference(of: key, value, path)
      case "all": return interfaces == value.strings ? nil : "all: expected \(value), got \(interfaces)"
      default:
        let actual = Self.actual(key, path)
        return actual == value ? nil : "\(key): expected \(value), got \(actual.map(\.description) ?? "nothing")"
      }
    }
  }

  /// The value of a word that is no field of a path, or of a field.
  private static func actual(_ key: String, _ path: JSONObject) -> JSONValue? {
    let cause = path["diagnosis"]?.objectValue
    switch key {
    case "cause":
      return .string(
        [cause?["code"], cause?["subject"]].compactMap { $0?.stringValue }.joined(separator: ":").replacing(
          " ", with: ","))
    case "routers": return path["gateways"]
    case "circumstances": return cause?["circumstances"]
    case "cost": return path["cost"]?["confidence"]
    case "evidence": return .array((path["cost"]?["evidence"]?.arrayValue ?? []).compactMap { $0["source"] })
    case "costs":
      var costs = JSONObject()
      for interface in path["interfaces"]?.arrayValue ?? [] {
        if let name = interface["name"]?.stringValue { costs[name] = interface["isExpensive"] }
      }
      return .object(costs)
    default: return path[key]
    }
  }

  /// Compares a field of each interface that the expectation names, which has the names or types of those below.
  private static func difference(of field: String, _ expected: JSONValue, _ path: JSONObject) -> String? {
    let interfaces = (path["interfaces"]?.arrayValue ?? []).compactMap(\.objectValue)
    for member in expected.objectValue?.members ?? [] {
      let interface = interfaces.first { $0["name"]?.stringValue == member.key }
      let actual = interface?[field]?.strings ?? []
      if actual != member.value.strings { return "\(field) of \(member.key): expected \(member.value), got \(actual)" }
    }
    return nil
  }
}
