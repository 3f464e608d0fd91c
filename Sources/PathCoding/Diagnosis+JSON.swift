package import JSON
package import PathModel

extension Diagnosis {
  /// Appends the diagnosis as one JSON object.
  ///
  /// - Parameter further: Appends members behind those of the diagnosis.
  package func write(to writer: inout JSONWriter, further: (inout JSONWriter) -> Void = { _ in }) {
    writer.beginObject()
    writer.member("code", code.rawValue)
    writer.member("subject", subject)
    writer.member("sentence", sentence)
    further(&writer)
    writer.endObject()
  }

  /// A diagnosis from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue, at key: String) throws(PathDecodingError) {
    let members = try Members(json, at: key)
    self.init(
      code: Code(rawValue: try members.required("code")), subject: try members.text("subject"),
      sentence: try members.required("sentence"))
  }
}

extension RouteSummary {
  /// Appends the route as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("destination", destination.description)
    writer.member("interface", interface)
    writer.member("gateway", gateway?.description)
    writer.member("source", source?.description)
    writer.member("table", table)
    writer.member("rule", rule)
    writer.endObject()
  }

  /// A route from its JSON object. Unknown members are ignored.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue, at key: String) throws(PathDecodingError) {
    let members = try Members(json, at: key)
    guard let destination = try members.address("destination") else {
      throw PathDecodingError(key: "\(key).destination", message: "is missing")
    }
    self.init(to: destination)
    interface = try members.text("interface")
    gateway = try members.address("gateway")
    source = try members.address("source")
    table = try members.text("table")
    rule = try members.text("rule")
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

/// The members of an object that are texts. A member that is null is treated as missing.
private struct Members {
  private let object: JSONObject
  private let path: String

  init(_ json: JSONValue, at path: String) throws(PathDecodingError) {
    guard let object = json.objectValue else { throw PathDecodingError(key: path, message: "must be an object") }
    (self.object, self.path) = (object, path)
  }

  func text(_ name: String) throws(PathDecodingError) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw PathDecodingError(key: "\(path).\(name)", message: "must be a string")
    }
    return text
  }

  func required(_ name: String) throws(PathDecodingError) -> String {
    guard let text = try text(name) else { throw PathDecodingError(key: "\(path).\(name)", message: "is missing") }
    return text
  }

  func address(_ name: String) throws(PathDecodingError) -> IPAddress? {
    guard let text = try text(name) else { return nil }
    guard let address = IPAddress(text) else {
      throw PathDecodingError(key: "\(path).\(name)", message: "is not an IP address: \(text.quotedInLine)")
    }
    return address
  }
}
