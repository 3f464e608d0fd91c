package import JSON
package import PathModel

extension Diagnosis {
  private enum Key: String, CaseIterable {
    case code, subject, sentence, circumstances
  }

  /// Appends the diagnosis as one JSON object.
  ///
  /// - Parameter further: Appends members behind those of the diagnosis.
  package func write(to writer: inout JSONWriter, further: (inout JSONWriter) -> Void = { _ in }) {
    writer.object(of: Key.self, further: further) { key, writer in
      switch key {
      case .code: writer.string(code.rawValue)
      case .subject: writer.value(.text(subject))
      case .sentence: writer.string(sentence)
      case .circumstances: writer.array(circumstances) { $0.string($1.rawValue) }
      }
    }
  }

  /// A diagnosis from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    self.init(
      code: Code(rawValue: try reader.required(.code, try reader.string(.code))), subject: try reader.string(.subject),
      sentence: try reader.required(.sentence, try reader.string(.sentence)))
    // A service of an older version names none.
    circumstances = (try reader.strings(.circumstances) ?? []).map(Circumstance.init)
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
