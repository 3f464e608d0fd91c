import PathModel

/// Compares a path with what a case expects of it.
enum Expectation {
  /// The differences, in words; empty when all values that the case names are as expected.
  static func differences(between expected: JSONObject, and path: JSONValue?) -> [String] {
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
      case "cause":
        let cause = path["diagnosis"]?.objectValue
        let actual = [cause?["code"], cause?["subject"]].compactMap { $0?.stringValue }.joined(separator: ":")
        return actual == value.stringValue ? nil : "cause: expected \(value), got \(actual)"
      default:
        let actual = path[key]
        return actual == value ? nil : "\(key): expected \(value), got \(actual.map(\.description) ?? "nothing")"
      }
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
