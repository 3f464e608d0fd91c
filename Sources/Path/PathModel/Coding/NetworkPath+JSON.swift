package import JSON

/// The spelling of values in JSON, shared by the socket, `pathctl --json` and the Swift properties. A key without a
/// value is written as null, never left out.
extension NetworkPath: WrittenObject {
  static let keys = JSONKeys(Field.all.map(\.rawValue))

  /// The capacity for most paths with the text around them, in bytes. malloc(3) hands out up to 1 KiB without a search.
  package static var usualLength: Int { 960 }

  /// Appends the members of the path except one, for an object with a value of its own in its place.
  package func writeMembers(except omitted: Field, to writer: inout JSONWriter) {
    for (position, field) in Field.all.enumerated() where field != omitted {
      writer.key(Self.keys, at: position)
      writer.value(value(of: field))
    }
  }

  /// Appends the path as one JSON object. All members except `sequence`, `boottimeMicroseconds` and `changed` are
  /// encoded once for all copies of a path: for a path that returns, and for the many subscribers of one update.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    let state = encoded {
      var state = JSONWriter(reservingCapacity: Self.usualLength)
      state.beginMembers()
      writeFields(0..<Field.stateCount, of: Field.all, to: &state)
      return state.bytes
    }
    writer.members(state)
    writeFields(Field.stateCount..<Field.all.count, of: Field.all, to: &writer)
    writer.endObject()
  }
}

extension NetworkInterface: WrittenObject {
  static let keys = JSONKeys(Field.allCases.map(\.rawValue))

  /// Appends the interface as one JSON object.
  package func write(to writer: inout JSONWriter) { writeObject(to: &writer) }
}

extension Cost: WrittenObject {
  static let keys = JSONKeys(Field.allCases.map(\.rawValue))
}

extension Evidence: WrittenObject {
  static let keys = JSONKeys(Field.allCases.map(\.rawValue))
}

extension Diagnosis: WrittenObject {
  static let keys = JSONKeys(Field.allCases.map(\.rawValue))

  /// Appends the diagnosis as one JSON object.
  ///
  /// - Parameter further: Appends members behind those of the diagnosis.
  package func write(to writer: inout JSONWriter, further: (inout JSONWriter) -> Void = { _ in }) {
    writer.beginObject()
    writeFields(Field.allCases.indices, of: Field.allCases, to: &writer)
    further(&writer)
    writer.endObject()
  }
}

/// An object whose keys are prepared.
private protocol WrittenObject: FieldObject {
  static var keys: JSONKeys { get }
}

extension WrittenObject {
  /// Appends the value as one JSON object.
  fileprivate func writeObject(to writer: inout JSONWriter) {
    writer.beginObject()
    let fields = Field.allCases
    writeFields(fields.indices, of: fields, to: &writer)
    writer.endObject()
  }

  /// Appends the fields at some positions as members.
  fileprivate func writeFields(_ positions: Range<Int>, of fields: [Field], to writer: inout JSONWriter) {
    let keys = Self.keys
    for position in positions {
      writer.key(keys, at: position)
      writer.value(value(of: fields[position]))
    }
  }
}

extension JSONWriter {
  /// Appends the value of a field.
  mutating func value(_ value: FieldValue) {
    switch value {
    case .text(let text): if let text { string(text) } else { null() }
    case .flag(let flag): boolean(flag)
    case .integer(let number): if let number { integer(number) } else { null() }
    case .texts(let texts): strings(texts)
    case .addresses(let addresses):
      array(addresses) { writer, address in
        // A scope may have any characters.
        if address.scope != nil { return writer.string(address.description) }
        writer.plainString { address.append(to: &$0) }
      }
    case .addressesWithPrefix(let addresses):
      array(addresses) { writer, address in
        if address.address.scope != nil { return writer.string(address.description) }
        writer.plainString { address.append(to: &$0) }
      }
    case .interfaces(let interfaces): array(interfaces) { $1.writeObject(to: &$0) }
    case .cost(let cost): if let cost { cost.writeObject(to: &self) } else { null() }
    case .evidence(let evidence): array(evidence) { $1.writeObject(to: &$0) }
    case .diagnosis(let diagnosis): if let diagnosis { diagnosis.writeObject(to: &self) } else { null() }
    case .changes(.fields(let fields)):
      beginArray()
      for position in fields.positions { string(NetworkPath.keys, at: position) }
      endArray()
    case .changes(.names(let names)): strings(names)
    }
  }

  private mutating func strings(_ texts: [String]) { array(texts) { $0.string($1) } }
}
