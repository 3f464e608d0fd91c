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
      case "underlying": return underlyingDifference(value, path)
      default:
        let actual = path[key == "type" ? "interfaceType" : key]
        return actual == value ? nil : "\(key): expected \(value), got \(actual.map(\.description) ?? "nothing")"
      }
    }
  }

  /// Compares the names of the interfaces below each interface that the expectation names.
  private static func underlyingDifference(_ expected: JSONValue, _ path: JSONObject) -> String? {
    let interfaces = (path["interfaces"]?.arrayValue ?? []).compactMap(\.objectValue)
    for member in expected.objectValue?.members ?? [] {
      let interface = interfaces.first { $0["name"]?.stringValue == member.key }
      let underlying = interface?["underlying"]?.strings ?? []
      if underlying != member.value.strings {
        return "underlying of \(member.key): expected \(member.value), got \(underlying)"
      }
    }
    return nil
  }
}
