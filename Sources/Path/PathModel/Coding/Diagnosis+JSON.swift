package import JSON

extension Diagnosis {
  /// A diagnosis from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Field>(json)
    self.init(
      code: Code(rawValue: try reader.required(.code, try reader.string(.code))), subject: try reader.string(.subject),
      sentence: try reader.required(.sentence, try reader.string(.sentence)))
    // A service of an older version names none.
    circumstances = (try reader.strings(.circumstances) ?? []).map { Circumstance(rawValue: $0) }
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
