package import JSON
package import PathModel

/// The spelling of values in JSON, shared by the socket, `pathctl --json` and the Swift properties. A key without a
/// value is written as null, never left out.
extension NetworkPath: WrittenObject {
  static let keys = JSONKeys(Field.all.map(\.rawValue))

  /// The capacity for most paths with the text around them, in bytes. malloc(3) hands out up to 1 KiB without a search.
  package static var usualLength: Int { 960 }

  /// Appends the path as one JSON object. All members except `sequence`, `boottimeMicroseconds` and `changed` are
  /// encoded once for all copies of a path: for a path that returns, and for the many subscribers of one update.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    let state = encoded {
      var state = JSONWriter(reservingCapacity: Self.usualLength)
      state.beginMembers()
      writeFields(..<Field.stateCount, to: &state)
      return state.bytes
    }
    writer.members(state)
    writeFields(Field.stateCount..., to: &writer)
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

/// An object whose keys are prepared.
private protocol WrittenObject: FieldObject {
  static var keys: JSONKeys { get }
}

extension WrittenObject {
  /// Appends the value as one JSON object.
  fileprivate func writeObject(to writer: inout JSONWriter) {
    writer.beginObject()
    writeFields(0..., to: &writer)
    writer.endObject()
  }

  /// Appends the fields at some positions as members.
  fileprivate func writeFields(_ positions: some RangeExpression<Int>, to writer: inout JSONWriter) {
    let (fields, keys) = (Field.allCases, Self.keys)
    for position in positions.relative(to: fields.indices) {
      writer.key(keys, at: position)
      writeValue(of: fields[position], to: &writer)
    }
  }
}

extension JSONWriter: FieldOutput {
  package mutating func text(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  package mutating func flag(_ flag: Bool) { boolean(flag) }

  package mutating func integer(_ number: Int?) {
    if let number { integer(number) } else { null() }
  }

  package mutating func texts(_ texts: [String]) { array(texts) { $0.string($1) } }

  package mutating func addresses(_ addresses: [IPAddress]) {
    array(addresses) { writer, address in
      // A scope may have any characters.
      if address.scope != nil { return writer.string(address.description) }
      writer.plainString { address.append(to: &$0) }
    }
  }

  package mutating func addresses(_ addresses: [NetworkInterface.Address]) {
    array(addresses) { writer, address in
      if address.address.scope != nil { return writer.string(address.description) }
      writer.plainString { address.append(to: &$0) }
    }
  }

  package mutating func interfaces(_ interfaces: [NetworkInterface]) { array(interfaces) { $1.writeObject(to: &$0) } }

  package mutating func cost(_ cost: Cost?) {
    if let cost { cost.writeObject(to: &self) } else { null() }
  }

  package mutating func evidence(_ evidence: [Evidence]) { array(evidence) { $1.writeObject(to: &$0) } }

  package mutating func changes(_ changes: NetworkPath.Changes) {
    switch changes {
    case .fields(let fields):
      beginArray()
      for position in fields.positions { string(NetworkPath.keys, at: position) }
      endArray()
    case .names(let names): texts(names)
    }
  }
}

extension JSONWriter {
  /// Appends an array. `write` appends each element.
  package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
