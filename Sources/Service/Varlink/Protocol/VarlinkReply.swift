package import PathModel

/// A reply of a service: one frame on its way to a client.
package struct VarlinkReply: Equatable, Sendable {
  /// The results of the method, or the details of the error.
  package var parameters: JSONObject
  /// The full name of the error; `nil` for a success.
  package var error: String?
  /// Whether more replies to the same call follow.
  package var continues: Bool

  /// A reply with its parameters.
  package init(_ parameters: JSONObject = JSONObject(), error: String? = nil, continues: Bool = false) {
    self.parameters = parameters
    self.error = error
    self.continues = continues
  }

  /// Decodes a reply from a frame. Unknown keys are ignored.
  ///
  /// - Throws: ``VarlinkProtocolError`` when the frame is no reply.
  package init(parsing frame: ArraySlice<UInt8>) throws(VarlinkProtocolError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: frame.span)
    } catch {
      throw VarlinkProtocolError(description: "the reply is no JSON: \(error)")
    }
    guard let reply = value.objectValue else { throw VarlinkProtocolError(description: "the reply is no JSON object") }
    self.init()
    switch reply["parameters"] {
    case nil, .null: break
    case .object(let object): parameters = object
    default: throw VarlinkProtocolError(description: "the reply's \"parameters\" is no object")
    }
    switch reply["error"] {
    case nil, .null: break
    case .string(let name): error = name
    default: throw VarlinkProtocolError(description: "the reply's \"error\" is no string")
    }
    switch reply["continues"] {
    case nil, .null: break
    case .boolean(let flag): continues = flag
    default: throw VarlinkProtocolError(description: "the reply's \"continues\" is neither true nor false")
    }
  }

  /// The frame of a reply, with its NUL, whose parameters the closure writes: keys and values, without the braces.
  package static func frame(
    continues: Bool = false, reservingCapacity capacity: Int = 256, _ writeParameters: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: capacity)
    writer.beginObject()
    writer.key("parameters")
    writer.beginObject()
    writeParameters(&writer)
    writer.endObject()
    if continues {
      writer.key("continues")
      writer.boolean(true)
    }
    writer.endObject()
    writer.appendRaw(0)
    return writer.bytes
  }
}

/// The other side violates the protocol.
package struct VarlinkProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The violation, without a full stop.
  package var description: String
}
