extension RouteSummary {
  private enum Key: String, CaseIterable {
    case destination, interface, gateway, source, table, rule
  }

  /// Appends the route as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object(of: Key.self) { key, writer in
      switch key {
      case .destination: writer.string(destination.description)
      case .interface: writer.optional(interface)
      case .gateway: writer.optional(gateway?.description)
      case .source: writer.optional(source?.description)
      case .table: writer.optional(table)
      case .rule: writer.optional(rule)
      }
    }
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
