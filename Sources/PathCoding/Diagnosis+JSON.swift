package import JSON
package import PathModel

extension Diagnosis {
  private enum Key: String {
    case code, subject, sentence
  }

  /// Appends the diagnosis as one JSON object.
  ///
  /// - Parameter further: Appends members behind those of the diagnosis.
  package func write(to writer: inout JSONWriter, further: (inout JSONWriter) -> Void = { _ in }) {
    writer.beginObject()
    writer.member(Key.code.rawValue, code.rawValue)
    writer.member(Key.subject.rawValue, subject)
    writer.member(Key.sentence.rawValue, sentence)
    further(&writer)
    writer.endObject()
  }

  /// A diagnosis from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    self.init(
      code: Code(rawValue: try reader.required(.code, try reader.string(.code))), subject: try reader.string(.subject),
      sentence: try reader.required(.sentence, try reader.string(.sentence)))
  }
}

extension RouteSummary {
  private enum Key: String {
    case destination, interface, gateway, source, table, rule
  }

  /// Appends the route as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member(Key.destination.rawValue, destination.description)
    writer.member(Key.interface.rawValue, interface)
    writer.member(Key.gateway.rawValue, gateway?.description)
    writer.member(Key.source.rawValue, source?.description)
    writer.member(Key.table.rawValue, table)
    writer.member(Key.rule.rawValue, rule)
    writer.endObject()
  }

  /// A route from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    self.init(to: try reader.required(.destination, try reader.value(.destination, IPAddress.init(json:))))
    interface = try reader.string(.interface)
    gateway = try reader.value(.gateway, IPAddress.init(json:))
    source = try reader.value(.source, IPAddress.init(json:))
    table = try reader.string(.table)
    rule = try reader.string(.rule)
  }
}

extension JSONWriter {
  /// Appends the members `diagnosis`, the first of the causes or null, and `furtherDiagnoses`, the others.
  package mutating func diagnoses(_ causes: [Diagnosis]) {
    key("diagnosis")
    if let first = causes.first { first.write(to: &self) } else { null() }
    key("furtherDiagnoses")
    beginArray()
    for cause in causes.dropFirst() { cause.write(to: &self) }
    endArray()
  }

  /// Appends a member with a text, or null when there is none.
  fileprivate mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }
}
