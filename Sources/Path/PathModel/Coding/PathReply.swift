// The paths in replies of the service. Unknown members are ignored.

/// The members of a reply with a path.
private enum ReplyKey: String {
  case path, diagnosis, furtherDiagnoses, steps, route
}

extension NetworkPath {
  /// The path in a reply of the service.
  ///
  /// - Throws: ``PathDecodingError`` with the member that is wrong.
  package init(reply: JSONObject) throws(PathDecodingError) {
    let reader = ObjectReader<ReplyKey>(reply)
    self = try reader.required(.path, try reader.value(.path, NetworkPath.init(json:)))
  }
}

extension ExplainedPath {
  /// The path in a reply of the service to `Explain` or `GetRoute`, with its explanation. An older service gives the
  /// path, and maybe the steps.
  ///
  /// - Throws: ``PathDecodingError`` with the member that is wrong.
  package init(reply: JSONObject) throws(PathDecodingError) {
    let reader = ObjectReader<ReplyKey>(reply)
    let nearest = try reader.value(.diagnosis, Diagnosis.init(json:))
    let further = try reader.array(.furtherDiagnoses, Diagnosis.init(json:)) ?? []
    self.init(
      path: try NetworkPath(reply: reply), causes: [nearest].compactMap(\.self) + further,
      steps: try reader.strings(.steps) ?? [], route: try reader.value(.route, RouteSummary.init(json:)))
  }
}

extension JSONWriter {
  /// Appends the members `diagnosis`, the first of the causes or null, and `furtherDiagnoses`, the others.
  package mutating func diagnoses(_ causes: [Diagnosis]) {
    key("diagnosis")
    if let first = causes.first { first.write(to: &self) } else { null() }
    key("furtherDiagnoses")
    array(causes.dropFirst()) { $1.write(to: &$0) }
  }
}
