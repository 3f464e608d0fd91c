/// Paths for display to people: a name, a text or a word from another program never leaves its place in the line.
extension NetworkPath {
  /// The path with all its texts in one line each; see ``Swift/String/inOneLine``.
  package var escaped: NetworkPath {
    var path = self
    path.unsatisfiedReason = unsatisfiedReason.map { UnsatisfiedReason(rawValue: $0.rawValue.inOneLine) }
    path.diagnosis = knownDiagnosis?.escaped
    path.interfaces = interfaces.map(\.escaped)
    path.overrides = overrides.map(\.inOneLine)
    path.changed = changed.map(\.inOneLine)
    path.gateways = gateways.map(\.escaped)
    path.cost?.confidence = .init(rawValue: cost?.confidence.rawValue.inOneLine ?? "")
    path.cost?.evidence = cost?.evidence.map(\.escaped) ?? []
    return path
  }
}

extension NetworkInterface {
  /// The interface with all its texts in one line each.
  package var escaped: NetworkInterface {
    var interface = self
    interface.name = name.inOneLine
    interface.underlying = underlying.map(\.inOneLine)
    interface.hardwareAddress = hardwareAddress?.inOneLine
    interface.addresses = addresses.map { Address($0.address.escaped, prefixLength: $0.prefixLength) }
    interface.driver = driver?.inOneLine
    interface.alternativeNames = alternativeNames.map(\.inOneLine)
    return interface
  }
}

extension Diagnosis {
  /// The diagnosis with all its texts in one line each.
  fileprivate var escaped: Diagnosis {
    var diagnosis = Diagnosis(
      code: Code(rawValue: code.rawValue.inOneLine), subject: subject?.inOneLine, sentence: sentence.inOneLine)
    diagnosis.circumstances = circumstances.map { Circumstance(rawValue: $0.rawValue.inOneLine) }
    return diagnosis
  }
}

extension Evidence {
  /// The evidence with all its texts in one line each.
  fileprivate var escaped: Evidence {
    Evidence(
      source: Source(rawValue: source.rawValue.inOneLine), verdict: Verdict(rawValue: verdict.rawValue.inOneLine),
      confidence: Confidence(rawValue: confidence.rawValue.inOneLine), text: text.inOneLine)
  }
}

extension IPAddress {
  /// The address with its scope, the name of an interface, in one line.
  fileprivate var escaped: IPAddress { scoped(to: scope?.inOneLine) }
}
