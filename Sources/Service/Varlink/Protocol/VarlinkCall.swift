package import PathModel

/// A call of a client: one frame on its way to a service.
package struct VarlinkCall: Equatable, Sendable {
  /// The full name of the method: the interface, a dot, and the name.
  package var method: String
  /// The parameters of the method; absent parameters are an empty object.
  package var parameters: JSONObject
  /// Whether the client accepts more than one reply.
  package var acceptsMore: Bool
  /// Whether the client wants no reply, not even an error.
  package var isOneway: Bool
  /// Whether the client wants to leave the protocol after the reply.
  package var wantsUpgrade: Bool

  /// A call of a method.
  package init(
    _ method: String, _ parameters: JSONObject = JSONObject(), acceptsMore: Bool = false, isOneway: Bool = false,
    wantsUpgrade: Bool = false
  ) {
    self.method = method
    self.parameters = parameters
    self.acceptsMore = acceptsMore
    self.isOneway = isOneway
    self.wantsUpgrade = wantsUpgrade
  }

  /// The interface part of the method's name: all before the last dot; `nil` when there is no dot.
  package var interface: String? { lastDot.map { String(method[..<$0]) } }

  /// The method's name within its interface: all after the last dot.
  package var name: String {
    lastDot.map { String(method[method.utf8.index(after: $0)...]) } ?? method
  }

  private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }
}

extension VarlinkCall {
  /// The deepest nesting of a call; our own calls have a depth of three.
  private static let maximumDepth = 32

  /// Decodes a call from a frame. Unknown keys are ignored.
  ///
  /// - Throws: ``VarlinkError`` `InvalidParameter` with the mistake in the frame.
  package init(parsing frame: ArraySlice<UInt8>) throws(VarlinkError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: frame.span, maximumDepth: Self.maximumDepth)
    } catch {
      throw .invalidParameter("call", error.description)
    }
    guard let call = value.objectValue else {
      throw .invalidParameter("call", "a call is a JSON object such as {\"method\":\"org.varlink.service.GetInfo\"}")
    }
    guard let method = call["method"]?.stringValue else {
      throw .invalidParameter("method", "the key \"method\" must be a string: interface, dot, name")
    }
    self.init(
      method, try Self.parameters(of: call), acceptsMore: try Self.flag("more", of: call),
      isOneway: try Self.flag("oneway", of: call), wantsUpgrade: try Self.flag("upgrade", of: call))
  }

  private static func parameters(of call: JSONObject) throws(VarlinkError) -> JSONObject {
    guard let value = call["parameters"], !value.isNull else { return JSONObject() }
    guard let object = value.objectValue else {
      throw .invalidParameter("parameters", "the key \"parameters\" must be an object")
    }
    return object
  }

  private static func flag(_ key: String, of call: JSONObject) throws(VarlinkError) -> Bool {
    guard let value = call[key], !value.isNull else { return false }
    guard let flag = value.booleanValue else {
      throw .invalidParameter(key, "the key \"\(key)\" must be true or false")
    }
    return flag
  }

  /// The frame with its NUL.
  package var frame: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    if !parameters.isEmpty {
      writer.key("parameters")
      JSONValue.object(parameters).write(to: &writer)
    }
    for (key, flag) in [("more", acceptsMore), ("oneway", isOneway), ("upgrade", wantsUpgrade)] where flag {
      writer.key(key)
      writer.boolean(true)
    }
    writer.endObject()
    writer.appendRaw(0)
    return writer.bytes
  }
}
