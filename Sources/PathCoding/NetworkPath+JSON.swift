package import JSON
package import PathModel

/// The spelling of values in JSON, shared by the socket, `pathctl --json` and the Swift properties. A key without a
/// value is written as null, never left out.
extension NetworkPath {
  /// The capacity for most paths with the text around them, in bytes. malloc(3) hands out up to 1 KiB without a search.
  package static var usualLength: Int { 960 }

  /// Appends the path as one JSON object. All members except `sequence`, `boottimeMicroseconds` and `changed` are
  /// encoded once for all copies of a path: for a path that returns, and for the many subscribers of one update.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    let state = encoded {
      var state = JSONWriter(reservingCapacity: Self.usualLength)
      writeState(to: &state)
      return state.bytes
    }
    writer.members(state)
    writer.key(.sequence)
    writer.integer(sequence)
    writer.key(.boottimeMicroseconds)
    writer.integer(boottimeMicroseconds)
    writer.key(.changed)
    writer.array(changed) { $0.string($1) }
    writer.endObject()
  }

  /// Appends the members that describe the path itself.
  private func writeState(to writer: inout JSONWriter) {
    writer.beginMembers()
    writer.key(.status)
    writer.string(status.rawValue)
    writer.key(.knowledge)
    writer.string(knowledge.rawValue)
    writer.key(.unsatisfiedReason)
    writer.optional(unsatisfiedReason?.rawValue)
    writer.key(.interfaces)
    writer.array(interfaces) { $1.write(to: &$0) }
    writer.key(.interfaceType)
    writer.optional(interfaceType?.rawValue)
    writer.member(.usesTunnel, usesTunnel)
    writer.member(.isExpensive, isExpensive)
    writer.member(.isConstrained, isConstrained)
    writer.key(.cost)
    if let cost { cost.write(to: &writer) } else { writer.null() }
    writer.member(.supportsIPv4, supportsIPv4)
    writer.member(.supportsIPv6, supportsIPv6)
    writer.member(.supportsDNS, supportsDNS)
    writer.key(.gateways)
    writer.array(gateways) { $0.string($1.scoped(to: nil).description) }
    writer.key(.gatewayScopes)
    writer.array(gatewayScopes) { $0.string($1) }
    writer.key(.overrides)
    writer.array(overrides) { $0.string($1) }
  }
}

extension NetworkInterface {
  /// Appends the interface as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(.name)
    writer.string(name)
    writer.key(.index)
    writer.integer(index)
    writer.key(.type)
    writer.string(type.rawValue)
    writer.member(.isExpensive, isExpensive)
    writer.member(.isConstrained, isConstrained)
    writer.key(.underlying)
    writer.array(underlying) { $0.string($1) }
    writer.key(.underlyingTypes)
    writer.array(underlyingTypes) { $0.string($1.rawValue) }
    writer.key(.mtu)
    if let mtu { writer.integer(mtu) } else { writer.null() }
    writer.key(.hardwareAddress)
    writer.optional(hardwareAddress)
    writer.key(.addresses)
    writer.array(addresses) { $0.string($1.description) }
    writer.key(.driver)
    writer.optional(driver)
    writer.endObject()
  }
}

extension Cost {
  /// Appends the cost as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member(.isExpensive, isExpensive)
    writer.member(.isConstrained, isConstrained)
    writer.key(.confidence)
    writer.string(confidence.rawValue)
    writer.key(.evidence)
    writer.array(evidence) { writer, evidence in
      writer.beginObject()
      writer.key(.source)
      writer.string(evidence.source.rawValue)
      writer.key(.verdict)
      writer.string(evidence.verdict.rawValue)
      writer.key(.confidence)
      writer.string(evidence.confidence.rawValue)
      writer.key(.text)
      writer.string(evidence.text)
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: JSONKey, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  /// Appends a string, or null when there is none.
  mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  /// Appends an array. `write` appends each element.
  package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
